import { setTimeout as sleep } from 'node:timers/promises'
import { newUlid } from '../../core/ids.ts'
import type { Deps } from '../deps.ts'
import { takeTurns } from '../turns.ts'
import { attemptAt } from './attempt.ts'
import { drop, type Hold, holdEndpoints, isFailing, placesOf } from './holds.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import type { Due } from './store-dispatch.ts'

/** Attempts in flight in one process; those at endpoints that fail at present take no more than half. */
const PLACES = 400
/** Without anything due the next look comes after this. */
const LOOK_EVERY_MS = 500
/** While there is something due, looks are this far apart: what was sent meanwhile makes room for many at once. */
const REST_MS = 10
/** An attempt that could not be recorded is not made again before this. */
const UNRECORDED_MS = 5_000
/** A stop waits for attempts in flight this long; what is not on record then is sent again by whoever comes next. */
const STOP_MS = 8_000

type Tools = Pick<Deps, 'config' | 'clock' | 'db' | 'log' | 'secrets' | 'outgoing'> & { random: () => number }
export type Dispatcher = { stop(): Promise<void> }
export type DispatcherTuning = { lookEveryMs: number }

/**
 * Sends what is due for as long as the service runs; any number of processes may do so at the same time
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
        log.warn({ err: error }, 'due webhooks could not be looked for; it is tried again')
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
 * Makes the attempts, as far as there are places. Once all are taken, the next that comes free goes to the next workspace
 * and there to the next endpoint: one that is slow keeps its places no longer than an attempt, however much waits for it.
 */
function startSender(tools: Tools, recorder: Recorder, isOver: () => boolean) {
  const timeoutMs = tools.config.webhookTimeout * 1_000
  const underWay = new Set<Promise<void>>()
  const ready = takeTurns<Hold>()
  /** Those of them that fail, while such endpoints have their half of the places. */
  const aside = takeTurns<Hold>()
  let sending = 0
  let sendingToFailing = 0

  const join = (turns: typeof ready, hold: Hold) => turns.add(hold.endpoint.accountId, hold)
  const start = (hold: Hold, due: Due) => {
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
      if (outcome.isSuccess && !isFailing(hold)) join(ready, hold)
      // Its failure counts from when it is on record: until then it is sent nothing more.
      else ready.remove(hold.endpoint.accountId, hold)
      fill()
      const isOnRecord = await recorder.add({ due, outcome })
      if (!isOnRecord) await sleep(UNRECORDED_MS, undefined, { ref: false })
      hold.known.delete(due.id)
    }
    const made = attempt().finally(() => underWay.delete(made))
    underWay.add(made)
  }
  /** A lease that might end before an attempt does starts none. */
  const hasPlace = (hold: Hold) => {
    const isHeld = hold.endpoint.status === 'active' && hold.untilMs >= tools.clock.ms() + timeoutMs
    if (!isHeld) drop(hold)
    return isHeld && hold.sending < placesOf(hold)
  }
  /** Whoever cannot be sent to leaves, and comes back when that has changed. */
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

/** Rests between looks: a finished attempt ends one early, since its place is free; what ended while none was is not lost. */
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
