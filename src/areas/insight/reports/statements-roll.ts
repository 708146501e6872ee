import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import {
  FIGURE_ROWS,
  FIGURES,
  factsOf,
  GOODS,
  goodsRows,
  listed,
  METHOD_ROWS,
  METHODS,
  summed,
  TAX_ROWS,
  TAXES,
} from './statements-facts.ts'

/** Sorts after every event of a transaction. */
const LAST_EVENT = `'evt_${'Z'.repeat(26)}'`

const added = (columns: readonly string[]) =>
  columns.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')

/** The tables of figures: their keys after the workspace, in the order in which rows are written, and their sums. */
const TABLES = {
  figures: {
    table: 'report_figures',
    keys: { outlet_id: 'text', lens: 'text', day: 'date', key: 'text' },
    sums: FIGURES,
    facts: FIGURE_ROWS,
  },
  methods: {
    table: 'report_methods',
    keys: { outlet_id: 'text', day: 'date', method: 'text' },
    sums: METHODS,
    facts: METHOD_ROWS,
  },
  taxes: {
    table: 'report_taxes',
    keys: { outlet_id: 'text', day: 'date', rate_bps: 'int' },
    sums: TAXES,
    facts: TAX_ROWS,
  },
  goods: {
    table: 'report_goods',
    keys: { outlet_id: 'text', day: 'date', product_id: 'text' },
    sums: GOODS,
    facts: goodsRows({ costs: true }),
  },
} as const
type Figures = (typeof TABLES)[keyof typeof TABLES]
const EACH = Object.entries(TABLES) as [keyof typeof TABLES, Figures][]
const keysOf = ({ keys }: Figures) => listed(Object.keys(keys))
const onConflict = (one: Figures) =>
  `on conflict (account_id, ${keysOf(one)}) do update set ${added(one.sums)}`

/** Adds what the facts come to. Rows are written in the order of their keys. */
const ADD = EACH.map(
  ([name, one]) => `${name} as (
    insert into ${one.table} as t (account_id, ${keysOf(one)}, ${listed(one.sums)})
    select $1, ${keysOf(one)}, ${listed(one.sums)} from (${one.facts}) r order by ${keysOf(one)}
    ${onConflict(one)}
  )`,
).join(', ')

/** The sums of the facts, as a list of rows for each table. `ADD_ROWS` adds them on a sharded database. */
const SUMS = EACH.map(
  ([name, one]) =>
    `(select coalesce(json_agg(r order by ${keysOf(one)}), '[]') from (${one.facts}) r) as "${name}"`,
).join(', ')
export type SumRows = Record<keyof typeof TABLES, Record<string, unknown>[]>

const adding = (name: string, one: Figures) => {
  const sums = Object.fromEntries(one.sums.map((column) => [column, 'bigint']))
  return rowsInsert({
    name: `report_add_${name}`,
    into: `${one.table} as t`,
    columns: { ...one.keys, ...sums },
    rest: onConflict(one),
  })
}
/** Adds rows that were read as `SUMS`. */
export const ADD_ROWS = EACH.map(([name, one]) => [name, adding(name, one)] as const)

const PLACE = `place as (
    select p.tx, p.event_id from report_positions p where p.account_id = $1)`

const due = (among: (alias: string) => string) =>
  `select o.account_id as "accountId" from outlets o
      left join report_outlets r on r.account_id = o.account_id and r.outlet_id = o.id${among('r')}
      where (r.outlet_id is null or r.timezone <> o.timezone or r.since > '-infinity')${among('o')}
    union
    select p.account_id from report_positions p
      where (p.rolled_at < $1 or p.cluster <> $3 or exists (select from events e
        where e.account_id = p.account_id and (e.tx, e.id) > (p.tx, p.event_id) and e.tx < $4::text::xid8${among('e')}))${among('p')}
    limit $2`

/**
 * Workspaces that need a roll-up. They have final events after their position, an outlet that is new, unfinished or
 * in
 * another time zone than its figures, a position of another cluster, or an old position. $1 is the age at which a position
 * is old, $2 the number of workspaces, $3 and $4 the edge of the log. It reads every workspace.
 */
export const DUE = statement(
  'report_due',
  due(() => ''),
)
/** The same of the workspaces $5. */
export const DUE_OF = statement(
  'report_due_of',
  due((alias) => ` and ${alias}.account_id = any($5)`),
)

/** Every workspace of the installation. */
export const ACCOUNTS = statement(
  'report_accounts',
  'select a.account_id as "accountId" from accounts a order by a.account_id',
)

/**
 * Makes the position of a workspace that has none: it begins at the present end of the log, in the cluster $3 after
 * $4.
 */
export const BEGIN = writeStatement(
  'report_begin',
  `insert into report_positions (account_id, cluster, tx, event_id, rolled_at)
    values ($1, $3, $4::text::xid8, ${LAST_EVENT}, $2) on conflict (account_id) do nothing`,
)

/** Locks the position until the transaction ends, in the cluster $3; no row while another process rolls up this workspace. */
export const HOLD = statement(
  'report_hold',
  `select cluster <> $3 or rolled_at < $2 as "isLost" from report_positions where account_id = $1
    for update skip locked`,
)
/** The same, but waits for the process that holds it. */
export const AWAIT = statement(
  'report_await',
  `select cluster <> $3 or rolled_at < $2 as "isLost" from report_positions where account_id = $1 for update`,
)

/**
 * Replaces a position that lost its meaning, in the cluster $3 after $4. All figures that were made from it must go.
 */
export const RESTART = writeStatement(
  'report_restart',
  `update report_positions set cluster = $3, tx = $4::text::xid8,
      event_id = ${LAST_EVENT}, rolled_at = $2 where account_id = $1`,
)

/** The end of the next step of at most $2 events: the last of them, or $3, the last event that can be read. */
export const NEXT = statement(
  'report_next',
  `with ${PLACE}, found as materialized (
    select e.tx, e.id from place, lateral (select v.tx, v.id from events v
      where v.account_id = $1 and (v.tx, v.id) > (place.tx, place.event_id) and v.tx <= $3::text::xid8
      order by v.tx, v.id limit $2) e
  ), last as (select f.tx, f.id, (select count(*) from found) as n from found f order by f.tx desc, f.id desc limit 1)
  select case when last.n = $2 then last.tx::text else $3::text end as tx,
    case when last.n = $2 then last.id else ${LAST_EVENT} end as "eventId",
    coalesce(last.n, 0)::int as events, coalesce(last.n, 0) = $2 as "hasMore"
  from (select 1) one left join last on true`,
)

const ROLLED = `${PLACE}, kept as materialized (
    select r.outlet_id, r.timezone, r.since as tail_from, 'infinity'::date as tail_to from report_outlets r where r.account_id = $1
  ), ${factsOf({ tail: 1, upto: 'and (v.tx, v.id) <= ($2::text::xid8, $3::text)' })}`
const MOVE =
  'update report_positions set tx = $2::text::xid8, event_id = $3::text, rolled_at = $4 where account_id = $1'

/** Counts the events in up to ($2, $3), which is the position afterwards. */
export const ROLL = writeStatement('report_roll', `with ${ROLLED}, ${ADD} ${MOVE}`)
/** The same in steps. */
export const ROLL_SUMS = statement('report_roll_sums', `with ${ROLLED} select ${SUMS}`)
export const ROLL_MOVE = writeStatement('report_roll_move', MOVE)

/** Outlets whose figures are not what they should be: none, of another time zone, or not all made. */
export const UNDONE = statement(
  'report_undone',
  `select o.id, o.timezone, coalesce(r.since, 'infinity')::text as since, r.timezone is distinct from o.timezone as "isStale"
    from outlets o left join report_outlets r on r.account_id = $1 and r.outlet_id = o.id
    where o.account_id = $1 and (r.outlet_id is null or r.timezone <> o.timezone or r.since > '-infinity') order by o.id`,
)

const deletion = ({ table }: Figures) => `delete from ${table} where account_id = $1 and outlet_id = $2`
const ANEW = `insert into report_outlets as r (account_id, outlet_id, timezone, since) values ($1, $2, $3, 'infinity')
    on conflict (account_id, outlet_id) do update set timezone = excluded.timezone, since = excluded.since`
/** Forgets the figures of an outlet, before they are made anew by the clock of $3. */
export const FORGET = writeStatement(
  'report_forget',
  `with ${EACH.map(([name, one]) => `${name} as (${deletion(one)})`).join(', ')} ${ANEW}`,
)
/** The same in steps: of $1 and $2 all but the last. */
export const FORGET_STEPS = EACH.map(([name, one]) => writeStatement(`report_forget_${name}`, deletion(one)))
export const FORGET_ANEW = writeStatement('report_forget_anew', ANEW)

/** The day of the first thing a report counts at the outlet before the instant $4, by the clock of $3; null without one. */
export const LATEST_BEFORE = statement(
  'report_latest_before',
  `select to_char((greatest(
      (select s.completed_at from sales s where s.account_id = $1 and s.outlet_id = $2 and s.completed_at < $4::timestamptz
        order by s.completed_at desc limit 1),
      (select s.voided_at from sales s where s.account_id = $1 and s.outlet_id = $2 and s.voided_at < $4::timestamptz
        order by s.voided_at desc limit 1),
      (select r.created_at from refunds r, lateral (select v.id from sales v where v.account_id = $1 and v.id = r.sale_id
          and v.outlet_id = $2 offset 0) s
        where r.account_id = $1 and r.created_at < $4::timestamptz order by r.created_at desc limit 1)
    ) at time zone $3), 'YYYY-MM-DD') as day`,
)

/** One outlet $2 on its clock $3, for the days from $4 and before $5, which are the instants from $6 and before $7. */
const ONE_OUTLET = `kept as materialized (
    select $2::text as outlet_id, $3::text as timezone, $4::date as tail_from, $5::date as tail_to
  ), span as materialized (select $2::text as outlet_id, $6::timestamptz as lo, $7::timestamptz as hi)`

/**
 * Makes the figures of some days of an outlet from its sales, as they were at the position: what the tail will bring
 * is taken off. Rows from $4 on are kept.
 */
const BUILT = `${PLACE}, ${ONE_OUTLET}, ${factsOf({ tail: -1, span: 1 })}`
export const BUILD = writeStatement(
  'report_build',
  `with ${BUILT}, ${ADD}
  update report_outlets set since = $4::date where account_id = $1 and outlet_id = $2`,
)
/** The same in steps. */
export const BUILD_SUMS = statement('report_build_sums', `with ${BUILT} select ${SUMS}`)
export const BUILD_SINCE = writeStatement(
  'report_build_since',
  'update report_outlets set since = $3::date where account_id = $1 and outlet_id = $2',
)

/** The stored figures of these days and the tail, less those computed from the sales: rows that differ, by column. */
const difference = (
  name: string,
  parts: { table: string; keys: readonly string[]; columns: readonly string[]; facts: string },
) => {
  const { table, keys, columns, facts } = parts
  return statement(
    `report_differs_${name}`,
    `with ${PLACE}, ${ONE_OUTLET}, ${factsOf({ tail: 1, span: -1 })}, apart as (
      select ${listed(keys)}, ${summed(columns)} from (
        select ${listed(keys)}, ${listed(columns)} from ${table} t
          where t.account_id = $1 and t.outlet_id = $2 and t.day >= $4::date and t.day < $5::date
        union all select ${listed(keys)}, ${listed(columns)} from (${facts}) f
      ) both_sides group by ${listed(keys)})
    select ${keys.map((key) => (key === 'day' ? `day::text` : `${key}::text`)).join(" || ' ' || ")} as key,
      json_strip_nulls(json_build_object(${columns.map((name) => `'${name}', nullif(${name}, 0)`).join(', ')}))::text as differences
    from apart where ${columns.map((name) => `${name} <> 0`).join(' or ')} order by 1`,
  )
}

/** One statement for each table of figures. */
export const DIFFERENCES = [
  difference('figures', {
    table: 'report_figures',
    keys: ['day', 'lens', 'key'],
    columns: FIGURES,
    facts: FIGURE_ROWS,
  }),
  difference('methods', {
    table: 'report_methods',
    keys: ['day', 'method'],
    columns: METHODS,
    facts: METHOD_ROWS,
  }),
  difference('taxes', {
    table: 'report_taxes',
    keys: ['day', 'rate_bps'],
    columns: TAXES,
    facts: TAX_ROWS,
  }),
  difference('goods', {
    table: 'report_goods',
    keys: ['day', 'product_id'],
    columns: GOODS,
    facts: goodsRows({ costs: true }),
  }),
]

/** A position that belongs to this cluster and that the event log still reaches back to. */
export const trustedPlace = (oldest: string, cluster: string) => `place as materialized (
    select p.tx, p.event_id from report_positions p
    where p.account_id = $1 and p.rolled_at > ${oldest}::timestamptz and p.cluster = ${cluster})`
