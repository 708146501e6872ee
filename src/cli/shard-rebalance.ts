import type { RebalanceStatus, ShardMove } from '../platform/sharding/rebalance-job.ts'
import { say } from './command.ts'
import { ENDING_SIGNALS } from './signals.ts'

/** `kasir shard --rebalance`: moves shards while services run, and prints the progress. */
export async function rebalanceShards(url: string) {
  const { rebalance } = await import('../platform/sharding/rebalance.ts')
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  let shown = ''
  const onStart = ({ moved, total }: RebalanceStatus, isNew: boolean) => {
    // Until the job runs, a signal ends the command as usual.
    for (const signal of ENDING_SIGNALS) process.on(signal, onSignal)
    say(
      isNew
        ? `Moving ${counted(total)} between workers. Services can keep running.`
        : `A rebalance is already running: ${moved} of ${counted(total)} moved.`,
    )
  }
  const onStatus = (status: RebalanceStatus) => {
    const step = stepOf(status)
    if (step === shown) return
    shown = step
    const line = progressLine(status)
    if (line !== '') say(line)
  }
  try {
    const { moved, shares } = await rebalance(url, { onStart, onStatus, signal: stop.signal })
    const listed = shares.map(({ name, port, shards }) => `${name}:${port} has ${shards}`).join(', ')
    say(
      moved === 0
        ? `Every worker has its share of the shards; nothing to move: ${listed}.`
        : `Moved ${counted(moved)}: ${listed}.`,
    )
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal)
  }
}

/** `kasir shard --rebalance --stop` */
export async function stopRebalancing(url: string) {
  const { stopRebalance } = await import('../platform/sharding/rebalance.ts')
  const status = await stopRebalance(url)
  say(
    status === null
      ? 'No rebalance is running; nothing to stop.'
      : `Stopped: ${status.moved} of ${counted(status.total)} moved, and the others are still where they were. To move them, run kasir shard --rebalance again.`,
  )
}

const counted = (shards: number) => `${shards} ${shards === 1 ? 'shard' : 'shards'}`

/** Changes with the shard, its phase and each tenth of its copy: a large shard takes hours, with few lines. */
const stepOf = ({ moved, moving, failed }: RebalanceStatus) =>
  JSON.stringify([
    moved,
    failed?.attempts,
    moving.map(({ from, to, phase, sourceBytes, targetBytes }) => [
      from,
      to,
      phase,
      Math.floor((10 * targetBytes) / Math.max(sourceBytes, 1)),
    ]),
  ])

function progressLine({ moved, total, moving, failed }: RebalanceStatus): string {
  if (failed !== null)
    return `A shard could not be moved yet: ${failed.message}. The coordinator tries it again.`
  if (moving.length === 0) return ''
  return `Moved ${moved} of ${counted(total)}. Moving from ${moving.map(describeMove).join('; from ')}`
}

function describeMove({ from, to, phase, sourceBytes, targetBytes }: ShardMove) {
  const size = `${megabytes(Math.min(targetBytes, sourceBytes))} of ${megabytes(sourceBytes)}`
  return `${from} to ${to}: ${phase.toLowerCase()}, ${size}`
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 30 ? 1 : 0)} MB`
