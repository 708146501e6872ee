import type { SaleRow } from 'kasir-client'
import type { ManualMethod } from '../../selling/correct-tender.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'

type TenderTapsProps = {
  payment: SaleRow['payments'][number] | undefined
  tenders: readonly ManualMethod[]
  isBusy: boolean
  onCorrect(paymentId: string, method: ManualMethod): void
}

/** One tap for each tender that a payment may have had instead. */
export function TenderTaps({ payment, tenders, isBusy, onCorrect }: TenderTapsProps) {
  const t = useTexts()
  if (payment === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-2 py-1.5">
      {tenders
        .filter((each) => each !== payment.method)
        .map((each) => (
          <Button key={each} disabled={isBusy} onClick={() => onCorrect(payment.id, each)}>
            {t('find.correct', { tender: t(`tender.${each}`) })}
          </Button>
        ))}
    </div>
  )
}
