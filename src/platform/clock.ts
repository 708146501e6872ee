/** The only reader of the wall clock; tests and the demo pass one of their own. */
export type Clock = { now(): string; ms(): number }

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  ms: () => Date.now(),
}

/** A clock that stands still until it is moved. */
export function manualClock(
  start: string,
): Clock & { set(instant: string): void; advance(ms: number): void } {
  let current = Date.parse(start)
  return {
    now: () => new Date(current).toISOString(),
    ms: () => current,
    set: (instant) => {
      current = Date.parse(instant)
    },
    advance: (ms) => {
      current += ms
    },
  }
}
