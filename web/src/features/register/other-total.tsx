import type { Sale } from 'kasir-client'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** The total that the customer saw before paying is not that of the sale. */
export function OtherTotal({ sale }: { sale: Sale }) {
  const t = useCounterTexts()
  return (
    <div className="w-full text-left">
      <Notice
        text={t('done.otherTotal', {
          total: formatRupiah(sale.total),
          change: formatRupiah(sale.changeTotal),
        })}
      />
    </div>
  )
}
