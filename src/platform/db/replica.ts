import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../../core/fault.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { createKeptClient } from './kept-client.ts'
import { type Db, openDb, poolWaitMs } from './open.ts'
import { isConnectionLost } from './pg-errors.ts'
import { fairPlaces } from './places.ts'
import { readServerState, replicaFault, trackReplay } from './replica-state.ts'

/** A streaming standby of the database, which answers the routes with `mayReadReplica` (B-report-15). */
export type Replica = {
  /**
   * Runs `work` on the replica. `asOf`: the result has every change that was acknowledged until then. Returns null if the
   * replica is not usable or `work` fails there; the caller then asks the primary.
   */
  read<T>(accountId: string, work: (db: Db) => Promise<T>): Promise<{ value: T; asOf: string } | null>
  status(): ReplicaStatus
  close(): Promise<void>
}

export type ReplicaStatus = {
  /** Why reports are read from the primary; null while the replica is usable. */
  fault: string | null
  lagSeconds: number
  /** Reads of this process that may use the replica, by the server that answered them. */
  reads: Readonly<Record<'replica' | 'primary', number>>
}

type Options = { config: Config; primaryUrl: string; clock: Clock; log: Logger }

/** Throws if a replica is configured: on a sharded database a standby of the coordinator is not enough. */
export function requireNoReplica({ readReplicaUrl }: Config) {
  if (readReplicaUrl === null) return
  throw new StartError(
    'READ_REPLICA_REFUSED',
    'READ_REPLICA_URL does not work with a database that is distributed over workers: remove the setting.',
  )
}

const LOOK_EVERY_MS = 1_000
const PATIENCE_MS = 2_000
/** With the time between looks shorter than a report waits for a slot, so that it then asks the primary. */
const REPLICA_PATIENCE_MS = 1_500
/** How long no request asks a replica that failed one. */
const PAUSE_MS = 5_000
const MS_PER_SECOND = 1_000

/** Returns null without READ_REPLICA_URL. Does not wait for the replica: the primary answers until it is usable. */
export function openReplica(options: Options): Replica | null {
  const { config } = options
  const url = config.readReplicaUrl
  if (url === null) return null
  const { db, close: closePool } = openDb({
    url,
    poolSize: config.databasePoolSize,
    waitMs: poolWaitMs(config.env),
  })
  const slots = fairPlaces({ places: config.databasePoolSize, waitMs: poolWaitMs(config.env) })
  const reads = { replica: 0, primary: 0 }
  const watch = watchReplica(url, options)

  const attempt = async <T>(work: (db: Db) => Promise<T>) => {
    const asOf = watch.asOf()
    if (asOf === null) return null
    try {
      return { value: await work(db), asOf }
    } catch (error) {
      // A record may be unknown here only because the replica is behind, so the primary answers errors too. Only a lost
      // connection concerns other workspaces: a statement that was too slow is the caller's.
      if (isConnectionLost(error)) watch.pause(error as Error)
      return null
    }
  }
  /** Reads that got no answer hold the slots of a replica that vanished: no other read may wait for one of them. */
  const withSlot = async <T>(accountId: string, work: (db: Db) => Promise<T>) => {
    if (watch.asOf() === null) return null
    try {
      return await slots.within(accountId, () => attempt(work))
    } catch (error) {
      if (watch.asOf() === null) return null
      throw error
    }
  }
  return {
    read: async (accountId, work) => {
      const found = await withSlot(accountId, work)
      reads[found === null ? 'primary' : 'replica'] += 1
      return found
    },
    status: () => ({ ...watch.status(), reads: { ...reads } }),
    close: async () => {
      await watch.close()
      await closePool()
    },
  }
}

/** Compares the replica with the primary once a second, on dedicated connections. */
function watchReplica(url: string, { config, primaryUrl, clock, log }: Options) {
  const primary = createKeptClient({ url: primaryUrl, timeoutMs: PATIENCE_MS })
  const replica = createKeptClient({ url, timeoutMs: REPLICA_PATIENCE_MS })
  const track = trackReplay()
  const startedMs = clock.uptimeMs()
  const ending = new AbortController()
  let seenFault: string | null = null
  let paused = { untilMs: startedMs, why: '' }
  let wasUsable = true

  const lagMs = () => clock.uptimeMs() - (track.replayed()?.ms ?? startedMs)
  const fault = (): string | null => {
    if (clock.uptimeMs() < paused.untilMs) return paused.why
    if (seenFault !== null) return seenFault
    const isLate = lagMs() > config.readReplicaMaxLag * MS_PER_SECOND
    return isLate ? `it is more than ${config.readReplicaMaxLag} seconds behind` : null
  }
  const logChange = () => {
    const reason = fault()
    if ((reason === null) === wasUsable) return
    wasUsable = reason === null
    if (wasUsable) log.info('reports are read from the read replica again')
    else log.warn({ reason }, 'the read replica is not usable: reports are read from the primary')
  }
  const look = async () => {
    const at = { instant: clock.now(), ms: clock.uptimeMs() }
    const ofPrimary = await readServerState(await primary.get())
    track.mark({ ...at, position: ofPrimary.position })
    try {
      const ofReplica = await readServerState(await replica.get())
      seenFault = replicaFault(ofPrimary, ofReplica)
      if (seenFault === null) track.replayedTo(ofReplica.position)
    } catch (error) {
      seenFault = `it does not answer (${(error as Error).message})`
      await replica.forget()
    }
  }
  const run = async () => {
    while (!ending.signal.aborted) {
      // The health check reports a primary that does not answer; the data of the replica only gets older meanwhile.
      await look().catch(() => primary.forget())
      logChange()
      await sleep(LOOK_EVERY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    /** Null while the replica is not usable. */
    asOf: () => (fault() === null ? (track.replayed()?.instant ?? null) : null),
    status: () => ({ fault: fault(), lagSeconds: Math.round(lagMs() / MS_PER_SECOND) }),
    pause: (error: Error) => {
      paused = { untilMs: clock.uptimeMs() + PAUSE_MS, why: error.message }
      logChange()
    },
    close: async () => {
      ending.abort()
      await running
      await Promise.all([primary.forget(), replica.forget()])
    },
  }
}
