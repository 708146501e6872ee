import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './fault.ts'
import { type Launch, launch, shutDown } from './postmaster.ts'
import { clearRemains, signalPostgres } from './processes.ts'

const STOP_GRACE_MS = 8000
const RESTART_DELAYS_MS = [0, 100, 500, 1000, 2000]
const RESTART_WINDOW_MS = 60_000

type Lost = (error: StartError) => void

/** Keeps a postmaster running, restarted when it ends unasked, until `stop`. */
export async function keepRunning(asked: Launch, onLost?: Lost): Promise<{ stop: () => Promise<void> }> {
  const { bin, say } = asked
  const stopping = new AbortController()
  let current = await launch(asked)
  const leave = () => {
    // A service that ends without `stop` takes its database along; only kill -9 leaves it behind.
    if (!current.hasExited()) void signalPostgres(bin, current.pid, 'SIGINT').catch(() => null)
  }
  process.once('exit', leave)

  const watch = async (): Promise<void> => {
    let deaths: number[] = []
    for (;;) {
      const how = await current.exited
      if (stopping.signal.aborted) return
      say(`PostgreSQL ended unexpectedly (${how}); restarting it`)
      for (let running = false; !running; ) {
        const now = performance.now()
        deaths = [...deaths.filter((at) => now - at < RESTART_WINDOW_MS), now]
        const delay = RESTART_DELAYS_MS[deaths.length - 1]
        if (delay === undefined) return giveUp(asked, deaths.length, onLost)
        await sleep(delay, null, { signal: stopping.signal }).catch(() => null)
        if (stopping.signal.aborted) return
        running = await relaunch()
      }
    }
  }
  const relaunch = async (): Promise<boolean> => {
    try {
      await clearRemains(asked.cluster, bin)
      current = await launch({ ...asked, signal: stopping.signal })
      say('PostgreSQL is back')
      return true
    } catch (error) {
      if (!stopping.signal.aborted) say(error instanceof Error ? error.message : String(error))
      return false
    }
  }
  const watching = watch()

  return {
    stop: async () => {
      stopping.abort()
      let clean = await shutDown(current, bin, STOP_GRACE_MS)
      // A restart under way may have replaced the postmaster meanwhile.
      await watching
      clean = (await shutDown(current, bin, STOP_GRACE_MS)) && clean
      process.removeListener('exit', leave)
      if (!clean) say('PostgreSQL did not stop in time and was killed; the next start replays its log')
    },
  }
}

function giveUp({ logFile, say }: Launch, times: number, onLost?: Lost): void {
  const error = new StartError(
    'DATABASE_FAILED',
    `PostgreSQL failed ${times} times within a minute and is not restarted again (log: ${logFile})`,
  )
  say(error.message)
  onLost?.(error)
}
