import { statement } from '../../../platform/db/statement.ts'

const edge = (
  direction: 'asc' | 'desc',
) => `(select s.number from sales s where s.account_id = $1 and s.shift_id = $2
    and s.completed_at is not null order by s.id ${direction} limit 1)`

const returned = (
  kind: 'REFUND' | 'VOID' | 'DISCARD',
) => `(select json_build_object('count', count(*), 'amount', coalesce(sum(r.amount), 0))
    from refunds r where r.account_id = $1 and r.shift_id = $2 and r.kind = '${kind}')`

/** What a shift's own summary does not have: the numbers of its receipts, and what was given back of which kind. */
export const SHIFT_FACTS = statement(
  'report_shift',
  `select json_build_object('first', ${edge('asc')}, 'last', ${edge('desc')}) as receipts,
    json_build_object('refunds', ${returned('REFUND')}, 'voids', ${returned('VOID')}, 'discards', ${returned('DISCARD')}) as returned`,
)
