import { setTimeout as sleep } from 'node:timers/promises'
import { keepClient } from '../db/kept-client.ts'
import { hasCitus, readNodes } from './catalog.ts'

/** Whether the workers of a spread database answer, by their numbers in the cluster. */
export type WorkerPulse = {
  /** As of a look that is a few seconds old at most; those who ask at the same time share one. None on one PostgreSQL. */
  look(): Promise<ReadonlyMap<number, 'ok' | 'down'>>
  close(): Promise<void>
}

/** Where all rows lie on one server. */
export const noWorkers: WorkerPulse = { look: async () => new Map(), close: async () => {} }

/** How long one look counts: whoever polls health, however often, does not poll the workers with it. */
const FRESH_MS = 5_000
/** What health waits for a look at most: it then tells what is known. */
const PATIENCE_MS = 1_000
/** What the coordinator waits for one worker, which may be gone without a word. */
const SESSION = `set citus.node_connection_timeout = '1s'`
const ANSWERS = 'select citus_check_connection_to_node($1, $2) as "isThere"'
const ASK_MS = 5_000

/** Asks the coordinator at `url` for its workers, on a connection of its own. */
export function openWorkerPulse(url: string): WorkerPulse {
  const states = new Map<number, 'ok' | 'down'>()
  const client = keepClient({ url, timeoutMs: ASK_MS, session: SESSION })
  let atMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  const ask = async () => {
    const known = await client.get()
    const nodes = (await hasCitus(known)) ? await readNodes(known) : []
    const holding = nodes.filter(({ group, takesShards }) => group > 0 || takesShards)
    for (const id of states.keys()) if (!holding.some(({ group }) => group === id)) states.delete(id)
    for (const { group, name, port, isActive } of holding) {
      const { rows } = await known.query<{ isThere: boolean }>(ANSWERS, [name, port])
      states.set(group, isActive && rows[0]?.isThere === true ? 'ok' : 'down')
    }
    atMs = performance.now()
  }
  return {
    look: async () => {
      if (performance.now() - atMs < FRESH_MS) return new Map(states)
      looking ??= ask()
        .catch(() => {
          // A coordinator that does not answer is told by its own pulse.
          void client.forget()
        })
        .finally(() => {
          looking = undefined
        })
      await Promise.race([looking, sleep(PATIENCE_MS, undefined, { ref: false })])
      return new Map(states)
    },
    close: () => client.forget(),
  }
}
