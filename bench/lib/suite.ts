import { median } from './figures.ts'
import type { History } from './history.ts'
import type { sharedShops } from './sales-run.ts'

export type Options = {
  /** The duration of one measurement; a suite with several divides it among them. */
  seconds: number
  /** The same for a figure near its bar, which needs a more exact measurement. */
  longer: number
  /** Turns of a comparison; the median counts. */
  rounds: number
  /** A quick run tests the bench itself, with the smallest sizes. */
  quick: boolean
  /** Prints the progress of the suite and the load of the machine. */
  say(line: string): void
  /** A workspace with a million sales and fifty others, created once in a run (lib/history.ts). */
  history(): Promise<History>
  /** Fifty workspaces and a service that has cached their goods, for the suites that sell. */
  shops: Pick<ReturnType<typeof sharedShops>, 'get' | 'service'>
}

/** Databases that several suites of a run share. */
export type SharedPart = 'history' | 'shops'

export type Bar = { atLeast: number } | { atMost: number }

/** One line of the table. */
export type Row = {
  /** The figure in words, with its unit or the two sides of its ratio. */
  what: string
  /** The inputs of the figure, with units; empty if it is measured directly. */
  measured: string
  /** The yardstick, measured in the same run. */
  yardstick: string
  value: number
  /** The value that the figure must reach; null if it is only reported. */
  bar: Bar | null
}

/** The rows of a suite, and a Markdown page with its other results. */
export type Report = {
  title: string
  text: string
  rows: Row[]
  /** Figures for other programs, written to bench/NAME.json with the date and the machine. */
  figures?: Readonly<Record<string, unknown>>
}

export type Suite = {
  /** The NAME in `npm run bench -- NAME`: lower case, with a dash between words. */
  name: string
  about: string
  /** Takes too long for a run of all suites. */
  onlyByName?: true
  /** It is stopped after the last suite that uses it. */
  uses?: SharedPart
  measure(options: Options): Promise<Report>
}

export const holds = ({ value, bar }: Row): boolean =>
  bar === null || ('atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost)

export const barText = (bar: Bar | null): string =>
  bar === null ? '' : 'atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`

/**
 * Runs two measurements in turns, A B B A A B, so that a slow minute of the machine falls on both. A round returns
 * its measurements.
 */
export async function alternate<A, B>(
  rounds: number,
  a: () => Promise<A>,
  b: () => Promise<B>,
): Promise<{ a: A[]; b: B[] }> {
  const result: { a: A[]; b: B[] } = { a: [], b: [] }
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) result.a.push(await a())
    result.b.push(await b())
    if (round % 2 === 1) result.a.push(await a())
  }
  return result
}

/** The median of the ratios of adjacent turns A and B, so that a slowdown of the machine affects both sides. */
export const ratioOf = (a: readonly number[], b: readonly number[]): number =>
  median(a.map((value, turn) => value / (b[turn] ?? Number.NaN)))
