import { median } from './figures.ts'
import type { History } from './history.ts'
import type { sharedShops } from './sales-run.ts'

export type Options = {
  /** How long one measurement lasts; a suite with many of them takes its share of it. */
  seconds: number
  /** The same of a figure that is near its bar: it must not be left to luck. */
  longer: number
  /** Turns of a comparison; the median counts. */
  rounds: number
  /** The bench is tried out, not the service: everything as small as it can be. */
  quick: boolean
  /** Tells how far the suite is; the machine's load is put behind it. */
  say(line: string): void
  /** A million sales of one workspace and fifty workspaces beside it, made once in a run (lib/history.ts). */
  history(): Promise<History>
  /** Fifty workspaces, and a service that knows their goods, for those that sell one after the other. */
  shops: Pick<ReturnType<typeof sharedShops>, 'get' | 'service'>
}

/** What several suites of a run work with. */
export type SharedPart = 'history' | 'shops'

export type Bar = { atLeast: number } | { atMost: number }

/** One line of the table. */
export type Row = {
  /** The figure in words, with its unit or with what it is a ratio of. */
  what: string
  /** What the figure was computed from, with units; empty where it stands for itself. */
  measured: string
  /** What it is compared with, measured in the same run. */
  yardstick: string
  value: number
  /** What the figure has to reach; null where it is only reported. */
  bar: Bar | null
}

/** The rows of a suite, and a page in Markdown with everything else it has seen. */
export type Report = { title: string; text: string; rows: Row[] }

export type Suite = {
  /** As in `npm run bench -- NAME`: lower case, a dash between words. */
  name: string
  about: string
  /** Takes too long for a run of all suites. */
  onlyByName?: true
  /** It is stopped behind the last suite that uses it. */
  uses?: SharedPart
  measure(options: Options): Promise<Report>
}

export const holds = ({ value, bar }: Row): boolean =>
  bar === null || ('atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost)

export const barText = (bar: Bar | null): string =>
  bar === null ? '' : 'atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`

/**
 * Runs two measurements in turns, A B B A A B, so that a slow minute of the machine falls on both. A round answers
 * whatever it measured.
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

/** Each turn of A over its neighbour B, the middle one: a machine that slows down meanwhile counts for both sides. */
export const ratioOf = (a: readonly number[], b: readonly number[]): number =>
  median(a.map((value, turn) => value / (b[turn] ?? Number.NaN)))
