import type pg from 'pg'
import { snakeOf } from '../db/names.ts'
import { type Placement, placementOf, TABLE_OWNER } from '../db/tables.ts'

/** The column that spreads rows over the workers. */
const SHARD_COLUMN = 'account_id'

type Table = keyof typeof TABLE_OWNER

/** Every table as the database calls it, with the place of its rows. */
export const WANTED: ReadonlyMap<string, Placement> = new Map(
  (Object.keys(TABLE_OWNER) as Table[]).map((table) => [snakeOf(table), placementOf(table)]),
)

/** A server of the cluster; the coordinator is of group 0. */
export type Node = { name: string; port: number; group: number; isActive: boolean; takesShards: boolean }

/** How a table lies at present: `column` and `colocation` are of one that is spread, null for every other. */
type Placed = {
  table: string
  placement: Placement
  column: string | null
  colocation: number | null
}

const HAS_CITUS = `select exists (select from pg_extension where extname = 'citus') as "isThere"`

/** Whether the extension is installed in this database; its own tables can be read only then. */
export const hasCitus = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query<{ isThere: boolean }>(HAS_CITUS)).rows[0]?.isThere === true

const NODES = `select nodename as name, nodeport as port, groupid as "group", isactive as "isActive",
    shouldhaveshards as "takesShards"
  from pg_dist_node where noderole = 'primary' order by groupid`

export const readNodes = async (client: pg.ClientBase): Promise<Node[]> =>
  (await client.query<Node>(NODES)).rows

const PLACED = `select c.relname as "table",
    case when p.logicalrelid is null then 'local' when p.partmethod = 'h' then 'account'
      when p.repmodel = 't' then 'reference' else 'local' end as placement,
    case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as "column",
    case when p.partmethod = 'h' then p.colocationid end as colocation
  from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any($1) order by 1`

/** How each known table that the database has lies at present. */
export const readPlaced = async (client: pg.ClientBase): Promise<Placed[]> =>
  (await client.query<Placed>(PLACED, [[...WANTED.keys()]])).rows

/** What is wrong with the place of a table, in words; null when nothing is. */
function faultOf(placed: Placed, group: number | null): string | null {
  const { table, placement, column, colocation } = placed
  const wanted = WANTED.get(table)
  if (placement !== wanted) return `${table} is ${NAMES[placement]}, not ${NAMES[wanted ?? 'local']}`
  if (placement !== 'account') return null
  if (column !== SHARD_COLUMN) return `${table} is spread by ${column}, not by ${SHARD_COLUMN}`
  return colocation === group ? null : `${table} does not lie beside accounts`
}

const NAMES: Record<Placement, string> = {
  account: 'spread by workspace',
  reference: 'whole on every node',
  local: 'on the coordinator alone',
}

/** The group of shards that all rows of a workspace lie in; null while accounts are not spread. */
export const groupOf = (placed: readonly Placed[]): number | null =>
  placed.find(({ table }) => table === 'accounts')?.colocation ?? null

/** Tables that do not lie where tables.ts says, each with what is wrong. */
export function misplaced(placed: readonly Placed[]): { table: string; placed: Placed; fault: string }[] {
  const group = groupOf(placed)
  return placed.flatMap((one) => {
    const fault = faultOf(one, group)
    return fault === null ? [] : [{ table: one.table, placed: one, fault }]
  })
}
