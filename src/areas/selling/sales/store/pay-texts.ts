import { writeStatement } from '../../../../platform/db/statement.ts'
import { keyLock } from '../../../../platform/http/idempotency.ts'
import { sellablesHeld } from '../../../catalogue/products/index.ts'
import { assignmentsOf, ITEM_COLUMNS, namesOf, SALE_COLUMNS, typedNamesOf } from './columns.ts'
import { SHORTAGES } from './lowered.ts'
import { type Parameters, parametersOf } from './parameters.ts'
import {
  EVENTS,
  ending,
  GOODS,
  ITEM_ROWS,
  LEVELS_OF_ONE,
  LOWERED_OF_ONE,
  MOVES,
  ONLY_SALE,
  once,
  PAYMENT_ROWS,
  type Parts,
  type SaleText,
  textOf,
} from './parts.ts'
import { batchOf, keyIsNew, policyHolds, shiftHolds } from './proof.ts'

/** The values that every payment passes to its statement, besides the row of the bill. */
const PAID = {
  account_id: 'text',
  id: 'text',
  seen: 'text',
  outlet_id: 'text',
  created_at: 'timestamptz',
  actor_id: 'text',
  stamp: 'text',
  cause: 'text',
  key: 'text',
  fingerprint: 'text',
  guard_shift_id: 'text',
  guards: 'text[]',
  sale_json: 'text',
} as const
/** A bill that stays open also sends its customer, who is in the event; one that completes also sends its stock movements. */
const PART = { ...PAID, customer_id: 'text', customer_name: 'text', customer_phone: 'text' } as const
const ALL = { ...PAID, policy_seen: 'text' } as const

const SHIFT_HOLDS = shiftHolds('a.account_id', (fact) => `a.${fact}`)
const ARE_OPEN = '(select count(*) from shift) = cardinality(a.guards)'

const held =
  once(`select s.id from asked a, sales s where s.account_id = a.account_id and s.id = a.id and s.xmin::text = a.seen
      and (a.key is null or (pg_try_advisory_xact_lock(${keyLock('a.account_id', 'a.key')})
        and ${keyIsNew('a.account_id', 'a.key')}))
    for update of s`)

/** The shifts that must be open, locked after `before` if there is a `bill`. */
const shift = (before: string, bill: string) =>
  once(`select h.id from (select count(*) from ${before}) first, ${bill} g, asked a, shifts h
    where h.account_id = a.account_id and h.id = any(a.guards) and h.status = 'OPEN' order by h.id for share of h`)

/** The bill `bill` that is paid, as `n` if it is still so. */
const out = (n: string, warnings: string, bill: string) =>
  once(`select ${n} as n, a.account_id, a.id, a.outlet_id, a.actor_id, a.stamp, a.cause, a.created_at, a.key, a.fingerprint,
      null::text as placeholder, '' as not_done, null::text as number, a.sale_json as sale, ${warnings} as stock_warnings
    from ${bill}, asked a`)

const saleRow = ({ rowOf }: Parameters) =>
  `(update sales s set ${assignmentsOf(SALE_COLUMNS)} from asked a, (select ${rowOf(SALE_COLUMNS)}) x, out o
    where s.account_id = a.account_id and s.id = a.id and o.n = 1)`

const PART_LISTS = [PART, EVENTS, SALE_COLUMNS, PAYMENT_ROWS]
const ALL_LISTS = [ALL, GOODS, MOVES, EVENTS, SALE_COLUMNS, PAYMENT_ROWS, ITEM_ROWS]

function partOfBill(): Parts {
  const parameters = parametersOf(PART_LISTS)
  return {
    asked: `not ${once(`select ${parameters.rowOf(PART)}`)}`,
    held,
    customer: once(`select c.id from held h, asked a, customers c
    where c.account_id = a.account_id and c.id = a.customer_id and c.name = a.customer_name
      and c.phone is not distinct from a.customer_phone for key share of c`),
    shift: shift('customer', 'held'),
    out: out(
      '1',
      "'[]'",
      `(select h.id from held h, asked a where ${SHIFT_HOLDS} and ${ARE_OPEN}
        and (a.customer_id is null or (select count(*) from customer) = 1)) h`,
    ),
    s: saleRow(parameters),
    ...ending({ parameters, moves: false, status: 200, ...ONLY_SALE }),
  }
}

/** The subquery of the variants refers to the row of the bill, so they are locked after it. */
function wholeBill(): Parts {
  const parameters = parametersOf(ALL_LISTS)
  const { bare, of, rowOf, rowsOf } = parameters
  const variants = bare(GOODS, 'variant_id')
  return {
    asked: `not ${once(`select ${rowOf(ALL)}`)}`,
    held,
    sold: once(`select x.* from ${rowsOf(MOVES)} as x(${namesOf(MOVES)})`),
    good: once(`select h.id, a.account_id, a.outlet_id, a.created_at from held h, asked a where ${SHIFT_HOLDS}
      and ${policyHolds('a.account_id', 'a.policy_seen')}
      and case when h.id = a.id then array(select t.variant_id || ' ' || t.seen from ${rowsOf(GOODS)} t(${namesOf(GOODS)}))
        <@ array(select v.id || ' ' || v.seen from (${sellablesHeld(variants)}) v) end
      and ${batchOf('a.account_id', 'a.outlet_id', `= any(${variants}::text[])`)} is null`),
    lv: LEVELS_OF_ONE,
    shift: shift('lv', 'good'),
    lowered: LOWERED_OF_ONE,
    out: out(
      `1 / case when ${ARE_OPEN} then 1 else 0 end`,
      `coalesce((select ${SHORTAGES} from lowered w where w.quantity < 0), '[]')`,
      'good g',
    ),
    s: saleRow(parameters),
    i: `(update sale_items i set ${assignmentsOf(ITEM_COLUMNS)}
    from asked a, json_to_recordset(${of(ITEM_ROWS, 'items')}) as x(id text, ${typedNamesOf(ITEM_COLUMNS)}), out o
    where i.account_id = a.account_id and i.sale_id = a.id and i.id = x.id and o.n = 1)`,
    ...ending({ parameters, moves: true, status: 200, ...ONLY_SALE }),
  }
}

const ANSWER = 'select r.data from reply r'
/**
 * A payment on an open bill in one statement: one that leaves it open, and those that complete it. It proves the
 * facts that the payment was decided from: the bill, by the transaction that last wrote its row (every change of its
 * items, payments and refunds writes that row too), and the cashier's shift. If goods leave, it also proves their
 * state and that no batch of them exists. If one of these facts has changed, no row
 * is written. A shift that is closed while the statement waits for its levels fails the statement as a division by
 * zero, which undoes them.
 */
export const PAY: SaleText = {
  statement: writeStatement('bill_pay', textOf(partOfBill(), ANSWER)),
  lists: PART_LISTS,
}
export const COMPLETE: SaleText = {
  statement: writeStatement('bill_complete', textOf(wholeBill(), ANSWER)),
  lists: ALL_LISTS,
}
