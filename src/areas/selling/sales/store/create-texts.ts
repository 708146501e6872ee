import { writeStatement } from '../../../../platform/db/statement.ts'
import { keyLock } from '../../../../platform/http/idempotency.ts'
import { queueDeliveries } from '../../../../platform/webhooks/fan-out.ts'
import { sellableIfFree } from '../../../catalogue/products/index.ts'
import { stockLow } from '../../../stock/inventory/index.ts'
import {
  EVENT_COLUMNS,
  ITEM_COLUMNS,
  MOVE_COLUMNS,
  namesOf,
  PAYMENT_COLUMNS,
  SALE_COLUMNS,
  typedNamesOf,
} from './columns.ts'
import { HAS_CROSSED, lowBody, SHORTAGES } from './lowered.ts'
import { batchOf, keyIsNew, shopHolds } from './proof.ts'

// Lists of a sale (goods, moves, events) are one array for each column; each entry has the ordinal `n` of its sale.
// Items and payments are wide and mostly empty, so arrays of them cost more than JSON. PostgreSQL reads an array
// letter by letter, so long texts come joined by a letter that no JSON holds.
/** The parameters of each sale besides its row. */
export const CHANGES = {
  account_id: 'text',
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
/** The variants sold: each variant of a sale once, with the state in which it was read. */
export const GOODS = { n: 'int', variant_id: 'text', seen: 'text' } as const
export const MOVES = { n: 'int', ...MOVE_COLUMNS } as const
export const EVENTS = { n: 'int', ...EVENT_COLUMNS } as const
export const LONG: ReadonlySet<string> = new Set([
  'body',
  'prefix',
  'suffix',
  'sale',
  'sale_json',
  'warnings',
  'not_done',
  'cause',
])
export const SEPARATOR = '\u0001'

const ITEMS = '$1::json'
const PAYMENTS = '$2::json'
const LISTS = [CHANGES, GOODS, MOVES, EVENTS, SALE_COLUMNS] as const
type List = (typeof LISTS)[number]
const firstOf = (list: List): number =>
  LISTS.slice(0, LISTS.indexOf(list)).reduce((first, before) => first + Object.keys(before).length, 3)
/** Whether a statement of several sales may wait for locks. */
const WAITS = `$${firstOf(SALE_COLUMNS) + Object.keys(SALE_COLUMNS).length}::boolean`

/** The rows of a list: an array for each column, long texts cut from one. */
const rowsOf = (list: List): string => {
  const first = firstOf(list)
  const arrays = Object.entries(list).map(([name, type], at) =>
    LONG.has(name) ? `string_to_array($${first + at}::text, E'\\x01', '')` : `$${first + at}::${type}[]`,
  )
  return `unnest(${arrays.join(', ')})`
}
/** The one row of a list. */
const rowOf = (list: List): string => {
  const first = firstOf(list)
  return Object.entries(list)
    .map(([name, type], at) => `$${first + at}::${type} as ${name}`)
    .join(', ')
}
const GOODS_IDS = `$${firstOf(GOODS) + 1}` as const

/**
 * How the sales come. One sale is a row of parameters, which the planner puts wherever the row is named, and the columns that distinguish sales are left out. Many are arrays; their numbers and the levels between them are counted by windows.
 */
type Form = {
  name: string
  /** The rows of a list that has one for each sale, with its ordinal `n`. */
  perSale(list: List): string
  held: '' | 'not'
  /** Parts that find the sales whose goods have changed, and what holds for one whose have not. */
  stale: string
  goodsHold: string
  /** Parts that narrow `sound` to `good`: sales that this statement may write without waiting where it must not. */
  free: string
  lowering: string
  /** The stock after a movement: of its level, and of the composite that it is a part of. */
  left: { quantity: string; of: string }
  /** Parts that lock the shifts, and then the counters. */
  shifts: string
  counting: string
  numbered: string
  shortages: { parts: string; join: string; value: string }
  /** Joins `out`, the sale of the row `x`, by its ordinal, or by the id that JSON rows have. */
  join(x: string): string
  joinById(x: string): string
}

/** A sale by itself, which waits for locks. */
const ONE: Form = {
  name: 'sale_insert',
  perSale: (list) => `select 1 as n, ${rowOf(list)}`,
  held: 'not',
  stale: '',
  goodsHold: `not exists (select from ${rowsOf(GOODS)} as t(${namesOf(GOODS)}) where t.seen is distinct from (
        ${sellableIfFree('a.account_id', 't.variant_id')}))
      and (not a.is_proved or ${batchOf('a.account_id', 'a.outlet_id', `= any(${GOODS_IDS}::text[])`)} is null)`,
  free: '',
  lowering: `lv as (
    insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select g.account_id, g.outlet_id, m.variant_id, 'lvl_' || substr(m.movement_id, 5), -m.qty, g.created_at, g.created_at
    from good g, sold m order by m.variant_id`,
  left: { quantity: 'lv.quantity', of: 'sold m on m.variant_id = lv.variant_id' },
  shifts: `select h.id from (select count(*) from lv) taken, asked a, shifts h
    where h.account_id = a.account_id and h.status = 'OPEN' and h.id = a.guard_shift_id for share of h`,
  counting: `1 / case when g.guard_shift_id is null or (select s.id from shift s) is not null then 1 else 0 end
    from (select count(*) from lv) taken, good g`,
  numbered: 'select 1 as n, d.day, d.last_number as no from num d',
  shortages: {
    parts: '',
    join: '',
    value: `(select ${SHORTAGES} from lowered w where w.quantity < 0)`,
  },
  join: () => 'cross join out o',
  joinById: () => 'cross join out o',
}

/** Sales of one workspace, which may wait for locks, or of several, which do not. */
const MANY: Form = {
  name: 'sales_insert',
  perSale: (list) => `select x.* from ${rowsOf(list)} with ordinality as x(${namesOf(list)}, n)`,
  held: '',
  stale: `), stale as materialized (
    select t.n from ${rowsOf(GOODS)} as t(${namesOf(GOODS)}) join asked a on a.n = t.n
      left join lateral (${sellableIfFree('a.account_id', 't.variant_id')}) v on true
    where t.seen is distinct from v.seen
      or (a.is_proved and ${batchOf('a.account_id', 'a.outlet_id', '= t.variant_id')} is not null)
  `,
  goodsHold: 'a.n not in (select t.n from stale t)',
  free: `), good as materialized (
    select g.* from sound g where ${WAITS} or (
      not exists (select from sold m where m.n = g.n and (select 1 from stock_levels l
        where l.account_id = g.account_id and l.outlet_id = g.outlet_id and l.variant_id = m.variant_id
        for no key update skip locked) is null)
      and (g.guard_shift_id is null or (select 1 from shifts h where h.account_id = g.account_id and h.id = g.guard_shift_id
        and h.status = 'OPEN' for share skip locked) is not null)
      and (select 1 from outlet_days d where d.account_id = g.account_id and d.outlet_id = g.outlet_id and d.day = g.day
        for no key update skip locked) is not null)
  `,
  lowering: `moves as materialized (
    select m.*, g.account_id, g.outlet_id, g.created_at as at,
      sum(m.qty) over (partition by g.account_id, g.outlet_id, m.variant_id order by m.n desc) - m.qty as later
    from sold m join good g on g.n = m.n
  ), lv as (
    insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select m.account_id, m.outlet_id, m.variant_id, 'lvl_' || substr(min(m.movement_id), 5), -sum(m.qty)::int, max(m.at), max(m.at)
    from moves m group by m.account_id, m.outlet_id, m.variant_id order by m.account_id, m.outlet_id, m.variant_id`,
  left: {
    quantity: '(lv.quantity + m.later)::int',
    of: 'moves m on m.account_id = lv.account_id and m.outlet_id = lv.outlet_id and m.variant_id = lv.variant_id',
  },
  shifts: `select g.account_id, h.id from (select count(*) from lv) taken,
      (select distinct g.account_id, g.guard_shift_id from good g where g.guard_shift_id is not null
        order by g.account_id, g.guard_shift_id) g
      cross join lateral (select h.id from shifts h where h.account_id = g.account_id and h.id = g.guard_shift_id
        and h.status = 'OPEN' for share) h`,
  counting: `count(*) / min(case when g.guard_shift_id is null or s.id is not null then 1 else 0 end)
    from (select count(*) from lv) taken, good g left join shift s on s.account_id = g.account_id and s.id = g.guard_shift_id
    group by g.account_id, g.outlet_id, g.day order by g.account_id, g.outlet_id, g.day`,
  numbered: `select g.n, d.day, d.last_number - count(*) over (partition by g.account_id, g.outlet_id, g.day)
        + row_number() over (partition by g.account_id, g.outlet_id, g.day order by g.n) as no
      from good g join num d on d.account_id = g.account_id and d.outlet_id = g.outlet_id and d.day = g.day`,
  shortages: {
    parts: `), short as materialized (
    select w.n, ${SHORTAGES} as warnings from lowered w where w.quantity < 0 group by w.n
  `,
    join: 'left join short w on w.n = x.n',
    value: 'w.warnings',
  },
  join: (x) => `join out o on o.n = ${x}.n`,
  joinById: (x) => `join out o on o.id = ${x}.sale_id`,
}

/** Which of the sales are still what they were decided from. */
const proved = ({ perSale, held, stale, goodsHold, free }: Form) => `with asked as ${held} materialized (
    ${perSale(CHANGES)}
  ), sold as materialized (
    select x.* from ${rowsOf(MOVES)} as x(${namesOf(MOVES)})
  ${stale}), ${free === '' ? 'good' : 'sound'} as materialized (
    select a.n, a.account_id, a.outlet_id, a.day, a.guard_shift_id, a.created_at from asked a
    where (a.key is null or (pg_try_advisory_xact_lock(${keyLock('a.account_id', 'a.key')})
        and ${keyIsNew('a.account_id', 'a.key')}))
      and ${goodsHold}
      and (not a.is_proved or (${shopHolds('a.account_id', (fact) => `a.${fact}`)}))
  ${free}`

/** Takes the locks that sales wait for: `lv`, the levels lowered, and `num`, the counters. */
const locked = ({ lowering, left, shifts, counting, shortages }: Form) => `), ${lowering}
    on conflict (account_id, outlet_id, variant_id) do update
      set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning l.account_id, l.outlet_id, l.variant_id, l.id, l.quantity, l.reorder_point, l.created_at
  ), shift as materialized (
    ${shifts}
  ), num as (
    insert into outlet_days as d (account_id, outlet_id, day, last_number)
    select g.account_id, g.outlet_id, g.day, ${counting}
    on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + excluded.last_number
    returning d.account_id, d.outlet_id, d.day, d.last_number
  ), lowered as materialized (
    select m.n, m.qty, m.movement_id, m.unit_cost, m.variant_id, m.product_id, m.product_name, m.variant_name, m.sku,
      'evt_' || substr(m.movement_id, 5) as low_event_id, lv.id, lv.outlet_id, lv.reorder_point, lv.created_at,
      ${left.quantity} as quantity
    from lv join ${left.of}
  ${shortages.parts}`

/** The rows that nothing waits for, and the replies. */
const written = ({ perSale, free, numbered, shortages, join, joinById }: Form) => `), out as materialized (
    select a.n, a.account_id, a.id, a.outlet_id, a.actor_id, a.stamp, a.cause, a.created_at, a.key, a.fingerprint, a.placeholder,
      a.not_done, x.number, replace(a.sale_json, a.placeholder, x.number) as sale,
      coalesce(a.warnings, ${shortages.value}, '[]') as stock_warnings
    from (select g.n, to_char(g.day, 'YYMMDD') || '-' || lpad(g.no::text, greatest(4, length(g.no::text)), '0') as number
        from (${numbered}) g) x
      join asked a on a.n = x.n ${shortages.join}
  ), s as (
    insert into sales (account_id, number, id, outlet_id, created_at, ${namesOf(SALE_COLUMNS)})
    select o.account_id, o.number, o.id, o.outlet_id, o.created_at, ${namesOf(SALE_COLUMNS, 'r.')}
    from out o join (${perSale(SALE_COLUMNS)}) r on r.n = o.n
  ), i as (
    insert into sale_items (account_id, sale_id, id, ${namesOf(ITEM_COLUMNS)})
    select o.account_id, o.id, x.id, ${namesOf(ITEM_COLUMNS, 'x.')}
    from json_to_recordset(${ITEMS}) as x(id text, sale_id text, ${typedNamesOf(ITEM_COLUMNS)}) ${joinById('x')}
  ), p as (
    insert into payments (account_id, sale_id, id, ${namesOf(PAYMENT_COLUMNS)})
    select o.account_id, o.id, x.id, ${namesOf(PAYMENT_COLUMNS, 'x.')}
    from json_to_recordset(${PAYMENTS}) as x(id text, sale_id text, ${typedNamesOf(PAYMENT_COLUMNS)}) ${joinById('x')}
  ), mv as (
    insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, transaction_id,
      unit_cost, actor_id, created_at, updated_at)
    select o.account_id, w.movement_id, w.outlet_id, w.variant_id, 'SALE', -w.qty, w.quantity, o.id, w.unit_cost, o.actor_id,
      o.created_at, o.created_at
    from lowered w ${join('w')}
  ), e as (
    insert into events (account_id, id, type, ref_id, cause, body, created_at)
    select o.account_id, x.id, x.type, x.ref_id, o.cause,
      coalesce(x.body, x.prefix || coalesce(replace(x.sale, o.placeholder, o.number), o.sale) || x.suffix), o.created_at
    from ${rowsOf(EVENTS)} as x(${namesOf(EVENTS)}) ${join('x')}
    union all
    select o.account_id, w.low_event_id, '${stockLow.name}', w.id, o.cause, ${lowBody('o.account_id', 'o.stamp')}, o.created_at
    from lowered w ${join('w')} where ${HAS_CROSSED}
    returning account_id, id, type, created_at
  ), queued as (${queueDeliveries('e', 'w.account_id', 'w.created_at')}), reply as materialized (
    select o.n, o.account_id, o.key, o.fingerprint, o.created_at,
      '{"sale":' || o.sale || ',"stockWarnings":' || o.stock_warnings || ',"warnings":' || o.not_done || '}' as data
    from out o
  ), k as (
    insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
    select r.account_id, r.key, r.fingerprint, 201, r.data, r.created_at from reply r where r.key is not null
  )
  ${free === '' ? 'select r.n::int, r.data from reply r' : 'select g.n::int, r.data from sound g left join reply r on r.n = g.n'}`

/**
 * New sales in one statement and one round trip (docs/decisions/0009): one, or many, of one workspace or of several. Order
 * inside, that of ARCHITECTURE.md: Idempotency-Keys, variants, levels in order of workspace, outlet and variant, shifts by id,
 * receipt counters, then the rows that nothing waits for. A counter is the hottest lock of an outlet, so counters depend on the
 * levels and are taken last.
 *
 * A sale is left out, and nothing of it written, when its key is in use or was used, when its goods are locked, or when
 * anything that it was decided from has changed since it was read: goods, outlet, policy, the cashier's shift, the API key.
 * Each look is a scalar or a lateral that locks, so that the planner can only find a row by its key.
 *
 * Where the statement must not wait, a sale is busy if it finds a level, its shift or its counter locked, or would be the first
 * to make one: it is left out too. Where it may wait, a shift that is closed meanwhile fails it as a division by zero, which
 * undoes the levels. Each reply is text: a replay of the key gets exactly these bytes.
 */
const insertOf = (form: Form) =>
  writeStatement(form.name, [proved(form), locked(form), written(form)].join(''))
export const INSERT_SALE = insertOf(ONE)
export const INSERT_SALES = insertOf(MANY)
