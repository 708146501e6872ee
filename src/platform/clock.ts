/**
 * The only reader of the wall clock; tests and the demo inject their own. `uptimeMs` is monotonic: changes of the
 * wall clock do not affect it.
 */
export type Clock = { now(): string; ms(): number; uptimeMs(): number }

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  ms: () => Date.now(),
  uptimeMs: () => performance.now(),
}

/** A clock that stands still until it is moved: `advance` lets time pass, `set` changes only the wall clock. */
export function manualClock(
  start: string,
): Clock & { set(instant: string): void; advance(ms: number): void } {
  let current = Date.parse(start)
  let uptimeMs = 0
  return {
    now: () => new Date(current).toISOString(),
    ms: () => current,
    uptimeMs: () => uptimeMs,
    set: (instant) => {
      current = Date.parse(instant)
    },
    advance: (ms) => {
      current += ms
      uptimeMs += ms
    },
  }
}
