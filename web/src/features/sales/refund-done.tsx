import { MoneyBack, type tendersOf } from '../../selling/money-back.tsx'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type RefundDoneProps = { number: string; tenders: ReturnType<typeof tendersOf>; onClose(): void }

/** How the service paid the refund back: only the cash leaves the drawer. */
export function RefundDone({ number, tenders, onClose }: RefundDoneProps) {
  const t = useSalesTexts()
  return (
    <Dialog
      title={t('refund.title', { number })}
      onClose={onClose}
      actions={
        <Button look="primary" size="large" className="flex-1" onClick={onClose}>
          {t('back.done')}
        </Button>
      }
    >
      <div role="status" className="grid gap-3">
        <p className="text-muted">{t('back.recorded')}</p>
        <MoneyBack tenders={tenders} />
      </div>
    </Dialog>
  )
}
