import { withClient } from '../db/client.ts'
import { groupOf, hasCitus, misplaced, readPlaced } from '../db/cluster-catalog.ts'

export type Engine = {
  /** Whether rows are distributed over workers. */
  isSharded: boolean
  /** The misplaced tables of a sharded database, one sentence each. */
  faults: string[]
}

/** Finds out whether the database at `url` is sharded. A process calls this once, at its start. */
export async function findEngine(url: string): Promise<Engine> {
  return withClient({ connectionString: url, application_name: 'kasir-start' }, async (client) => {
    const placed = (await hasCitus(client)) ? await readPlaced(client) : []
    const isSharded = groupOf(placed) !== null
    return { isSharded, faults: isSharded ? misplaced(placed).map(({ fault }) => fault) : [] }
  })
}
