import { type Db, named } from './db/open.ts'
import { statement } from './db/statement.ts'

/**
 * How far the log of events can be read. Transactions are numbered by the server that the service speaks to, also where rows
 * lie on workers (docs/scaling.md): so the numbers are asked of it, in a statement that names no table, and handed to those
 * that do.
 */
export type LogEdge = {
  /** The oldest transaction that still runs: what is committed later has this number or a higher one. */
  xmin: string
  /** The next number to be given. */
  xmax: string
  /** The server that these numbers belong to; of no meaning on another one, which a backup was restored to. */
  cluster: string
}

const EDGE = statement(
  'log_edge',
  `select pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax,
      (select c.system_identifier::text from pg_control_system() c) as cluster
    from (select pg_current_snapshot() as s) now`,
)

const clusters = new WeakMap<Db, string>()

export async function readEdge(db: Db): Promise<LogEdge> {
  const [edge] = await named<LogEdge>(db, EDGE, [])
  if (!edge) throw new Error('a select without a table answers one row')
  clusters.set(db, edge.cluster)
  return edge
}

/**
 * The cluster alone, asked once: whoever reads under that of another server finds no position of it, and counts all anew.
 */
export const clusterOf = async (db: Db): Promise<string> => clusters.get(db) ?? (await readEdge(db)).cluster

/** The last number that nothing can be written under any more. */
export const behindEdge = ({ xmin }: Pick<LogEdge, 'xmin'>): string => String(BigInt(xmin) - 1n)
