import { readFile } from 'node:fs/promises'
import type { Footprint } from './cost.ts'

/** The figures of the last `npm run bench -- footprint`. Throws if one is missing. */
export const readFootprint = async (): Promise<Footprint> =>
  footprintFrom(await readFile(new URL('../../bench/footprint.json', import.meta.url), 'utf8'))

export function footprintFrom(text: string): Footprint {
  const footprint = JSON.parse(text) as Partial<Footprint>
  const perSale: Partial<Footprint['perSale']> = footprint.perSale ?? {}
  const { tableBytes = {}, databaseMicroseconds, serviceMicroseconds, logBytes } = perSale
  const figures: unknown[] = [
    databaseMicroseconds,
    serviceMicroseconds,
    logBytes,
    ...Object.values(tableBytes),
  ]
  const isComplete =
    Object.keys(tableBytes).length > 0 &&
    figures.every((value) => Number.isFinite(value) && Number(value) > 0)
  if (isComplete) return footprint as Footprint
  throw new Error('bench/footprint.json is incomplete. Run npm run bench -- footprint.')
}
