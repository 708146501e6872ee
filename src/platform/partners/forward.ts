/** What goes along with every request to a partner, and when to give it up. */
export type Forward = {
  /** `x-request-id`, and the caller's `idempotency-key` when there is one: the partner does at most once what it asks. */
  headers: Readonly<Record<string, string>>
  /** By `performance.now()`, for all that is asked together. A signal would cost a timer and a listener of its own. */
  untilMs: number
}

/** What one request may take: its own limit, or what is left. */
export const deadlineIn = ({ untilMs }: Forward, timeoutMs: number): number =>
  Math.min(timeoutMs, untilMs - performance.now())

/** The same under a key of our own, where there is one. */
export const keyed = (forward: Forward, key: string | null | undefined): Forward =>
  key === null || key === undefined
    ? forward
    : { ...forward, headers: { ...forward.headers, 'idempotency-key': key } }
