import { setTimeout as sleep } from 'node:timers/promises'
import { hasCitus, readNodes } from '../db/cluster-catalog.ts'
import { createKeptClient } from '../db/kept-client.ts'

/** Whether each worker of a sharded database answers, by its group number in the cluster. */
export type WorkerPulse = {
  /** Returns states that are a few seconds old at most. Concurrent callers share one check. Empty without sharding. */
  look(): Promise<ReadonlyMap<number, 'ok' | 'down'>>
  close(): Promise<void>
}

/** The pulse of a database on a single server. */
export const noWorkers: WorkerPulse = { look: async () => new Map(), close: async () => {} }

/** How long a result stays fresh, so that frequent health checks do not reach the workers each time. */
const FRESH_MS = 5_000
/** How long a health check waits for a result; after that it reports the last known states. */
const PATIENCE_MS = 1_000
/** How long the coordinator waits for one worker, which may have vanished without closing its connection. */
const SESSION = `set citus.node_connection_timeout = '1s'`
const ANSWERS = 'select citus_check_connection_to_node($1, $2) as "isThere"'
const ASK_MS = 5_000

/** Asks the coordinator at `url` for its workers, on a dedicated connection. */
export function openWorkerPulse(url: string): WorkerPulse {
  const states = new Map<number, 'ok' | 'down'>()
  const client = createKeptClient({ url, timeoutMs: ASK_MS, session: SESSION })
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
          // The coordinator's own pulse reports that it does not answer.
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
