/** One attempt as the log of a delivery keeps it. */
export type Attempt = {
  at: string
  /** Null when no complete answer came. */
  statusCode: number | null
  durationMs: number
  /** Why no complete answer came; null when one did. */
  error: string | null
  /** The first KiB of the answer. */
  responseSnippet: string | null
  /** Asked for by hand. */
  manual: boolean
}
