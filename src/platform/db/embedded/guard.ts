import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../../core/fault.ts'
import { watchFullDisk } from './full-disk.ts'
import { type Launch, launch, type Postmaster, rotateLog, shutDown } from './postmaster.ts'
import { clearRemains, signalPostgres } from './processes.ts'

const STOP_GRACE_MS = 8000
const RESTART_DELAYS_MS = [0, 100, 500, 1000, 2000]
const RESTART_WINDOW_MS = 60_000
const LOG_LOOK_MS = 5_000

type Guard = { stop: (graceMs?: number) => Promise<void> }
type Lost = (error: StartError) => void

/** Starts a postmaster and restarts it after each unexpected end, until `stop`. */
export async function superviseServer(asked: Launch, onLost?: Lost): Promise<Guard> {
  const { bin, say } = asked
  const stopping = new AbortController()
  let spawned: Postmaster | null = null
  const leave = () => {
    // A process that exits without `stop`, even during a start, stops its database too; only kill -9 leaves it running.
    if (spawned?.hasExited() === false) void signalPostgres(bin, spawned.pid, 'SIGINT').catch(() => null)
  }
  const start = (more: Pick<Launch, 'signal'> = {}) =>
    launch({
      ...asked,
      ...more,
      onSpawn: (postmaster) => {
        spawned = postmaster
      },
    })
  process.once('exit', leave)
  let current = await start().catch((error: unknown) => {
    process.removeListener('exit', leave)
    throw error
  })

  const restarts = createRestarts(asked, stopping.signal, onLost)
  const watch = async (): Promise<void> => {
    for (;;) {
      const how = await current.exited
      if (stopping.signal.aborted) return
      await restarts.ended(`PostgreSQL ended unexpectedly (${how}); restarting it`)
      for (let running = false; !running; ) {
        if (!(await restarts.next())) return
        const failure = await relaunch()
        running = failure === null
        if (stopping.signal.aborted) return
        if (failure === null) restarts.succeeded()
        else await restarts.ended(failure, failure)
      }
    }
  }
  /** Returns the reason if the start failed, null if it succeeded. */
  const relaunch = async (): Promise<string | null> => {
    try {
      await clearRemains(asked.cluster, bin)
      current = await start({ signal: stopping.signal })
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const watching = watch()
  const stopRotating = rotateWhileRunning(asked)

  return {
    stop: async (graceMs = STOP_GRACE_MS) => {
      stopping.abort()
      stopRotating()
      let clean = await shutDown(current, bin, graceMs)
      // A concurrent restart may have replaced the postmaster.
      await watching
      clean = (await shutDown(current, bin, graceMs)) && clean
      process.removeListener('exit', leave)
      if (!clean) say('PostgreSQL did not stop in time and was killed; the next start replays its log')
    },
  }
}

/** Schedules the restarts of a PostgreSQL that ended, and logs its failures. */
function createRestarts(asked: Launch, signal: AbortSignal, onLost?: Lost) {
  const { say } = asked
  const disk = watchFullDisk(asked, signal)
  let deaths: number[] = []
  let isFaultSaid = false
  return {
    /** `failure` is the message of a failed start. */
    ended: async (line: string, failure?: string): Promise<void> => {
      if (await disk.isFull(failure)) {
        // Freeing space may take the operator hours, so these failures do not count.
        deaths = []
        isFaultSaid = (await disk.waitForSpace()) || isFaultSaid
        return
      }
      say(line)
      isFaultSaid = true
    },
    /** Waits until the next start is due; returns false if there is none. */
    next: async (): Promise<boolean> => {
      const now = performance.now()
      deaths = [...deaths.filter((at) => now - at < RESTART_WINDOW_MS), now]
      const delay = RESTART_DELAYS_MS[deaths.length - 1]
      if (delay === undefined && !signal.aborted) giveUp(asked, deaths.length, onLost)
      if (delay === undefined) return false
      await sleep(delay, null, { signal }).catch(() => null)
      return !signal.aborted
    },
    succeeded: () => {
      if (isFaultSaid) say('PostgreSQL is back')
      isFaultSaid = false
    },
  }
}

function rotateWhileRunning({ logFile }: Launch): () => void {
  const timer = setInterval(() => {
    // Ignores errors: the next tick tries again, and a log must not end the service.
    void rotateLog(logFile).catch(() => null)
  }, LOG_LOOK_MS).unref()
  return () => clearInterval(timer)
}

function giveUp({ logFile, say }: Launch, times: number, onLost?: Lost): void {
  const error = new StartError(
    'DATABASE_FAILED',
    `PostgreSQL failed ${times} times within a minute and is not restarted again (log: ${logFile})`,
  )
  say(error.message)
  onLost?.(error)
}
