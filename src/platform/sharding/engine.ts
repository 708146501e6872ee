import { withClient } from '../db/client.ts'
import { groupOf, hasCitus, misplaced, readPlaced } from './catalog.ts'

export type Engine = {
  /** Whether rows are spread over workers. */
  isSharded: boolean
  /** What of a spread database does not lie where it should. */
  faults: string[]
}

/** What the database at `url` is, asked once at the start of a process. */
export async function findEngine(url: string): Promise<Engine> {
  return withClient({ connectionString: url, application_name: 'kasir-start' }, async (client) => {
    const placed = (await hasCitus(client)) ? await readPlaced(client) : []
    const isSharded = groupOf(placed) !== null
    return { isSharded, faults: isSharded ? misplaced(placed).map(({ fault }) => fault) : [] }
  })
}
