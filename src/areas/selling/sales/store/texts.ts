import { writeStatement } from '../../../../platform/db/statement.ts'
import { keyLock } from '../../../../platform/http/idempotency.ts'
import { sellableIfFree } from '../../../catalogue/products/index.ts'
import { type Columns, ITEM_COLUMNS, namesOf, overwriteOf, SALE_COLUMNS, typedNamesOf } from './columns.ts'
import { SHORTAGES } from './lowered.ts'
import { type Parameters, parametersOf } from './parameters.ts'
import {
  EVENTS,
  ending,
  GOODS,
  GUARDS,
  ITEM_ROWS,
  type JoinSale,
  LEVELS_OF_ONE,
  LOWERED_OF_ONE,
  lowered,
  lowerLevels,
  MOVES,
  ONLY_SALE,
  once,
  PAYMENT_ROWS,
  type Parts,
  type SaleText,
  textOf,
} from './parts.ts'
import { batchOf, keyIsNew, shopHolds } from './proof.ts'

/** The parameters of each sale besides its row. */
const CHANGES = {
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
  shift_seen: 'text',
  is_proved: 'boolean',
  outlet_seen: 'text',
  policy_seen: 'text',
  api_key_id: 'text',
  placeholder: 'text',
  sale_json: 'text',
  warnings: 'text',
  not_done: 'text',
  answer_status: 'int',
} as const
/** The state in which a stored sale was read, and its number; null for a new one. */
const STORED = { ...CHANGES, sale_seen: 'text', number: 'text' } as const
/** Whether a statement of several sales may wait for locks. */
const OPTIONS = { waits: 'boolean' } as const

const NEW_LISTS = [CHANGES, GOODS, MOVES, EVENTS, SALE_COLUMNS, ITEM_ROWS, PAYMENT_ROWS]
const ANY_LISTS = [STORED, GOODS, GUARDS, MOVES, EVENTS, SALE_COLUMNS, ITEM_ROWS, PAYMENT_ROWS]

/**
 * The two forms of a write. One new sale is a row of parameters, without the columns that distinguish sales. Changes
 * of any kind are arrays, whose numbers and levels are computed by window functions.
 */
type Form = JoinSale & {
  parameters: Parameters
  /** The parameters of each sale, as rows. */
  asked: string
  /** The rows of a list that has one row for each sale, with its ordinal `n`. */
  perSale(list: Columns): string
  /** SQL that holds if neither the goods of a sale nor its stored row have changed. */
  isUnchanged: string
  /** SQL that holds if the facts of the shop are still those that the sale was decided from. */
  shop: string
  /** The columns that the part of the proved sales has. */
  kept: string
  /** The name of that part. */
  proved: 'good' | 'sound'
  /** The parts that only this form has. */
  own: Parts
  /** SQL of the number of new sales of each outlet and day. */
  counted: string
  /** SQL of the receipt number of each new sale. */
  numbered: string
  /** SQL that adds the stored sales, which keep their numbers. */
  stored: string
  /** SQL of the number of a sale. */
  number: string
  shortages: { join: string; value: string }
  /** SQL that lets an insert update a sale or an item that exists already. */
  overwrite(key: string, columns: Columns): string
}

const KEY_IS_FREE = `(a.key is null or (pg_try_advisory_xact_lock(${keyLock('a.account_id', 'a.key')})
        and ${keyIsNew('a.account_id', 'a.key')}))`
const SHOP_HOLDS = shopHolds('a.account_id', (fact) => `a.${fact}`)

const one = parametersOf(NEW_LISTS)
/** A new sale by itself, which waits for locks. */
const ONE: Form = {
  ...ONLY_SALE,
  parameters: one,
  asked: `not ${once(`select 1 as n, ${one.rowOf(CHANGES)}`)}`,
  perSale: (list) => `select 1 as n, ${one.rowOf(list)}`,
  isUnchanged: `not exists (select from ${one.rowsOf(GOODS)} as t(${namesOf(GOODS)}) where t.seen is distinct from (
        ${sellableIfFree('a.account_id', 't.variant_id')}))
      and (not a.is_proved or ${batchOf('a.account_id', 'a.outlet_id', `= any(${one.bare(GOODS, 'variant_id')}::text[])`)} is null)`,
  shop: SHOP_HOLDS,
  kept: 'a.account_id, a.outlet_id, a.day, a.shift_seen, a.created_at',
  proved: 'good',
  own: {
    lv: LEVELS_OF_ONE,
    shift: once(`select h.id from (select count(*) from lv) taken, asked a, shifts h
    where h.account_id = a.account_id and h.status = 'OPEN' and h.id = a.shift_seen for share of h`),
    lowered: LOWERED_OF_ONE,
  },
  counted: `select g.account_id, g.outlet_id, g.day, 1 / case when g.shift_seen is null or (select s.id from shift s) is not null then 1 else 0 end
    from (select count(*) from lv) taken, good g`,
  numbered: 'select 1 as n, d.day, d.last_number as no from num d',
  stored: '',
  number: 'x.number',
  shortages: { join: '', value: `(select ${SHORTAGES} from lowered w where w.quantity < 0)` },
  overwrite: () => '',
}

const many = parametersOf([...ANY_LISTS, OPTIONS])
const WAITS = many.of(OPTIONS, 'waits')
const GUARDS_OF = `${many.rowsOf(GUARDS)} as x(${namesOf(GUARDS)})`
/** The stored row of a sale if it is the one that was read. */
const rowSeen = (lock: string) => `select 1 from sales s
    where s.account_id = a.account_id and s.id = a.id and s.xmin::text = a.sale_seen${lock}`

/**
 * Changes of sales, new or stored, no two of one sale: of one workspace, which may wait for locks, or of several,
 * which do not.
 */
const MANY: Form = {
  parameters: many,
  asked: once(`select x.* from ${many.rowsOf(STORED)} with ordinality as x(${namesOf(STORED)}, n)`),
  perSale: (list) => `select x.* from ${many.rowsOf(list)} with ordinality as x(${namesOf(list)}, n)`,
  isUnchanged: `a.n not in (select t.n from stale t)
      and (a.sale_seen is null or case when ${WAITS} then a.n in (select h.n from held h) else (${rowSeen('')}) is not null end)`,
  shop: SHOP_HOLDS,
  kept: 'a.n, a.account_id, a.id, a.outlet_id, a.day, a.created_at, a.sale_seen',
  proved: 'sound',
  own: {
    held: once(`select a.n from (select a.n, a.account_id, a.id, a.sale_seen from asked a where ${WAITS} and a.sale_seen is not null and ${KEY_IS_FREE}
      order by a.account_id, a.id) a cross join lateral (${rowSeen(' for update of s')}) s`),
    stale:
      once(`select t.n from (select count(*) from held) first, ${many.rowsOf(GOODS)} as t(${namesOf(GOODS)}) join asked a on a.n = t.n
      left join lateral (${sellableIfFree('a.account_id', 't.variant_id')}) v on true
    where t.seen is distinct from v.seen
      or (a.is_proved and ${batchOf('a.account_id', 'a.outlet_id', '= t.variant_id')} is not null)`),
    // The sales that the statement can write without waiting, if it must not wait.
    good: once(`select a.* from sound a where ${WAITS} or (
      (a.sale_seen is null or (${rowSeen(' for update of s skip locked')}) is not null)
      and not exists (select from sold m where m.n = a.n and (select 1 from stock_levels l
        where l.account_id = a.account_id and l.outlet_id = a.outlet_id and l.variant_id = m.variant_id
        for no key update skip locked) is null)
      and not exists (select from ${GUARDS_OF} where x.n = a.n and (select 1 from shifts h where h.account_id = a.account_id
        and h.id = x.shift_id and h.status = 'OPEN' for share skip locked) is null)
      and (a.sale_seen is not null or (select 1 from outlet_days d where d.account_id = a.account_id
        and d.outlet_id = a.outlet_id and d.day = a.day for no key update skip locked) is not null))`),
    moves: once(`select m.*, g.account_id, g.outlet_id, g.created_at as at,
      sum(m.qty) over (partition by g.account_id, g.outlet_id, m.variant_id order by m.n desc) - m.qty as later
    from sold m join good g on g.n = m.n`),
    lv: lowerLevels(`select m.account_id, m.outlet_id, m.variant_id, 'lvl_' || substr(min(m.movement_id), 5), -sum(m.qty)::int, max(m.at), max(m.at)
    from moves m group by m.account_id, m.outlet_id, m.variant_id order by m.account_id, m.outlet_id, m.variant_id`),
    shift: once(`select g.account_id, h.id from (select count(*) from lv) taken,
      (select distinct g.account_id, x.shift_id from good g join ${GUARDS_OF} on x.n = g.n
        order by g.account_id, x.shift_id) g
      cross join lateral (select h.id from shifts h where h.account_id = g.account_id and h.id = g.shift_id
        and h.status = 'OPEN' for share) h`),
    // A shift was closed meanwhile: the division by zero undoes the levels.
    booked: once(`select g.*, 1 / case when exists (select from ${GUARDS_OF} where x.n = g.n and not exists (
        select from shift s where s.account_id = g.account_id and s.id = x.shift_id)) then 0 else 1 end as counts
      from (select count(*) from lv) taken, good g`),
    lowered: lowered(
      '(lv.quantity + m.later)::int',
      'moves m on m.account_id = lv.account_id and m.outlet_id = lv.outlet_id and m.variant_id = lv.variant_id',
    ),
    short: once(`select w.n, ${SHORTAGES} as warnings from lowered w where w.quantity < 0 group by w.n`),
  },
  counted: `select g.account_id, g.outlet_id, g.day, sum(g.counts) from booked g where g.sale_seen is null
    group by g.account_id, g.outlet_id, g.day order by g.account_id, g.outlet_id, g.day`,
  numbered: `select g.n, d.day, d.last_number - count(*) over (partition by g.account_id, g.outlet_id, g.day)
        + row_number() over (partition by g.account_id, g.outlet_id, g.day order by g.n) as no
      from booked g join num d on d.account_id = g.account_id and d.outlet_id = g.outlet_id and d.day = g.day
      where g.sale_seen is null`,
  stored: ' union all select g.n, null from booked g where g.sale_seen is not null and g.counts = 1',
  number: 'coalesce(x.number, a.number)',
  shortages: { join: 'left join short w on w.n = x.n', value: 'w.warnings' },
  join: (row) => `join out o on o.n = ${row}.n`,
  joinById: (row) => `join out o on o.id = ${row}.sale_id`,
  overwrite: (key, columns) => ` on conflict (${key}) do update set ${overwriteOf(columns)}`,
}

const partsOf = (form: Form): Parts => {
  const { parameters, perSale, shortages, join, joinById, overwrite } = form
  const { of, rowsOf } = parameters
  return {
    asked: form.asked,
    sold: once(`select x.* from ${rowsOf(MOVES)} as x(${namesOf(MOVES)})`),
    [form.proved]: once(`select ${form.kept} from asked a
    where ${KEY_IS_FREE}
      and ${form.isUnchanged}
      and (not a.is_proved or (${form.shop}))`),
    ...form.own,
    num: `(insert into outlet_days as d (account_id, outlet_id, day, last_number)
    ${form.counted}
    on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + excluded.last_number
    returning d.account_id, d.outlet_id, d.day, d.last_number)`,
    out: once(`select a.n, a.account_id, a.id, a.outlet_id, a.actor_id, a.stamp, a.cause, a.created_at, a.key, a.fingerprint,
      a.placeholder, a.answer_status, coalesce(a.not_done, '') as not_done, ${form.number} as number,
      coalesce(replace(a.sale_json, a.placeholder, x.number), a.sale_json) as sale,
      coalesce(a.warnings, ${shortages.value}, '[]') as stock_warnings
    from (select g.n, to_char(g.day, 'YYMMDD') || '-' || lpad(g.no::text, greatest(4, length(g.no::text)), '0') as number
        from (${form.numbered}) g${form.stored}) x
      join asked a on a.n = x.n ${shortages.join}`),
    s: `(insert into sales (account_id, number, id, outlet_id, created_at, ${namesOf(SALE_COLUMNS)})
    select o.account_id, o.number, o.id, o.outlet_id, o.created_at, ${namesOf(SALE_COLUMNS, 'r.')}
    from out o join (${perSale(SALE_COLUMNS)}) r on r.n = o.n${overwrite('account_id, id', SALE_COLUMNS)})`,
    i: `(insert into sale_items (account_id, sale_id, id, ${namesOf(ITEM_COLUMNS)})
    select o.account_id, o.id, x.id, ${namesOf(ITEM_COLUMNS, 'x.')}
    from json_to_recordset(${of(ITEM_ROWS, 'items')}) as x(id text, sale_id text, ${typedNamesOf(ITEM_COLUMNS)})
      ${joinById('x')}${overwrite('account_id, sale_id, id', ITEM_COLUMNS)})`,
    ...ending({ parameters, join, joinById }),
  }
}

/** For each sale its reply, its number, and the transaction that has now written its row. */
const ANSWER = `r.data, r.number, case when r.data is not null then pg_current_xact_id()::xid::text end as seen`

/**
 * Sales in one statement and one round trip (docs/decisions/0009): a new sale by itself, and changes of any kind, of
 * one workspace or of several: new sales, and payments on open bills. A counter is the hottest lock of an outlet, so
 * counters depend on the levels and are taken last.
 *
 * A sale is left out, and none of its rows written, if its key is or was in use, if its goods are locked, or if a
 * fact that it was decided from has changed: the stored sale, goods, outlet, policy, the cashier's shift or the API
 * key. A stored sale is proved by the transaction that last wrote its row: every change of its items, payments and
 * refunds writes that row too. Each look is a scalar or a lateral that locks, so that the planner can only find a row
 * by its key; for the same reason a stored row is overwritten by its key, as if it were inserted again.
 *
 * If the statement must not wait, a sale is busy if its row, a level, its shift or its counter is locked or does not
 * exist yet. A busy sale is left out too. If it may wait, a shift that is closed meanwhile fails the statement as a
 * division by zero, which undoes the levels. Each reply is text: a replay of the key gets exactly these bytes.
 */
export const INSERT_SALE: SaleText = {
  statement: writeStatement('sale_insert', textOf(partsOf(ONE), `select r.n::int, ${ANSWER} from reply r`)),
  lists: NEW_LISTS,
}
export const WRITE_SALES: SaleText = {
  statement: writeStatement(
    'sales_write',
    textOf(partsOf(MANY), `select g.n::int, ${ANSWER} from sound g left join reply r on r.n = g.n`),
  ),
  lists: ANY_LISTS,
}
