import { ApiError } from '../core/errors.ts'

/** Refusals of a group in a second that leave the process time for its sales. */
const AIM_PER_SECOND = 50
const LONGEST_SECONDS = 30
/** One measured second changes the range of waits by no more than this. */
const MOST_SHRINK = 0.5
const MOST_GROWTH = 8
const SECOND_MS = 1_000
const FORGET_MS = 60_000

/** The current second of a group: its refusals so far, and the longest wait that they ask for, in seconds. */
type Second = { beganMs: number; refused: number; range: number }

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most)

/**
 * Makes the refusals of requests that waited behind too many others of their group. `Retry-After` is 1 as long as there are
 * few. Among many it is a random number of seconds, up to 30: if thousands of tills came back every second, the process
 * would do nothing but refuse them (B-limit-5).
 */
export function refuseCrowd(message: string, nowMs: () => number = () => performance.now()) {
  const seconds = new Map<string, Second>()

  const isIdle = (second?: Second) => second === undefined || nowMs() - second.beganMs > FORGET_MS
  const forgetIdle = () => {
    for (const [group, second] of seconds) if (isIdle(second)) seconds.delete(group)
  }
  const count = (group: string): number => {
    if (isIdle(seconds.get(group))) forgetIdle()
    const current = seconds.get(group) ?? { beganMs: nowMs(), refused: 0, range: 1 }
    const elapsed = (nowMs() - current.beganMs) / SECOND_MS
    if (elapsed < 1) {
      seconds.set(group, { ...current, refused: current.refused + 1 })
      return current.range
    }
    const excess = current.refused / elapsed / AIM_PER_SECOND
    const range = current.range * between(MOST_SHRINK, excess, MOST_GROWTH)
    const next = { beganMs: nowMs(), refused: 1, range: between(1, range, LONGEST_SECONDS) }
    seconds.set(group, next)
    return next.range
  }

  return (group: string): ApiError => {
    const wait = 1 + Math.floor(Math.random() * count(group))
    return new ApiError('SERVICE_UNAVAILABLE', message, { headers: { 'retry-after': String(wait) } })
  }
}
