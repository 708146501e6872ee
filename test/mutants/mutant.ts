/** One subtle edit: `from` occurs exactly once in `file`, `to` takes its place, and one of `tests` should fail. */
export type Mutant = {
  file: string
  /** What the edit breaks, in a few words. */
  breaks: string
  from: string
  to: string
  tests: readonly string[]
}
