import { setTimeout as sleep } from 'node:timers/promises'
import { newUlid } from '../../core/ids.ts'
import type { Deps } from '../deps.ts'
import { takeTurns } from '../turns.ts'
import { attemptAt } from './attempt.ts'
import { drop, type Hold, holdEndpoints, isFailing, placesOf } from './holds.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import type { DueDelivery } from './store-dispatch.ts'

/** Attempts in flight per process; currently failing endpoints take at most half. */
const PLACES = 400
/** Poll interval while no delivery is due. */
const LOOK_EVERY_MS = 500
/** Poll interval while deliveries are due: attempts that end meanwhile make room for a batch. */
const REST_MS = 10
/** Delay before an unrecorded attempt is retried. */
const UNRECORDED_MS = 5_000
/** A stop waits this long for in-flight attempts; another process repeats those that were not recorded. */
const STOP_MS = 5_000

type Tools = Pick<Deps, 'secrets' | 'outgoing'> & Parameters<typeof startRecorder>[0]
export type Dispatcher = { stop(): Promise<void> }
export type DispatcherTuning = { lookEveryMs: number }

/**
 * Sends due deliveries while the service runs; any number of processes may do so concurrently
 * (docs/decisions/0016-webhooks.md).
 */
export function startDispatcher(
  tools: Tools,
  { lookEveryMs = LOOK_EVERY_MS }: Partial<DispatcherTuning> = {},
): Dispatcher {
  const { log } = tools
  const rest = startRests()
  const holds = holdEndpoints(tools, newUlid())
  const recorder = startRecorder(tools, (changes) => {
    holds.note(changes)
    rest.end()
  })
  const sender = startSender(tools, recorder, rest.isOver)
  let leasedMs = Number.NEGATIVE_INFINITY

  const look = async (): Promise<boolean> => {
    if (performance.now() - leasedMs >= lookEveryMs) {
      leasedMs = performance.now()
      await holds.lease()
    }
    const found = await holds.fetch()
    sender.offer(holds.all())
    return found
  }
  const run = async () => {
    while (!rest.isOver()) {
      const found = await look().catch((error: unknown) => {
        log.warn({ err: error }, 'could not fetch due webhooks; retrying')
        return false
      })
      await rest.begin(found ? REST_MS : lookEveryMs)
    }
  }
  const running = run()
  return {
    stop: async () => {
      rest.stop()
      await running
      await Promise.race([sender.ended(), sleep(STOP_MS, undefined, { ref: false })])
      await recorder.stop()
      await holds.release()
    },
  }
}

/**
 * Starts attempts while places are free. A place that becomes free goes to the next workspace, and within it to the
 * next endpoint. A slow endpoint thus keeps a place for one attempt at most, however long its queue is.
 */
function startSender(tools: Tools, recorder: Recorder, isOver: () => boolean) {
  const timeoutMs = tools.config.webhookTimeout * 1_000
  const underWay = new Set<Promise<void>>()
  const ready = takeTurns<Hold>()
  /** Failing endpoints that wait because failing ones already use half of the places. */
  const aside = takeTurns<Hold>()
  let sending = 0
  let sendingToFailing = 0

  const join = (turns: typeof ready, hold: Hold) => turns.add(hold.endpoint.accountId, hold)
  const start = (hold: Hold, due: DueDelivery) => {
    const wasFailing = isFailing(hold)
    const count = (by: number) => {
      hold.sending += by
      sending += by
      if (wasFailing) sendingToFailing += by
    }
    const attempt = async () => {
      count(1)
      const outcome = await attemptAt(tools, hold.endpoint, due)
      count(-1)
      const waited = wasFailing ? aside.take() : undefined
      if (waited) join(ready, waited)
      if (outcome?.isSuccess && !isFailing(hold)) join(ready, hold)
      // A failure counts only once it is recorded, so the endpoint receives no more until then.
      else ready.remove(hold.endpoint.accountId, hold)
      fill()
      const isOnRecord = outcome !== null && (await recorder.add({ due, outcome }))
      if (!isOnRecord) await sleep(UNRECORDED_MS, undefined, { ref: false })
      hold.known.delete(due.id)
    }
    const made = attempt().finally(() => underWay.delete(made))
    underWay.add(made)
  }
  /** Also false if the lease could end before an attempt does. */
  const hasPlace = (hold: Hold) => {
    const isHeld = hold.endpoint.status === 'active' && hold.untilMs >= tools.clock.uptimeMs() + timeoutMs
    if (!isHeld) drop(hold)
    return isHeld && hold.sending < placesOf(hold)
  }
  /** An endpoint that cannot be sent to leaves the queue and rejoins when it can. */
  const fill = () => {
    while (sending < PLACES && !isOver()) {
      const hold = ready.take()
      if (!hold) return
      if (!hasPlace(hold)) continue
      if (isFailing(hold) && sendingToFailing >= PLACES / 2) {
        join(aside, hold)
        continue
      }
      const due = hold.waiting.shift()
      if (!due) continue
      start(hold, due)
      join(ready, hold)
    }
  }
  const offer = (holds: readonly Hold[]) => {
    for (const hold of holds) if (hold.waiting.length > 0) join(ready, hold)
    fill()
  }
  return { offer, ended: () => Promise.all(underWay) }
}

/**
 * Pauses between polls. A recorded attempt ends the pause early, since its place is free. One recorded outside a pause
 * shortens the next pause.
 */
function startRests() {
  let isOver = false
  let isDue = false
  let wake = () => {}
  return {
    isOver: () => isOver,
    begin: async (ms: number) => {
      if (isDue || isOver) ms = Math.min(ms, REST_MS)
      isDue = false
      if (isOver) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    end: () => {
      isDue = true
      wake()
    },
    stop: () => {
      isOver = true
      wake()
    },
  }
}
