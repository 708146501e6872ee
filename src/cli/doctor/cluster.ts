import type pg from 'pg'
import { type Holding, surveyShards } from '../../platform/sharding/survey.ts'
import { type Finding, fault, note, ok, warn } from './finding.ts'

const NAME = 'cluster'

/** Where the rows of a sharded database lie; nothing on plain PostgreSQL. */
export async function cluster(client: pg.Client): Promise<Finding[]> {
  const survey = await surveyShards(client)
  if (survey === null) return []
  if (!survey.isSharded)
    return [note(NAME, 'Citus is installed, and every table lies on this server; kasir shard spreads them')]
  const holding = survey.workers.filter(({ shards, takesShards }) => shards > 0 || takesShards)
  return [
    ...holding.map(workerOf),
    survey.misplaced.length === 0
      ? ok(NAME, `every table lies where it should, over ${holding.length} nodes`)
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
      `${address} does not answer; its ${shards} shards are out of reach`,
      'Start it again, or let its standby take over: all other workspaces go on meanwhile.',
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
      `${address}: ${rows}; a request waits there for a lock of another until that one ends`,
      'Run kasir shard once more, beside the services: a worker that was added gets its settings.',
    )
  return ok(NAME, `${address}: ${rows}`)
}
