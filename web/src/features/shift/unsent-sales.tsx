import type { ShiftDetail } from 'kasir-client'
import { LineState } from '../../app/line-state.tsx'
import { sum } from '../../core.ts'
import { useOutbox } from '../../offline/outbox.ts'
import { isUnsent } from '../../offline/outbox-row.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** The member's sales of the outlet that the service does not have: they are in the drawer, and in no expected amount. */
export function useUnsentSales({ outletId, cashierId }: ShiftDetail): { count: number; cash: number } {
  const rows = useOutbox((outbox) => outbox.rows)
  const own = rows.filter(
    (row) => isUnsent(row) && row.body.outletId === outletId && row.seller.id === cashierId,
  )
  const tenders = own.flatMap((row) => row.tenders.filter(({ method }) => method === 'CASH'))
  return { count: own.length, cash: sum(tenders.map(({ amount, rounding = 0 }) => amount + rounding)) }
}

/** Says before the shift is closed that sales are still on this device. The state of the line leads to them. */
export function UnsentSales({ count, cash }: { count: number; cash: number }) {
  const counter = useCounterTexts()
  if (count === 0) return null
  return (
    <Notice text={counter('shift.unsent', { n: count, cash: formatRupiah(cash) })}>
      <LineState />
    </Notice>
  )
}
