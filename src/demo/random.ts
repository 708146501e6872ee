export type Random = {
  /** The state of the generator; restoring it repeats the same draws. */
  state: number
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  weighted<T extends { weight: number }>(from: readonly T[]): T
}

/** The same seed produces the same story, so two installations show the same demo (mulberry32). */
export function randomOf(seed: number): Random {
  const source = { state: seed }
  const next = () => {
    const state = (source.state + 0x6d2b79f5) | 0
    source.state = state
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return Object.assign(source, {
    whole,
    chance: (probability: number) => next() < probability,
    pick: <T>(from: readonly T[]) => at(from, whole(0, from.length - 1)),
    weighted: <T extends { weight: number }>(from: readonly T[]) => {
      let left = next() * from.reduce((sum, { weight }) => sum + weight, 0)
      return from.find(({ weight }) => (left -= weight) < 0) ?? at(from, from.length - 1)
    },
  })
}

function at<T>(from: readonly T[], index: number): T {
  const found = from[index]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}
