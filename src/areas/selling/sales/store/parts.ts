import type { Lock } from '../../../../platform/db/lock-order.ts'
import { together } from '../../../../platform/db/open.ts'
import type { WriteStatement } from '../../../../platform/db/statement.ts'
import { firstUsedAt } from '../../../../platform/http/idempotency.ts'
import { queueDeliveries } from '../../../../platform/webhooks/fan-out.ts'
import { stockLow } from '../../../stock/inventory/index.ts'
import {
  type Columns,
  EVENT_COLUMNS,
  MOVE_COLUMNS,
  namesOf,
  PAYMENT_COLUMNS,
  typedNamesOf,
} from './columns.ts'
import { HAS_CROSSED, lowBody } from './lowered.ts'
import type { Parameters } from './parameters.ts'

/**
 * The parts of every write of a sale, in their order: first the parts that lock, in the order of `LOCK_ORDER`, then
 * the rows that no transaction waits for, and the reply. A statement has some of the parts; each part
 * that must wait for another refers to it. The value is the lock that the part may wait for.
 */
export const PARTS = {
  /** The parameters of each sale. The plain statement only tries for the Idempotency-Key. */
  asked: null,
  /** The stored sales, locked after their Idempotency-Keys were tried. */
  held: 'sales by id',
  /** The goods: the movements, the sales whose goods have changed, and the sales that may be written. */
  sold: null,
  stale: 'variants by id',
  sound: null,
  good: 'variants by id',
  /** The levels, lowered. */
  moves: null,
  lv: "stock levels by outlet and variant, each outlet's with their batches by id",
  shift: 'shifts by id',
  booked: null,
  num: 'receipt counter',
  /** Each movement with its level, and the shortages among them. */
  lowered: null,
  short: null,
  /** The sales that are written, each with the values that its rows and its reply share. */
  out: null,
  /** Sale, items, payments, refunds, movements, events, deliveries. */
  s: null,
  i: null,
  p: null,
  r: null,
  mv: null,
  e: null,
  queued: null,
  reply: null,
  /** The record of the Idempotency-Key. */
  k: null,
} as const satisfies Record<string, Lock | null>
type PartName = keyof typeof PARTS
const ORDER = Object.keys(PARTS) as PartName[]
export type Parts = Readonly<Partial<Record<PartName, string>>>

/** A part that runs once, however often it is named. */
export const once = (text: string) => `materialized (${text})`

/** A statement of these parts, which ends with `answer`. */
export function textOf(parts: Parts, answer: string): string {
  const named = ORDER.flatMap((name) => (parts[name] ? [`${name} as ${parts[name]}`] : []))
  return `with ${named.join(',\n  ')}\n  ${answer}`
}

/** A statement that writes sales, with the lists of its parameters. */
export type SaleText = Readonly<{ statement: WriteStatement; lists: readonly Columns[] }>

type Steps<R> = Readonly<Partial<Record<PartName, () => R>>>

/** The statements of the parts, in the same order: on a database whose rows are spread over workers, or for a stored sale. */
export const statementsInOrder = <S>(steps: Partial<Record<PartName, readonly S[]>>) =>
  ORDER.flatMap((name) => steps[name] ?? [])

/** Sends parts as separate statements together, in the same order, and returns the answer of each. */
export async function answersInOrder<S extends Steps<unknown>>(steps: S) {
  const names = ORDER.filter((name) => name in steps)
  const answers = await together(names.map((name) => steps[name]?.()))
  return Object.fromEntries(names.map((name, at) => [name, answers[at]])) as {
    [K in keyof S]: S[K] extends () => infer A ? Awaited<A> : never
  }
}

/** Items and payments of all sales: they are wide and mostly empty, so arrays of them cost more than JSON. */
export const ITEM_ROWS = { items: 'json' } as const
export const PAYMENT_ROWS = { payments: 'json' } as const
/** The variants sold: each variant of a sale once, with the state in which it was read. */
export const GOODS = { n: 'int', variant_id: 'text', seen: 'text' } as const
/** The shifts that must be open. */
export const GUARDS = { n: 'int', shift_id: 'text' } as const
export const MOVES = { n: 'int', ...MOVE_COLUMNS } as const
export const EVENTS = { n: 'int', ...EVENT_COLUMNS } as const

export const lowerLevels = (rows: string) =>
  `(insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    ${rows}
    on conflict (account_id, outlet_id, variant_id) do update
      set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning l.account_id, l.outlet_id, l.variant_id, l.id, l.quantity, l.reorder_point, l.created_at)`

/** The levels of one sale. */
export const LEVELS_OF_ONE = lowerLevels(
  `select g.account_id, g.outlet_id, m.variant_id, 'lvl_' || substr(m.movement_id, 5), -m.qty, g.created_at, g.created_at
    from good g, sold m order by m.variant_id`,
)

/** Each movement of `joined` with its level `lv`, whose stock after it is `quantity`. */
export const lowered = (quantity: string, joined: string) =>
  once(`select m.n, m.qty, m.movement_id, m.unit_cost, m.variant_id, m.product_id, m.product_name, m.variant_name, m.sku, m.sold_by,
      'evt_' || substr(m.movement_id, 5) as low_event_id, lv.id, lv.outlet_id, lv.reorder_point, lv.created_at,
      ${quantity} as quantity
    from lv join ${joined}`)
export const LOWERED_OF_ONE = lowered('lv.quantity', 'sold m on m.variant_id = lv.variant_id')

/** How `out`, the sale of a row, is joined: by its ordinal, or by the id that JSON rows have. One sale needs neither. */
export type JoinSale = {
  join(row: string): string
  joinById(row: string): string
}
export const ONLY_SALE: JoinSale = {
  join: () => 'cross join out o',
  joinById: () => 'cross join out o',
}

type SaleEnding = JoinSale & {
  parameters: Parameters
}

/** The parts that any sale ends with: payments, movements, events, deliveries, reply and the record of its key. */
export const ending = ({ parameters, join, joinById }: SaleEnding): Parts => {
  const { of, rowsOf } = parameters
  const lowEvents = `
    union all
    select o.account_id, w.low_event_id, '${stockLow.name}', w.id, o.cause, ${lowBody('o.account_id', 'o.stamp')}, o.created_at
    from lowered w ${join('w')} where ${HAS_CROSSED}`
  return {
    p: `(insert into payments (account_id, sale_id, id, ${namesOf(PAYMENT_COLUMNS)})
    select o.account_id, o.id, x.id, ${namesOf(PAYMENT_COLUMNS, 'x.')}
    from json_to_recordset(${of(PAYMENT_ROWS, 'payments')}) as x(id text, sale_id text, ${typedNamesOf(PAYMENT_COLUMNS)}) ${joinById('x')})`,
    mv: `(insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, transaction_id,
      unit_cost, actor_id, created_at, updated_at)
    select o.account_id, w.movement_id, w.outlet_id, w.variant_id, 'SALE', -w.qty, w.quantity, o.id, w.unit_cost, o.actor_id,
      o.created_at, o.created_at
    from lowered w ${join('w')})`,
    e: `(insert into events (account_id, id, type, ref_id, cause, body, created_at)
    select o.account_id, x.id, x.type, x.ref_id, o.cause,
      coalesce(x.body, x.prefix || coalesce(replace(x.sale, o.placeholder, o.number), o.sale) || x.suffix), o.created_at
    from ${rowsOf(EVENTS)} as x(${namesOf(EVENTS)}) ${join('x')}${lowEvents}
    returning account_id, id, type, created_at)`,
    queued: `(${queueDeliveries('e', 'w.account_id', 'w.created_at')})`,
    reply: once(`select o.n, o.account_id, o.key, o.fingerprint, o.created_at, o.answer_status, o.number,
      '{"sale":' || o.sale || ',"stockWarnings":' || o.stock_warnings || o.not_done || '}' as data
    from out o`),
    k: `(insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
    select r.account_id, r.key, r.fingerprint, r.answer_status, r.data, ${firstUsedAt('r.created_at')} from reply r where r.key is not null)`,
  }
}
