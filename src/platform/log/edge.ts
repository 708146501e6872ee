import { type Db, named } from '../db/open.ts'
import { statement } from '../db/statement.ts'

/**
 * The position up to which the event log can be read. Transaction numbers come from the server that the service
 * connects to, even if rows are on workers (docs/scaling.md). So a statement without a table reads the numbers, and
 * the statements with tables receive them as parameters.
 */
export type LogEdge = {
  /** The number of the oldest running transaction: everything committed later has this number or a higher one. */
  xmin: string
  /** The next transaction number. */
  xmax: string
  /**
   * The server that issued these numbers; they are meaningless on another one, for example after a backup was
   * restored there.
   */
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

/** The cluster alone, read once: a reader with a position of another server starts from the beginning. */
export const clusterOf = async (db: Db): Promise<string> => clusters.get(db) ?? (await readEdge(db)).cluster

/** The highest number under which no transaction can write any more. */
export const behindEdge = ({ xmin }: Pick<LogEdge, 'xmin'>): string => String(BigInt(xmin) - 1n)
