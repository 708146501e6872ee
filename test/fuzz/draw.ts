import fc from 'fast-check'

/** Draws values from one seed. */
export type Draw = {
  <T>(arbitrary: fc.Arbitrary<T>): T
  /** True in so many of a hundred cases. */
  percent(share: number): boolean
  one<T>(list: readonly T[]): T
}

export function drawFrom(seed: number): Draw {
  const values = fc.sample(fc.nat({ max: 0x7f_ff_ff_ff }), { seed, numRuns: 1 })
  let next = values[0] ?? seed
  const draw = <T>(arbitrary: fc.Arbitrary<T>): T => {
    // The seeds of single values follow from the seed of the episode (a linear congruence of 31 bits).
    next = (Math.imul(next, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    const [value] = fc.sample(arbitrary, { seed: next, numRuns: 1 })
    return value as T
  }
  return Object.assign(draw, {
    percent: (share: number) => draw(fc.nat({ max: 99 })) < share,
    one: <T>(list: readonly T[]): T => list[draw(fc.nat({ max: list.length - 1 }))] as T,
  })
}
