/** A token bucket per caller: `perMinute` refills, a tenth of it is the burst (B-limit-1, B-limit-3). */
export type RateLimiter = {
  take(caller: string, perMinute: number, nowMs: number): Verdict
  /** Gives back what one `take` took. */
  giveBack(caller: string): void
}
export type Verdict = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

type Bucket = { tokens: number; updatedMs: number }

/**
 * Beyond this many the caller seen longest ago is forgotten, full or not, and starts with a full bucket again: memory
 * has a bound, whatever the number of callers.
 */
const MAX_BUCKETS = 50_000

export function rateLimiter(): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take(caller, perMinute, nowMs) {
      const burst = Math.max(1, Math.floor(perMinute / 10))
      const perMs = perMinute / 60_000
      const bucket = buckets.get(caller) ?? { tokens: burst, updatedMs: nowMs }
      // Moving the entry to the end keeps the map in order of last use.
      buckets.delete(caller)
      buckets.set(caller, bucket)
      bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, nowMs - bucket.updatedMs) * perMs)
      bucket.updatedMs = nowMs
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      if (buckets.size > MAX_BUCKETS) forgetOldest(buckets)
      const resetSeconds = Math.ceil((allowed ? burst - bucket.tokens : 1 - bucket.tokens) / perMs / 1000)
      return {
        allowed,
        limit: perMinute,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.max(1, resetSeconds),
      }
    },
    giveBack(caller) {
      const bucket = buckets.get(caller)
      if (bucket) bucket.tokens += 1
    },
  }
}

function forgetOldest(buckets: Map<string, Bucket>) {
  const oldest = buckets.keys().next()
  if (!oldest.done) buckets.delete(oldest.value)
}
