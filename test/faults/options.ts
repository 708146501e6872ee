import { createHash } from 'node:crypto'

/** `--seed` and `--short` of npm run faults. */
const SEED = process.env['FAULTS_SEED'] ?? '1'
const IS_SHORT = process.env['FAULTS_SHORT'] === '1'

/** How often a fault is repeated in the whole run, and in the short one. */
export const rounds = (whole: number, short: number): number => (IS_SHORT ? short : whole)

export type Draw = {
  /** A number from 0 to below 1. */
  (): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  one<T>(list: readonly T[]): T
}

/** Random numbers that depend on the seed and the name only, whatever else runs. */
export function drawFor(name: string): Draw {
  let count = 0
  const next = () => {
    count += 1
    return createHash('sha256').update(`${SEED} ${name} ${count}`).digest().readUInt32BE() / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return Object.assign(next, {
    between,
    one: <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T,
  })
}
