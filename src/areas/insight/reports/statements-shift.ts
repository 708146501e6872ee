import { statement } from '../../../platform/db/statement.ts'

const edge = (
  direction: 'asc' | 'desc',
) => `(select s.number from sales s where s.account_id = $1 and s.shift_id = $2
    and s.completed_at is not null order by s.id ${direction} limit 1)`

const returned = (
  kind: 'REFUND' | 'VOID' | 'DISCARD',
) => `(select json_build_object('count', count(*), 'amount', coalesce(sum(r.amount), 0))
    from refunds r where r.account_id = $1 and r.shift_id = $2 and r.kind = '${kind}')`

/** The figures that the summary of a shift does not have: its receipt numbers, and its refunds by kind. */
export const SHIFT_FACTS = statement(
  'report_shift',
  `select json_build_object('first', ${edge('asc')}, 'last', ${edge('desc')}) as receipts,
    json_build_object('refunds', ${returned('REFUND')}, 'voids', ${returned('VOID')}, 'discards', ${returned('DISCARD')}) as returned`,
)
