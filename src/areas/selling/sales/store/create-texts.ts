import { writeStatement } from '../../../../platform/db/statement.ts'
import { keyLock } from '../../../../platform/http/idempotency.ts'
import { sellableIfFree } from '../../../catalogue/products/index.ts'
import { type Columns, ITEM_COLUMNS, namesOf, SALE_COLUMNS, typedNamesOf } from './columns.ts'
import { SHORTAGES } from './lowered.ts'
import { parametersOf } from './parameters.ts'
import {
  EVENTS,
  ending,
  GOODS,
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
/** Whether a statement of several sales may wait for locks. */
const OPTIONS = { waits: 'boolean' } as const

const LISTS = [CHANGES, GOODS, MOVES, EVENTS, SALE_COLUMNS, ITEM_ROWS, PAYMENT_ROWS]
const parameters = parametersOf([...LISTS, OPTIONS])
const { bare, of, rowsOf, rowOf } = parameters

/**
 * The two forms of the parameters. One sale is a row of parameters, without the columns that distinguish sales. Many
 * sales are arrays, whose numbers and levels are computed by window functions.
 */
type Form = JoinSale & {
  /** The rows of a list that has one for each sale, with its ordinal `n`. */
  perSale(list: Columns): string
  /** What holds for a sale whose goods have not changed. */
  goodsHold: string
  /** The name of the sales that are proved, and the parts only this form has. */
  proved: 'good' | 'sound'
  own: Parts
  /** SQL of the sales that are counted: how many, and which; and of the numbers that they get. */
  counted: string
  numbered: string
  shortages: { join: string; value: string }
}

/** A sale by itself, which waits for locks. */
const ONE: Form = {
  ...ONLY_SALE,
  perSale: (list) => `select 1 as n, ${rowOf(list)}`,
  goodsHold: `not exists (select from ${rowsOf(GOODS)} as t(${namesOf(GOODS)}) where t.seen is distinct from (
        ${sellableIfFree('a.account_id', 't.variant_id')}))
      and (not a.is_proved or ${batchOf('a.account_id', 'a.outlet_id', `= any(${bare(GOODS, 'variant_id')}::text[])`)} is null)`,
  proved: 'good',
  own: {
    lv: LEVELS_OF_ONE,
    shift: once(`select h.id from (select count(*) from lv) taken, asked a, shifts h
    where h.account_id = a.account_id and h.status = 'OPEN' and h.id = a.guard_shift_id for share of h`),
    lowered: LOWERED_OF_ONE,
  },
  counted: `1 / case when g.guard_shift_id is null or (select s.id from shift s) is not null then 1 else 0 end
    from (select count(*) from lv) taken, good g`,
  numbered: 'select 1 as n, d.day, d.last_number as no from num d',
  shortages: { join: '', value: `(select ${SHORTAGES} from lowered w where w.quantity < 0)` },
}

/** Sales of one workspace, which may wait for locks, or of several, which do not. */
const MANY: Form = {
  perSale: (list) => `select x.* from ${rowsOf(list)} with ordinality as x(${namesOf(list)}, n)`,
  goodsHold: 'a.n not in (select t.n from stale t)',
  proved: 'sound',
  own: {
    stale: once(`select t.n from ${rowsOf(GOODS)} as t(${namesOf(GOODS)}) join asked a on a.n = t.n
      left join lateral (${sellableIfFree('a.account_id', 't.variant_id')}) v on true
    where t.seen is distinct from v.seen
      or (a.is_proved and ${batchOf('a.account_id', 'a.outlet_id', '= t.variant_id')} is not null)`),
    // The sales that the statement can write without waiting, if it must not wait.
    good: once(`select g.* from sound g where ${of(OPTIONS, 'waits')} or (
      not exists (select from sold m where m.n = g.n and (select 1 from stock_levels l
        where l.account_id = g.account_id and l.outlet_id = g.outlet_id and l.variant_id = m.variant_id
        for no key update skip locked) is null)
      and (g.guard_shift_id is null or (select 1 from shifts h where h.account_id = g.account_id and h.id = g.guard_shift_id
        and h.status = 'OPEN' for share skip locked) is not null)
      and (select 1 from outlet_days d where d.account_id = g.account_id and d.outlet_id = g.outlet_id and d.day = g.day
        for no key update skip locked) is not null)`),
    moves: once(`select m.*, g.account_id, g.outlet_id, g.created_at as at,
      sum(m.qty) over (partition by g.account_id, g.outlet_id, m.variant_id order by m.n desc) - m.qty as later
    from sold m join good g on g.n = m.n`),
    lv: lowerLevels(`select m.account_id, m.outlet_id, m.variant_id, 'lvl_' || substr(min(m.movement_id), 5), -sum(m.qty)::int, max(m.at), max(m.at)
    from moves m group by m.account_id, m.outlet_id, m.variant_id order by m.account_id, m.outlet_id, m.variant_id`),
    shift: once(`select g.account_id, h.id from (select count(*) from lv) taken,
      (select distinct g.account_id, g.guard_shift_id from good g where g.guard_shift_id is not null
        order by g.account_id, g.guard_shift_id) g
      cross join lateral (select h.id from shifts h where h.account_id = g.account_id and h.id = g.guard_shift_id
        and h.status = 'OPEN' for share) h`),
    lowered: lowered(
      '(lv.quantity + m.later)::int',
      'moves m on m.account_id = lv.account_id and m.outlet_id = lv.outlet_id and m.variant_id = lv.variant_id',
    ),
    short: once(`select w.n, ${SHORTAGES} as warnings from lowered w where w.quantity < 0 group by w.n`),
  },
  counted: `count(*) / min(case when g.guard_shift_id is null or s.id is not null then 1 else 0 end)
    from (select count(*) from lv) taken, good g left join shift s on s.account_id = g.account_id and s.id = g.guard_shift_id
    group by g.account_id, g.outlet_id, g.day order by g.account_id, g.outlet_id, g.day`,
  numbered: `select g.n, d.day, d.last_number - count(*) over (partition by g.account_id, g.outlet_id, g.day)
        + row_number() over (partition by g.account_id, g.outlet_id, g.day order by g.n) as no
      from good g join num d on d.account_id = g.account_id and d.outlet_id = g.outlet_id and d.day = g.day`,
  shortages: { join: 'left join short w on w.n = x.n', value: 'w.warnings' },
  join: (row) => `join out o on o.n = ${row}.n`,
  joinById: (row) => `join out o on o.id = ${row}.sale_id`,
}

const partsOf = ({
  perSale,
  goodsHold,
  proved,
  own,
  counted,
  numbered,
  shortages,
  join,
  joinById,
}: Form): Parts => ({
  asked: `${proved === 'good' ? 'not ' : ''}${once(perSale(CHANGES))}`,
  sold: once(`select x.* from ${rowsOf(MOVES)} as x(${namesOf(MOVES)})`),
  [proved]: once(`select a.n, a.account_id, a.outlet_id, a.day, a.guard_shift_id, a.created_at from asked a
    where (a.key is null or (pg_try_advisory_xact_lock(${keyLock('a.account_id', 'a.key')})
        and ${keyIsNew('a.account_id', 'a.key')}))
      and ${goodsHold}
      and (not a.is_proved or (${shopHolds('a.account_id', (fact) => `a.${fact}`)}))`),
  ...own,
  num: `(insert into outlet_days as d (account_id, outlet_id, day, last_number)
    select g.account_id, g.outlet_id, g.day, ${counted}
    on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + excluded.last_number
    returning d.account_id, d.outlet_id, d.day, d.last_number)`,
  out: once(`select a.n, a.account_id, a.id, a.outlet_id, a.actor_id, a.stamp, a.cause, a.created_at, a.key, a.fingerprint, a.placeholder,
      ',"warnings":' || a.not_done as not_done, x.number, replace(a.sale_json, a.placeholder, x.number) as sale,
      coalesce(a.warnings, ${shortages.value}, '[]') as stock_warnings
    from (select g.n, to_char(g.day, 'YYMMDD') || '-' || lpad(g.no::text, greatest(4, length(g.no::text)), '0') as number
        from (${numbered}) g) x
      join asked a on a.n = x.n ${shortages.join}`),
  s: `(insert into sales (account_id, number, id, outlet_id, created_at, ${namesOf(SALE_COLUMNS)})
    select o.account_id, o.number, o.id, o.outlet_id, o.created_at, ${namesOf(SALE_COLUMNS, 'r.')}
    from out o join (${perSale(SALE_COLUMNS)}) r on r.n = o.n)`,
  i: `(insert into sale_items (account_id, sale_id, id, ${namesOf(ITEM_COLUMNS)})
    select o.account_id, o.id, x.id, ${namesOf(ITEM_COLUMNS, 'x.')}
    from json_to_recordset(${of(ITEM_ROWS, 'items')}) as x(id text, sale_id text, ${typedNamesOf(ITEM_COLUMNS)}) ${joinById('x')})`,
  ...ending({ parameters, moves: true, status: 201, join, joinById }),
})

/**
 * New sales in one statement and one round trip (docs/decisions/0009): one, or many, of one workspace or of several. A
 * counter is the hottest lock of an outlet, so counters depend on the levels and are taken last.
 *
 * A sale is left out, and none of its rows written, if its key is or was in use, if its goods are locked, or if a
 * fact that it was decided from has changed: goods, outlet, policy, the cashier's shift or the API key.
 * Each look is a scalar or a lateral that locks, so that the planner can only find a row by its key.
 *
 * If the statement must not wait, a sale is busy if a level, its shift or its counter is locked or does not exist
 * yet. A busy sale is left out too. If it may wait, a shift that is closed meanwhile fails the statement as a
 * division by zero, which undoes the levels. Each reply is text: a replay of the key gets exactly these bytes.
 */
export const INSERT_SALE: SaleText = {
  statement: writeStatement('sale_insert', textOf(partsOf(ONE), 'select r.n::int, r.data from reply r')),
  lists: LISTS,
}
export const INSERT_SALES: SaleText = {
  statement: writeStatement(
    'sales_insert',
    textOf(partsOf(MANY), 'select g.n::int, r.data from sound g left join reply r on r.n = g.n'),
  ),
  lists: LISTS,
}
