import { namedWrite, type WriteDb } from '../../../../platform/db/open.ts'
import { isDivisionByZero } from '../../../../platform/db/pg-errors.ts'
import { writeStatement } from '../../../../platform/db/statement.ts'
import { causeOf, type EventRow } from '../../../../platform/events/outbox.ts'
import { keyLock } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { queueDeliveries } from '../../../../platform/webhooks/fan-out.ts'
import { sellablesHeld } from '../../../catalogue/products/index.ts'
import { stockLow } from '../../../stock/inventory/index.ts'
import type { Item, Payment, Sale } from '../sale/types.ts'
import {
  assignmentsOf,
  type Columns,
  fieldsOf,
  ITEM_COLUMNS,
  itemsJson,
  MOVE_COLUMNS,
  namesOf,
  PAYMENT_COLUMNS,
  paymentsJson,
  SALE_COLUMNS,
  saleJson,
  typedNamesOf,
} from './columns.ts'
import type { PlainMove, SeenGoods } from './fresh.ts'
import { HAS_CROSSED, lowBody, SHORTAGES } from './lowered.ts'
import { batchOf, keyIsNew } from './proof.ts'

/** The values that every payment passes to its statement. Long texts are joined by a letter that no JSON holds. */
const PAID = {
  id: 'text',
  seen: 'text',
  key: 'text',
  fingerprint: 'text',
  at: 'timestamptz',
  outlet_id: 'text',
  actor_id: 'text',
  own_shift_id: 'text',
  guards: 'text[]',
  cause: 'text',
  sale: 'json',
  payments: 'json',
  event_ids: 'text[]',
  event_types: 'text[]',
  event_refs: 'text[]',
  event_bodies: 'text',
  reply: 'text',
} as const satisfies Columns
/** A bill that stays open also sends its customer, who is in the event; one that completes also sends its stock movements. */
const OF_PART = {
  customer_id: 'text',
  customer_name: 'text',
  customer_phone: 'text',
} as const satisfies Columns
const OF_ALL = {
  items: 'json',
  goods: 'text[]',
  states: 'text[]',
  policy_seen: 'text',
  stamp: 'text',
} as const satisfies Columns
const MOVES = Object.fromEntries(
  Object.entries(MOVE_COLUMNS).map(([name, type]) => [name, `${type}[]`]),
) as Columns
const SEPARATOR = '\u0001'

const FIRST = 2
const PLACES = { part: { ...PAID, ...OF_PART }, all: { ...PAID, ...OF_ALL, ...MOVES } } as const
type Form = keyof typeof PLACES
type Name = keyof typeof PAID | keyof typeof OF_PART | keyof typeof OF_ALL

function parametersOf(form: Form) {
  const columns: Columns = PLACES[form]
  const names = Object.keys(columns)
  const placeOf = (name: string) => `$${names.indexOf(name) + FIRST}` as const
  return {
    bare: (name: Name) => placeOf(name) as `$${number}`,
    of: (name: string) => `${placeOf(name)}::${columns[name]}`,
  }
}

type StatementParameters = ReturnType<typeof parametersOf>

const held = ({ of }: StatementParameters) => `with held as materialized (
    select s.id from sales s where s.account_id = $1::text and s.id = ${of('id')} and s.xmin::text = ${of('seen')}
      and (${of('key')} is null or (pg_try_advisory_xact_lock(${keyLock('$1::text', of('key'))})
        and ${keyIsNew('$1::text', of('key'))}))
    for update of s`

/** The cashier's shift is still the one that was read, or there is still none. */
const isSameShift = ({ of }: StatementParameters) =>
  `${of('own_shift_id')} is not distinct from (select h.id from shifts h where h.account_id = $1::text
        and h.outlet_id = ${of('outlet_id')} and h.cashier_id = ${of('actor_id')} and h.status = 'OPEN')`

/** The shifts that have to be open, held after `before` where there is a `bill`. */
const shifts = ({ of }: StatementParameters, before: string, bill: string) => `), shift as materialized (
    select h.id from (select count(*) from ${before}) first, ${bill} g, shifts h
    where h.account_id = $1::text and h.id = any(${of('guards')}) and h.status = 'OPEN' order by h.id for share of h`
const areOpen = ({ of }: StatementParameters) => `(select count(*) from shift) = cardinality(${of('guards')})`

const IS_PAID = '(select sum(d.once) from paid d) = 1'

const written = (given: StatementParameters, more: { events: string; reply: string }) => {
  const { of } = given
  return `), s as (
    update sales s set ${assignmentsOf(SALE_COLUMNS)} from json_to_recordset(${of('sale')}) as x(${typedNamesOf(SALE_COLUMNS)})
    where s.account_id = $1::text and s.id = ${of('id')} and ${IS_PAID}
  ), p as (
    insert into payments (account_id, sale_id, id, ${namesOf(PAYMENT_COLUMNS)})
    select $1::text, ${of('id')}, x.id, ${namesOf(PAYMENT_COLUMNS, 'x.')}
    from json_to_recordset(${of('payments')}) as x(id text, ${typedNamesOf(PAYMENT_COLUMNS)}) where ${IS_PAID}
  ), e as (
    insert into events (account_id, id, type, ref_id, cause, body, created_at)
    select $1::text, x.id, x.type, x.ref_id, ${of('cause')}, x.body, ${of('at')}
    from unnest(${of('event_ids')}, ${of('event_types')}, ${of('event_refs')}, string_to_array(${of('event_bodies')}, E'\\x01')) as x(id, type, ref_id, body)
    where ${IS_PAID}${more.events}
    returning id, type
  ), queued as (${queueDeliveries('e', '$1::text', of('at'))}
  ), reply as materialized (
    select ${more.reply} as data from paid
  ), k as (
    insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
    select $1::text, ${of('key')}, ${of('fingerprint')}, 200, r.data, ${of('at')} from reply r where ${of('key')} is not null
  )
  select r.data from reply r`
}

function partText() {
  const given = parametersOf('part')
  const { of } = given
  return `${held(given)}
  ), known as materialized (
    select c.id from held h, customers c
    where c.account_id = $1::text and c.id = ${of('customer_id')} and c.name = ${of('customer_name')}
      and c.phone is not distinct from ${of('customer_phone')} for key share of c
  ${shifts(given, 'known', 'held')}
  ), paid as materialized (
    select 1 as once from held h where ${isSameShift(given)} and ${areOpen(given)}
      and (${of('customer_id')} is null or (select count(*) from known) = 1)
  ${written(given, { events: '', reply: of('reply') })}`
}

/** The subquery refers to the row of the bill, so the variants are locked after it. */
function allText() {
  const given = parametersOf('all')
  const { of, bare } = given
  const moves = Object.keys(MOVES)
  return `${held(given)}
  ), good as materialized (
    select h.id from held h where ${isSameShift(given)}
      and ${of('policy_seen')} = coalesce((select t.xmin::text from settings t where t.account_id = $1::text), '')
      and case when h.id = ${of('id')} then ${of('states')} <@ array(select v.id || ' ' || v.seen from (${sellablesHeld(bare('goods'))}) v) end
      and ${batchOf('$1::text', of('outlet_id'), `= any(${of('goods')})`)} is null
  ), sold as materialized (
    select x.* from unnest(${moves.map(of).join(', ')}) as x(${moves.join(', ')})
  ), lv as (
    insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select $1::text, ${of('outlet_id')}, m.variant_id, 'lvl_' || substr(m.movement_id, 5), -m.qty, ${of('at')}, ${of('at')}
    from good g, sold m order by m.variant_id
    on conflict (account_id, outlet_id, variant_id) do update
      set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning l.outlet_id, l.variant_id, l.id, l.quantity, l.reorder_point, l.created_at
  ${shifts(given, 'lv', 'good')}
  ), paid as materialized (
    select 1 / case when ${areOpen(given)} then 1 else 0 end as once from good g
  ), lowered as materialized (
    select m.*, 'evt_' || substr(m.movement_id, 5) as low_event_id, lv.id, lv.outlet_id, lv.reorder_point, lv.created_at, lv.quantity
    from lv join sold m on m.variant_id = lv.variant_id
  ), i as (
    update sale_items i set ${assignmentsOf(ITEM_COLUMNS)} from json_to_recordset(${of('items')}) as x(id text, ${typedNamesOf(ITEM_COLUMNS)})
    where i.account_id = $1::text and i.sale_id = ${of('id')} and i.id = x.id and ${IS_PAID}
  ), mv as (
    insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, transaction_id,
      unit_cost, actor_id, created_at, updated_at)
    select $1::text, w.movement_id, w.outlet_id, w.variant_id, 'SALE', -w.qty, w.quantity, ${of('id')}, w.unit_cost,
      ${of('actor_id')}, ${of('at')}, ${of('at')} from lowered w
  ${written(given, {
    events: `
    union all
    select $1::text, w.low_event_id, '${stockLow.name}', w.id, ${of('cause')}, ${lowBody('$1::text', of('stamp'))}, ${of('at')}
    from lowered w where ${HAS_CROSSED}`,
    reply: `${of('reply')} || ',"stockWarnings":' || coalesce((select ${SHORTAGES} from lowered w where w.quantity < 0), '[]') || '}'`,
  })}`
}

/**
 * A payment on an open bill in one statement: one that leaves it open, and those that complete it. Order inside, that
 * of ARCHITECTURE.md: Idempotency-Key, the bill, its customer or its variants, levels in order of variant, shifts by
 * id. What the payment was decided from is proved: the bill and all that hangs on it by the transaction that last
 * wrote its row (every change of its lines, payments and refunds writes that row too), the cashier's shift, and,
 * where goods leave, what they were and that no batch of them lies there. If one of these facts has changed, no row
 * is written. A shift that is closed while the statement waits for its levels fails the statement as a division by
 * zero, which undoes them.
 */
const PAY = writeStatement('bill_pay', partText())
const COMPLETE = writeStatement('bill_complete', allText())

/** A decided payment, with all that its statement stores. */
export type PaidBill = {
  before: Sale
  after: Sale
  /** The row of the bill, as it was read. */
  seen: string
  ownShiftId: string | null
  /** Shifts that must still be open. */
  guards: readonly string[]
  events: readonly EventRow[]
  /** The JSON text of the sale in the reply. */
  saleJson: string
  /** The stock that the bill takes when it completes; null while it stays open. */
  goods: { goods: readonly SeenGoods[]; moves: readonly PlainMove[]; policySeen: string } | null
  idem: { key: string; fingerprint: string } | null
}

const added = (before: readonly Payment[], after: readonly Payment[]) => {
  const known = new Set(before.map(({ id }) => id))
  return after.filter(({ id }) => !known.has(id))
}
const changed = (before: readonly Item[], after: readonly Item[]) => {
  const known = new Set(before)
  return after.filter((item) => !known.has(item))
}

/** The JSON text of the reply; null if the bill has changed since it was read: nothing is written. */
export async function writePaidBill(db: WriteDb, scope: Scope, paid: PaidBill): Promise<string | null> {
  const { before, after, seen, ownShiftId, guards, events, goods, idem } = paid
  const { customer } = after.around
  const common: Record<keyof typeof PAID, unknown> = {
    id: after.id,
    seen,
    key: idem?.key ?? null,
    fingerprint: idem?.fingerprint ?? null,
    at: scope.now,
    outlet_id: after.outletId,
    actor_id: scope.actor.id,
    own_shift_id: ownShiftId,
    guards,
    cause: causeOf(scope),
    sale: `[${saleJson(after)}]`,
    payments: paymentsJson(added(before.payments, after.payments)),
    event_ids: events.map(({ id }) => id),
    event_types: events.map(({ type }) => type),
    event_refs: events.map(({ refId }) => refId),
    event_bodies: events.map(({ body }) => body).join(SEPARATOR),
    reply: goods ? `{"sale":${paid.saleJson}` : `{"sale":${paid.saleJson},"stockWarnings":[]}`,
  }
  const values = goods
    ? {
        ...common,
        items: itemsJson(changed(before.items, after.items)),
        goods: goods.goods.map(({ variantId }) => variantId),
        states: goods.goods.map(({ variantId, seen: state }) => `${variantId} ${state}`),
        policy_seen: goods.policySeen,
        stamp: scope.now,
        ...Object.fromEntries(
          fieldsOf(MOVE_COLUMNS).map(([column, field]) => [
            column,
            goods.moves.map((move) => move[field as keyof PlainMove]),
          ]),
        ),
      }
    : {
        ...common,
        customer_id: customer?.id ?? null,
        customer_name: customer?.name ?? null,
        customer_phone: customer?.phone ?? null,
      }
  const places: Columns = PLACES[goods ? 'all' : 'part']
  const rows = await namedWrite<{ data: string }>(db, goods ? COMPLETE : PAY, [
    scope.accountId,
    ...Object.keys(places).map((name) => (values as Record<string, unknown>)[name]),
  ]).catch((error: unknown) => {
    if (isDivisionByZero(error)) return []
    throw error
  })
  return rows[0]?.data ?? null
}
