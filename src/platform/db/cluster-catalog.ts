import type pg from 'pg'
import { snakeOf } from './names.ts'
import { type Placement, placementOf, TABLE_OWNER } from './tables.ts'

/** The column that distributes rows over the workers. */
const SHARD_COLUMN = 'account_id'

type Table = keyof typeof TABLE_OWNER

/** The placement that each table should have, by its name in the database. */
export const WANTED: ReadonlyMap<string, Placement> = new Map(
  (Object.keys(TABLE_OWNER) as Table[]).map((table) => [snakeOf(table), placementOf(table)]),
)

/** A server of the cluster; the coordinator has group 0. */
export type Node = { name: string; port: number; group: number; isActive: boolean; takesShards: boolean }

/** The present placement of a table. `column` and `colocation` are null unless the table is distributed. */
type TablePlacement = {
  table: string
  placement: Placement
  column: string | null
  colocation: number | null
}

const HAS_CITUS = `select exists (select from pg_extension where extname = 'citus') as "isThere"`

/** Whether the Citus extension is installed in this database. Its catalog tables exist only then. */
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

/** Reads the present placement of each known table that the database has. */
export const readPlaced = async (client: pg.ClientBase): Promise<TablePlacement[]> =>
  (await client.query<TablePlacement>(PLACED, [[...WANTED.keys()]])).rows

/** Describes why a table's placement is wrong; null if it is right. */
function faultOf(placed: TablePlacement, group: number | null): string | null {
  const { table, placement, column, colocation } = placed
  const wanted = WANTED.get(table)
  if (placement !== wanted) return `${table} is ${NAMES[placement]}, not ${NAMES[wanted ?? 'local']}`
  if (placement !== 'account') return null
  if (column !== SHARD_COLUMN) return `${table} is distributed by ${column}, not by ${SHARD_COLUMN}`
  return colocation === group ? null : `${table} is not colocated with accounts`
}

const NAMES: Record<Placement, string> = {
  account: 'distributed by workspace',
  reference: 'copied to every node',
  local: 'on the coordinator only',
}

/** The colocation group that holds all rows of a workspace; null while `accounts` is not distributed. */
export const groupOf = (placed: readonly TablePlacement[]): number | null =>
  placed.find(({ table }) => table === 'accounts')?.colocation ?? null

/** The tables whose placement differs from tables.ts, each with the difference. */
export function misplaced(
  placed: readonly TablePlacement[],
): { table: string; placed: TablePlacement; fault: string }[] {
  const group = groupOf(placed)
  return placed.flatMap((one) => {
    const fault = faultOf(one, group)
    return fault === null ? [] : [{ table: one.table, placed: one, fault }]
  })
}
