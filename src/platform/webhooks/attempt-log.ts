/** One attempt in the log of a delivery. */
export type LoggedAttempt = {
  at: string
  /** Null without a complete response. */
  statusCode: number | null
  durationMs: number
  /** Why there is no complete response; null if there is one. */
  error: string | null
  /** The first KiB of the response. */
  responseSnippet: string | null
  /** Requested manually. */
  manual: boolean
}
