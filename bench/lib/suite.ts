export type Options = { seconds: number; rounds: number; say(line: string): void }

/** A figure that must hold, told in the summary; `bar` in the words of the issue. */
export type Verdict = { what: string; value: number; bar: number; atLeast: boolean }
export type Report = { title: string; text: string; verdicts: Verdict[] }
export type Suite = (options: Options) => Promise<Report>

export const holds = ({ value, bar, atLeast }: Verdict) => (atLeast ? value >= bar : value <= bar)

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
