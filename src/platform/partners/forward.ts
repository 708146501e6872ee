/** What goes along with every request to a partner, and when to give it up. */
export type Forward = {
  /** `x-request-id`, and the caller's `idempotency-key` when there is one: the partner does at most once what it asks. */
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
}
