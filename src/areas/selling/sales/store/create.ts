import { isSharded, namedWrite, type WriteDb } from '../../../../platform/db/open.ts'
import { isDivisionByZero } from '../../../../platform/db/pg-errors.ts'
import { writeStatement } from '../../../../platform/db/statement.ts'
import { keyLock } from '../../../../platform/http/idempotency.ts'
import { causeOf } from '../../../../platform/outbox.ts'
import type { AccountId, Scope } from '../../../../platform/scope.ts'
import { queueDeliveries } from '../../../../platform/webhooks/fan-out.ts'
import { sellablesHeld } from '../../../catalogue/products/index.ts'
import { stockLow } from '../../../stock/inventory/index.ts'
import {
  type Columns,
  EVENT_COLUMNS,
  fieldsOf,
  ITEM_COLUMNS,
  itemsJson,
  MOVE_COLUMNS,
  namesOf,
  PAYMENT_COLUMNS,
  paymentsJson,
  SALE_COLUMNS,
  saleArrays,
  saleValues,
  typedNamesOf,
} from './columns.ts'
import { insertSaleInSteps } from './create-steps.ts'
import type { NewSale } from './fresh.ts'
import { HAS_CROSSED, lowBody, SHORTAGES } from './lowered.ts'
import { batchOf, keyIsNew, NOBODY_FOLLOWS, shopHolds } from './proof.ts'

// Moves and events are one array for each column and name the ordinal `n` of their sale. Lines and payments are wide and
// mostly empty, which makes them dearer as arrays than as JSON. PostgreSQL reads an array letter by letter, so long texts
// come joined by a letter that no JSON holds.
const FIRST_OF_GOODS = 4
/** What is sold: each variant once, and `id seen`, the state in which it was read. */
const GOODS = { id: 'text', state: 'text' } as const
const FIRST_OF_MOVES = FIRST_OF_GOODS + Object.keys(GOODS).length
const MOVES = { n: 'int', ...MOVE_COLUMNS } as const
const FIRST_OF_EVENTS = FIRST_OF_MOVES + Object.keys(MOVES).length
const EVENTS = { n: 'int', ...EVENT_COLUMNS } as const
const FIRST_OF_ASKED = FIRST_OF_EVENTS + Object.keys(EVENTS).length
/** What the statement is told of each sale besides its row. */
const ASKED = {
  id: 'text',
  outlet_id: 'text',
  created_at: 'timestamptz',
  day: 'date',
  actor_id: 'text',
  stamp: 'text',
  cause: 'text',
  key: 'text',
  fingerprint: 'text',
  guard_shift_id: 'text',
  is_proved: 'boolean',
  outlet_seen: 'text',
  policy_seen: 'text',
  api_key_id: 'text',
  placeholder: 'text',
  sale_json: 'text',
  warnings: 'text',
  not_done: 'text',
} as const
const FIRST_OF_ROWS = FIRST_OF_ASKED + Object.keys(ASKED).length
/** Whose goods: only many sales need to be told apart. */
const GOODS_OF = `$${FIRST_OF_ROWS + Object.keys(SALE_COLUMNS).length}::int[]`
const GOODS_IDS = `$${FIRST_OF_GOODS}` as const
const GOODS_STATES = `$${FIRST_OF_GOODS + 1}::text[]`
const LONG: ReadonlySet<string> = new Set([
  'body',
  'prefix',
  'suffix',
  'sale',
  'sale_json',
  'warnings',
  'not_done',
  'cause',
])
const SEPARATOR = '\u0001'

/** An array for each column, long texts cut from one. */
const arraysFrom = (columns: Columns, first: number): string =>
  Object.entries(columns)
    .map(([name, type], at) =>
      LONG.has(name) ? `string_to_array($${first + at}::text, E'\\x01', '')` : `$${first + at}::${type}[]`,
    )
    .join(', ')
const valuesFrom = (columns: Columns, first: number): string =>
  Object.entries(columns)
    .map(([name, type], at) => `$${first + at}::${type} as ${name}`)
    .join(', ')

const STATES = `select h.id || ' ' || h.seen from (${sellablesHeld(GOODS_IDS)}) h`

/**
 * How the sales come. One sale is a row of parameters, which the planner puts wherever the row is named, and what it has to
 * be told apart from is left out. Many are arrays; their numbers and the levels between them are counted by windows.
 */
type Form = {
  name: string
  /** Whether webhooks hear of it; without, nobody may follow the workspace. */
  isFollowed: boolean
  rowsOf(columns: Columns, first: number): string
  held: '' | 'not'
  /** Parts that find the sales whose goods have changed, and what holds for one whose have not. */
  stale: string
  goodsHold: string
  lowering: string
  /** What a movement left: of its level, and of what it is a part of. */
  left: { quantity: string; of: string }
  /** Parts that hold the shifts, and the counters that they let go on. */
  shifts: string
  counting: string
  numbered: string
  shortages: { parts: string; join: string; value: string }
  /** Joins `out`, the sale of the row `x`; and tells whether it has the sale of the JSON row `x`. */
  join(x: string): string
  isIn(x: string): string
}

const ONE: Form = {
  name: 'sale_insert',
  isFollowed: false,
  rowsOf: (columns, first) => `select 1 as n, ${valuesFrom(columns, first)}`,
  held: 'not',
  stale: '',
  goodsHold: `${GOODS_STATES} <@ array(${STATES})
      and (not a.is_proved or ${batchOf('a.outlet_id', `= any(${GOODS_IDS}::text[])`)} is null)`,
  lowering: `lv as (
    insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select $1::text, g.outlet_id, m.variant_id, 'lvl_' || substr(m.movement_id, 5), -m.qty, g.created_at, g.created_at
    from good g, sold m order by m.variant_id`,
  left: { quantity: 'lv.quantity', of: 'sold m on m.variant_id = lv.variant_id' },
  shifts: `select h.id from (select count(*) from lv) taken, asked a, shifts h
    where h.account_id = $1::text and h.status = 'OPEN' and h.id = a.guard_shift_id for share of h`,
  counting: `1 / case when g.guard_shift_id is null or (select s.id from shift s) is not null then 1 else 0 end
    from (select count(*) from lv) taken, good g`,
  numbered: 'select 1 as n, d.day, d.last_number as no from num d',
  shortages: {
    parts: '',
    join: '',
    value: `(select ${SHORTAGES} from lowered w where w.quantity < 0)`,
  },
  join: () => 'cross join out o',
  isIn: () => 'exists (select from out o)',
}
const ONE_FOLLOWED: Form = { ...ONE, name: 'sale_insert_followed', isFollowed: true }
const MANY: Form = {
  name: 'sales_insert',
  isFollowed: true,
  rowsOf: (columns, first) =>
    `select x.* from unnest(${arraysFrom(columns, first)}) with ordinality as x(${namesOf(columns)}, n)`,
  held: '',
  stale: `), states as materialized (
    ${STATES}
  ), stale as materialized (
    select t.n from unnest(${GOODS_OF}, ${GOODS_IDS}::text[], ${GOODS_STATES}) as t(n, id, state) join asked a on a.n = t.n
    where t.state not in (select * from states) or (a.is_proved and ${batchOf('a.outlet_id', '= t.id')} is not null)
  `,
  goodsHold: 'a.n not in (select t.n from stale t)',
  lowering: `moves as materialized (
    select m.*, g.outlet_id, g.created_at as at,
      sum(m.qty) over (partition by g.outlet_id, m.variant_id order by m.n desc) - m.qty as later
    from sold m join good g on g.n = m.n
  ), lv as (
    insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select $1::text, m.outlet_id, m.variant_id, 'lvl_' || substr(min(m.movement_id), 5), -sum(m.qty)::int, max(m.at), max(m.at)
    from moves m group by m.outlet_id, m.variant_id order by m.outlet_id, m.variant_id`,
  left: {
    quantity: '(lv.quantity + m.later)::int',
    of: 'moves m on m.outlet_id = lv.outlet_id and m.variant_id = lv.variant_id',
  },
  shifts: `select h.id from (select count(*) from lv) taken, shifts h
    where h.account_id = $1::text and h.status = 'OPEN'
      and h.id = any(array(select g.guard_shift_id from good g where g.guard_shift_id is not null))
    order by h.id for share of h`,
  counting: `count(*) / min(case when g.guard_shift_id is null or s.id is not null then 1 else 0 end)
    from (select count(*) from lv) taken, good g left join shift s on s.id = g.guard_shift_id
    group by g.outlet_id, g.day order by g.outlet_id, g.day`,
  numbered: `select g.n, d.day, d.last_number - count(*) over (partition by g.outlet_id, g.day)
        + row_number() over (partition by g.outlet_id, g.day order by g.n) as no
      from good g join num d on d.outlet_id = g.outlet_id and d.day = g.day`,
  shortages: {
    parts: `), short as materialized (
    select w.n, ${SHORTAGES} as warnings from lowered w where w.quantity < 0 group by w.n
  `,
    join: 'left join short w on w.n = x.n',
    value: 'w.warnings',
  },
  join: (x) => `join out o on o.n = ${x}.n`,
  isIn: (x) => `${x}.sale_id in (select o.id from out o)`,
}

/** Which of the sales are still what they were decided from: `good`. */
const proved = ({ rowsOf, held, stale, goodsHold, isFollowed }: Form) => `with asked as ${held} materialized (
    ${rowsOf(ASKED, FIRST_OF_ASKED)}
  ), sold as materialized (
    select x.* from unnest(${arraysFrom(MOVES, FIRST_OF_MOVES)}) as x(${namesOf(MOVES)})
  ${stale}), good as materialized (
    select a.n, a.outlet_id, a.day, a.guard_shift_id, a.created_at from asked a
    where (a.key is null or (pg_try_advisory_xact_lock(${keyLock('$1::text', 'a.key')})
        and ${keyIsNew('a.key')}))
      and ${goodsHold}
      and (not a.is_proved or (${isFollowed ? '' : `${NOBODY_FOLLOWS} and `}
        ${shopHolds((fact) => `a.${fact}`)}))`

/** Takes the locks that sales wait for: `lv`, the levels lowered, and `num`, the counters. */
const locked = ({ lowering, left, shifts, counting, shortages }: Form) => `  ), ${lowering}
    on conflict (account_id, outlet_id, variant_id) do update
      set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning l.outlet_id, l.variant_id, l.id, l.quantity, l.reorder_point, l.created_at
  ), shift as materialized (
    ${shifts}
  ), num as (
    insert into outlet_days as d (account_id, outlet_id, day, last_number)
    select $1::text, g.outlet_id, g.day, ${counting}
    on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + excluded.last_number
    returning d.outlet_id, d.day, d.last_number
  ), lowered as materialized (
    select m.n, m.qty, m.movement_id, m.unit_cost, m.variant_id, m.product_id, m.product_name, m.variant_name, m.sku,
      'evt_' || substr(m.movement_id, 5) as low_event_id, lv.id, lv.outlet_id, lv.reorder_point, lv.created_at,
      ${left.quantity} as quantity
    from lv join ${left.of}
  ${shortages.parts}`

/** The rows that nothing waits for, and the replies. */
const written = ({ rowsOf, numbered, shortages, join, isIn, isFollowed }: Form) => `  ), out as materialized (
    select a.n, a.id, a.actor_id, a.stamp, a.cause, a.created_at, a.key, a.fingerprint, a.placeholder, a.not_done, x.number,
      replace(a.sale_json, a.placeholder, x.number) as sale, coalesce(a.warnings, ${shortages.value}, '[]') as stock_warnings
    from (select g.n, to_char(g.day, 'YYMMDD') || '-' || lpad(g.no::text, greatest(4, length(g.no::text)), '0') as number
        from (${numbered}) g) x
      join asked a on a.n = x.n ${shortages.join}
  ), s as (
    insert into sales (account_id, number, id, outlet_id, created_at, ${namesOf(SALE_COLUMNS)})
    select $1::text, o.number, a.id, a.outlet_id, a.created_at, ${namesOf(SALE_COLUMNS, 'r.')}
    from out o join asked a on a.n = o.n join (${rowsOf(SALE_COLUMNS, FIRST_OF_ROWS)}) r on r.n = o.n
  ), i as (
    insert into sale_items (account_id, sale_id, id, ${namesOf(ITEM_COLUMNS)})
    select $1::text, x.sale_id, x.id, ${namesOf(ITEM_COLUMNS, 'x.')}
    from json_to_recordset($2::json) as x(id text, sale_id text, ${typedNamesOf(ITEM_COLUMNS)}) where ${isIn('x')}
  ), p as (
    insert into payments (account_id, sale_id, id, ${namesOf(PAYMENT_COLUMNS)})
    select $1::text, x.sale_id, x.id, ${namesOf(PAYMENT_COLUMNS, 'x.')}
    from json_to_recordset($3::json) as x(id text, sale_id text, ${typedNamesOf(PAYMENT_COLUMNS)}) where ${isIn('x')}
  ), mv as (
    insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, transaction_id,
      unit_cost, actor_id, created_at, updated_at)
    select $1::text, w.movement_id, w.outlet_id, w.variant_id, 'SALE', -w.qty, w.quantity, o.id, w.unit_cost, o.actor_id, o.created_at, o.created_at
    from lowered w ${join('w')}
  ), e as (
    insert into events (account_id, id, type, ref_id, cause, body, created_at)
    select $1::text, x.id, x.type, x.ref_id, o.cause,
      coalesce(x.body, x.prefix || coalesce(replace(x.sale, o.placeholder, o.number), o.sale) || x.suffix), o.created_at
    from unnest(${arraysFrom(EVENTS, FIRST_OF_EVENTS)}) as x(${namesOf(EVENTS)}) ${join('x')}
    union all
    select $1::text, w.low_event_id, '${stockLow.name}', w.id, o.cause,
      ${lowBody('o.stamp')}, o.created_at
    from lowered w ${join('w')} where ${HAS_CROSSED}
    returning id, type, created_at
  ${isFollowed ? `), queued as (${queueDeliveries('e', '$1::text', 'w.created_at')})` : ')'}, reply as materialized (
    select o.id, o.key, o.fingerprint, o.created_at,
      '{"sale":' || o.sale || ',"stockWarnings":' || o.stock_warnings || ',"warnings":' || o.not_done || '}' as data
    from out o
  ), k as (
    insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
    select $1::text, r.key, r.fingerprint, 201, r.data, r.created_at from reply r where r.key is not null
  )
  select r.id, r.data from reply r`

/**
 * New sales of one workspace in one statement and one round trip (docs/decisions/0009): one that is alone, or all that
 * came while another statement was on its way. Order inside, that of ARCHITECTURE.md: Idempotency-Keys, variants, levels
 * in order of outlet and variant, shifts by id, receipt counters, then the rows that nothing waits for. A counter is the
 * hottest lock of an outlet, so counters depend on the levels and are taken last.
 *
 * A sale is left out, and nothing of it written, when its key is in use or was used, or when anything that it was decided from
 * has changed since it was read: goods, outlet, policy, the cashier's shift, the API key. Each look is a scalar, so that the
 * planner can only find a row by its key. A sale by itself writes no deliveries where nobody follows the workspace, which it
 * proves as well. A shift that is closed while the statement waits for it fails the statement as a
 * division by zero, which undoes the levels. Each reply is text: a replay of the key gets exactly these bytes.
 */
const insertOf = (form: Form) =>
  writeStatement(form.name, [proved(form), locked(form), written(form)].join('\n'))
const INSERT_SALE = insertOf(ONE)
const INSERT_SALE_FOLLOWED = insertOf(ONE_FOLLOWED)
const INSERT_SALES = insertOf(MANY)

const valueAt = (row: object, field: string) => (row as Readonly<Record<string, unknown>>)[field] ?? null
const joined = (rows: readonly object[], field: string): string =>
  rows.map((row) => (valueAt(row, field) as string | null) ?? '').join(SEPARATOR)

const valuesOf = (columns: Columns, rows: readonly object[]): unknown[] =>
  fieldsOf(columns).map(([column, field]) =>
    LONG.has(column) ? joined(rows, field) : rows.map((row) => valueAt(row, field)),
  )

const valuesOfOne = (columns: Columns, row: object): unknown[] =>
  fieldsOf(columns).map(([, field]) => valueAt(row, field))

const insertOfOne = ({ seen, isFollowed }: NewSale) =>
  seen === null || isFollowed ? INSERT_SALE_FOLLOWED : INSERT_SALE

const askedOf = ({ scope, fresh }: Travelling) => ({
  id: fresh.sale.id,
  outletId: fresh.sale.outletId,
  createdAt: fresh.sale.createdAt,
  day: fresh.day,
  actorId: scope.actor.id,
  stamp: scope.now,
  cause: causeOf(scope),
  key: fresh.idem?.key,
  fingerprint: fresh.idem?.fingerprint,
  guardShiftId: fresh.guardShiftId,
  isProved: fresh.seen !== null,
  outletSeen: fresh.seen?.outlet,
  policySeen: fresh.seen?.policy,
  apiKeyId: scope.actor.kind === 'apiKey' ? scope.actor.id : null,
  placeholder: fresh.placeholder,
  saleJson: fresh.saleJson,
  warnings: fresh.warnings,
  notDone: fresh.notDone,
})

export type Travelling = { scope: Scope; fresh: NewSale }

const numbered = <R extends object>(all: readonly Travelling[], rowsOf: (fresh: NewSale) => readonly R[]) =>
  all.flatMap(({ fresh }, index) => rowsOf(fresh).map((row) => ({ ...row, n: index + 1 })))

/**
 * Writes new sales of one workspace, no two of them under one Idempotency-Key. The JSON text of each reply by the id of its
 * sale; one that is not there has to look again at what it read: nothing of it is written. Null when a shift was closed
 * meanwhile: nothing is written at all.
 */
export async function insertSales(
  db: WriteDb,
  accountId: AccountId,
  all: readonly Travelling[],
): Promise<ReadonlyMap<string, string> | null> {
  const sales = all.map(({ fresh }) => fresh.sale)
  const one = all.length === 1 ? all[0] : undefined
  const goods = numbered(all, (fresh) => fresh.goods)
  const values = [
    accountId,
    itemsJson(sales.flatMap((sale) => sale.items)),
    paymentsJson(sales.flatMap((sale) => sale.payments)),
    goods.map(({ variantId }) => variantId),
    goods.map(({ variantId, seen }) => `${variantId} ${seen}`),
    ...valuesOf(
      MOVES,
      numbered(all, (fresh) => fresh.moves),
    ),
    ...valuesOf(
      EVENTS,
      numbered(all, (fresh) => fresh.events),
    ),
    ...(one
      ? [...valuesOfOne(ASKED, askedOf(one)), ...saleValues(one.fresh.sale)]
      : [...valuesOf(ASKED, all.map(askedOf)), ...saleArrays(sales), goods.map(({ n }) => n)]),
  ]
  const rows = await namedWrite<{ id: string; data: string }>(
    db,
    one ? insertOfOne(one.fresh) : INSERT_SALES,
    values,
  ).catch((error: unknown) => {
    if (isDivisionByZero(error)) return null
    throw error
  })
  return rows && new Map(rows.map(({ id, data }) => [id, data]))
}

/** Writes one new sale; the reply's JSON text, or null when it has to look again at what it read: nothing is written. */
export async function insertSale(db: WriteDb, scope: Scope, fresh: NewSale): Promise<string | null> {
  if (isSharded(db)) return insertSaleInSteps(db, scope, fresh)
  const written = await insertSales(db, scope.accountId, [{ scope, fresh }])
  return written?.get(fresh.sale.id) ?? null
}
