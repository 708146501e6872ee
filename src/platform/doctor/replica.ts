import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import { makeClient } from '../db/client.ts'
import { endClient } from '../db/connections.ts'
import { readServerState, replicaFault } from '../db/replica-state.ts'
import { type Finding, ok, warn } from './finding.ts'

const NAME = 'read replica'
const PATIENCE_MS = 3_000
const PAUSE_MS = 50

/** Checks the read replica, and how long it takes to replay the latest change. Returns no findings without one. */
export async function readReplica(primary: pg.ClientBase, { readReplicaUrl }: Config): Promise<Finding[]> {
  if (readReplicaUrl === null) return []
  const replica = makeClient({
    connectionString: readReplicaUrl,
    application_name: 'kasir-doctor',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  try {
    await replica.connect()
    return [await compare(primary, replica)]
  } catch (error) {
    return [unusable(`it does not answer (${(error as Error).message})`)]
  } finally {
    await endClient(replica)
  }
}

async function compare(primary: pg.ClientBase, replica: pg.ClientBase): Promise<Finding> {
  const wanted = await readServerState(primary)
  const began = performance.now()
  for (;;) {
    const found = await readServerState(replica)
    const fault = replicaFault(wanted, found)
    if (fault !== null) return unusable(fault)
    const tookMs = Math.round(performance.now() - began)
    if (found.position >= wanted.position) return ok(NAME, `a standby that is ${tookMs} ms behind`)
    if (tookMs > PATIENCE_MS)
      return warn(
        NAME,
        `it is more than ${PATIENCE_MS / 1000} seconds behind`,
        'Reports may be old. Compare pg_stat_replication on the primary with pg_stat_wal_receiver on the standby.',
      )
    await sleep(PAUSE_MS)
  }
}

const unusable = (found: string) =>
  warn(
    NAME,
    found,
    'The primary answers the reports meanwhile. Correct READ_REPLICA_URL or the standby; docs/scaling.md shows how.',
  )
