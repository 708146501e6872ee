import { namedWrite, type WriteDb } from '../../../../platform/db/open.ts'
import { isDivisionByZero } from '../../../../platform/db/pg-errors.ts'
import { writeStatement } from '../../../../platform/db/statement.ts'
import { keyLock } from '../../../../platform/http/idempotency.ts'
import { causeOf, type EventRow } from '../../../../platform/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { queueDeliveries } from '../../../../platform/webhooks/fan-out.ts'
import { stockLow } from '../../../stock/inventory/index.ts'
import type { Sale } from '../sale/types.ts'
import {
  arraysOf,
  EVENT_COLUMNS,
  ITEM_COLUMNS,
  itemsJson,
  MOVE_COLUMNS,
  NEW_SALE_COLUMNS,
  namesOf,
  PAYMENT_COLUMNS,
  parametersOf,
  paymentsJson,
  saleValues,
  typedNamesOf,
} from './columns.ts'

/** One level that a plain sale lowers, with the names its warning would show. */
export type PlainMove = {
  variantId: string
  /** Its ULID also names the level and the warning, should this sale be what makes them. */
  movementId: string
  qty: number
  unitCost: number
  productId: string
  productName: string
  variantName: string
  sku: string | null
  /** When the variant last changed, as it was read: sold as something else meanwhile, it is priced again. */
  seenAt: string
}

/** An event whose body is known (`body`), or is the sale itself between `prefix` and `suffix`. */
export type SaleEvent = Omit<EventRow, 'body'> &
  ({ body: string } | { prefix: string; suffix: string; sale?: string })

export type NewSale = {
  sale: Sale
  /** Receipt numbers run per local day of the outlet (B-sale-7). */
  day: string
  /** JSON of the sale as it will be answered, with `placeholder` where the number goes. */
  saleJson: string
  placeholder: string
  events: readonly SaleEvent[]
  /** Levels to lower in this statement; empty when the caller has moved the stock already. */
  moves: readonly PlainMove[]
  /** Warnings found by the caller; null lets the statement find them on the levels it lowered. */
  warnings: string | null
  /** JSON of what the request asked for and nothing did (B-answer-7). */
  notDone: string
  /** The shift that must still be open when the statement runs; null when the caller holds its lock. */
  guardShiftId: string | null
  idem: { key: string; fingerprint: string } | null
}

// PostgreSQL looks up every column of a JSON record again on each call, so the sale travels as one parameter for each
// column and moves and events as arrays. Lines and payments are wide and mostly empty, which makes them dearer as
// arrays.
const FIRST_OF_MOVES = 17
const FIRST_OF_EVENTS = FIRST_OF_MOVES + Object.keys(MOVE_COLUMNS).length
const FIRST_OF_SALE = FIRST_OF_EVENTS + Object.keys(EVENT_COLUMNS).length

/**
 * A whole sale in one statement and one round trip (docs/decisions/0009). Order inside, that of ARCHITECTURE.md:
 * Idempotency-Key, variants, levels in order of variant id, shift, receipt counter, then the rows that nothing waits
 * for. The counter row is the hottest lock of an outlet, so it depends on the levels and is taken last. The statement
 * returns the reply as text: a replay of the key gets exactly these bytes. When the key is in use or a variant has
 * changed since it was read nothing is written and no row comes back; a shift that was closed meanwhile fails the
 * statement as a division by zero, which undoes the levels.
 */
const INSERT_SALE = writeStatement(
  'sale_insert',
  `with sold as materialized (
    select x.* from unnest(${parametersOf(MOVE_COLUMNS, FIRST_OF_MOVES, '[]')}) as x(${namesOf(MOVE_COLUMNS)})
  ), held as materialized (
    select v.id, v.updated_at from variants v where v.account_id = $1::text and v.id = any($${FIRST_OF_MOVES}::text[]) order by v.id for key share
  ), guard as materialized (
    select 1 where ($12::text[] is null or pg_try_advisory_xact_lock(${keyLock('$1::text', '($12::text[])[1]')}))
      and not exists (select from sold m left join held h on h.id = m.variant_id and h.updated_at = m.seen_at where h.id is null)
  ), moves as materialized (
    select m.* from sold m where exists (select from guard)
  ), lv as (
    insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select $1::text, $2::text, m.variant_id, 'lvl_' || substr(m.movement_id, 5), -m.qty, $3::timestamptz, $3::timestamptz from moves m order by m.variant_id
    on conflict (account_id, outlet_id, variant_id) do update
      set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning l.variant_id, l.id, l.quantity, l.reorder_point, l.created_at
  ), shift as materialized (
    select h.id from (select count(*) from lv) taken, shifts h
    where h.account_id = $1::text and h.id = $9::text and h.status = 'OPEN' for share of h
  ), num as (
    insert into outlet_days as d (account_id, outlet_id, day, last_number)
    select $1::text, $2::text, $4::date, 1 / s.open
    from (select case when $9::text is null then 1 else count(*) end as open from shift) s, (select count(*) from lv) taken
    where exists (select from guard)
    on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + 1
    returning to_char(d.day, 'YYMMDD') || '-' || lpad(d.last_number::text, greatest(4, length(d.last_number::text)), '0') as number
  ), lowered as materialized (
    select lv.*, m.qty, m.movement_id, 'evt_' || substr(m.movement_id, 5) as low_event_id, m.unit_cost, m.product_id, m.product_name, m.variant_name, m.sku
    from lv join moves m on m.variant_id = lv.variant_id
  ), out as materialized (
    select num.number, replace($10::text, $11::text, num.number) as sale,
      coalesce($13::text, (select json_agg(json_build_object('variantId', w.variant_id, 'productName', w.product_name,
          'variantName', w.variant_name, 'reason', 'SHORT', 'requested', w.qty, 'available', greatest(w.quantity + w.qty, 0), 'level', w.quantity)
        order by w.variant_id)::text from lowered w where w.quantity < 0), '[]') as warnings
    from num
  ), s as (
    insert into sales (account_id, number, ${namesOf(NEW_SALE_COLUMNS)})
    select $1::text, out.number, ${parametersOf(NEW_SALE_COLUMNS, FIRST_OF_SALE)}
    from out
  ), i as (
    insert into sale_items (account_id, sale_id, id, ${namesOf(ITEM_COLUMNS)})
    select $1::text, $5::text, x.id, ${namesOf(ITEM_COLUMNS, 'x.')}
    from out, json_to_recordset($7::json) as x(id text, ${typedNamesOf(ITEM_COLUMNS)})
  ), p as (
    insert into payments (account_id, sale_id, id, ${namesOf(PAYMENT_COLUMNS)})
    select $1::text, $5::text, x.id, ${namesOf(PAYMENT_COLUMNS, 'x.')}
    from out, json_to_recordset($8::json) as x(id text, ${typedNamesOf(PAYMENT_COLUMNS)})
  ), mv as (
    insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, transaction_id,
      unit_cost, actor_id, created_at, updated_at)
    select $1::text, w.movement_id, $2::text, w.variant_id, 'SALE', -w.qty, w.quantity, $5::text, w.unit_cost, $6::text, $3::timestamptz, $3::timestamptz from lowered w, out
  ), e as (
    insert into events (account_id, id, type, ref_id, cause, body, created_at)
    select $1::text, x.id, x.type, x.ref_id, $16::text,
      coalesce(x.body, x.prefix || coalesce(replace(x.sale, $11::text, out.number), out.sale) || x.suffix), $3::timestamptz
    from out, unnest(${parametersOf(EVENT_COLUMNS, FIRST_OF_EVENTS, '[]')}) as x(${namesOf(EVENT_COLUMNS)})
    union all
    select $1::text, w.low_event_id, '${stockLow.name}', w.id, $16::text,
      json_build_object('id', w.low_event_id, 'type', '${stockLow.name}', 'timestamp', $14::text, 'accountId', $1::text, 'data',
        json_build_object('level', json_build_object('id', w.id, 'outletId', $2::text, 'variantId', w.variant_id, 'productId', w.product_id,
          'productName', w.product_name, 'variantName', w.variant_name, 'sku', w.sku, 'quantity', w.quantity,
          'reorderPoint', w.reorder_point, 'isLow', true,
          'createdAt', to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt', $14::text)))::text, $3::timestamptz
    from lowered w, out where w.quantity <= w.reorder_point and w.quantity + w.qty > w.reorder_point
    returning id, type
  ), queued as (
    ${queueDeliveries('e', '$1::text', '$3::timestamptz')}
  ), reply as materialized (
    select '{"sale":' || out.sale || ',"stockWarnings":' || out.warnings || ',"warnings":' || $15::text || '}' as data from out
  ), k as (
    insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
    select $1::text, ($12::text[])[1], ($12::text[])[2], 201, reply.data, $3::timestamptz from reply where $12::text[] is not null
  )
  select reply.data from reply`,
)

/** Writes a new sale; the reply's JSON text, or null when it has to look again at what it read: nothing is written. */
export async function insertSale(db: WriteDb, scope: Scope, fresh: NewSale): Promise<string | null> {
  const { sale, idem } = fresh
  const values = [
    scope.accountId,
    sale.outletId,
    scope.now,
    fresh.day,
    sale.id,
    scope.actor.id,
    itemsJson(sale.items),
    paymentsJson(sale.payments),
    fresh.guardShiftId,
    fresh.saleJson,
    fresh.placeholder,
    idem && [idem.key, idem.fingerprint],
    fresh.warnings,
    scope.now,
    fresh.notDone,
    causeOf(scope),
    ...arraysOf(MOVE_COLUMNS, fresh.moves),
    ...arraysOf(EVENT_COLUMNS, fresh.events),
    ...saleValues(sale),
  ]
  const rows = await namedWrite<{ data: string }>(db, INSERT_SALE, values).catch((error: unknown) => {
    if (isDivisionByZero(error)) return []
    throw error
  })
  return rows[0]?.data ?? null
}
