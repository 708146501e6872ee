import type pg from 'pg'
import { type Finding, fault, note, ok, warn } from '../../platform/doctor/finding.ts'
import { type Holding, inspectShards } from '../../platform/sharding/survey.ts'

const NAME = 'cluster'

/** Checks where the rows of a sharded database are. Returns no findings on plain PostgreSQL. */
export async function cluster(client: pg.Client): Promise<Finding[]> {
  const survey = await inspectShards(client)
  if (survey === null) return []
  if (!survey.isSharded)
    return [
      note(NAME, 'Citus is installed, but every table is on this server; run kasir shard to distribute them'),
    ]
  const holding = survey.workers.filter(({ shards, takesShards }) => shards > 0 || takesShards)
  return [
    ...holding.map(workerOf),
    survey.misplaced.length === 0
      ? ok(NAME, `every table is in its place, on ${holding.length} nodes`)
      : fault(NAME, survey.misplaced.join('; '), 'Stop every service and run kasir shard.'),
  ]
}

const counted = (n: number | null, what: string) => `${n ?? 'unknown'} ${what}`

function workerOf({
  name,
  port,
  group,
  isActive,
  answers,
  waitsOn,
  shards,
  workspaces,
  sales,
  events,
}: Holding): Finding {
  const address = `${group === 0 ? 'coordinator' : `worker ${group}`} at ${name}:${port}`
  if (!answers)
    return fault(
      NAME,
      `${address} does not answer; its ${shards} shards are unreachable`,
      'Start it again, or let its standby take over. Workspaces on other nodes keep working meanwhile.',
    )
  const rows = [
    `${shards} shards`,
    counted(workspaces, 'workspaces'),
    counted(sales, 'sales'),
    counted(events, 'events'),
  ].join(', ')
  if (!isActive)
    return fault(NAME, `${address} is switched off: ${rows}`, 'Run citus_activate_node on the coordinator.')
  if (waitsOn)
    return warn(
      NAME,
      `${address}: ${rows}; a request there waits for a lock without a time limit`,
      'Run kasir shard again while the services run: it applies the settings to workers added later.',
    )
  return ok(NAME, `${address}: ${rows}`)
}
