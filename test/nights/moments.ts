import { createHash } from 'node:crypto'

/** The run prints it. With the same NIGHTS_SEED a cut comes after the same share of the length of its command. */
const SEED = process.env['NIGHTS_SEED'] ?? ''

/** `count` random numbers from 0 to below 1. A step has its own, whatever else runs. */
export const randomNumbers = (step: string, count: number): number[] =>
  Array.from({ length: count }, (_, index) => {
    const hash = createHash('sha256').update(`${SEED} ${step} ${index}`).digest()
    return hash.readUInt32BE() / 2 ** 32
  })
