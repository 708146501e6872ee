import { LRUCache } from 'lru-cache'

/** A token bucket per caller: `perMinute` refills, a tenth of it is the burst (B-limit-1, B-limit-3). */
export type RateLimiter = {
  take(caller: string, perMinute: number, nowMs: number): Verdict
  /** Refunds one `take`. */
  giveBack(caller: string): void
}
export type Verdict = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

type Bucket = { tokens: number; updatedMs: number }

/**
 * Maximum number of callers, to bound memory. Beyond it, the caller seen longest ago is dropped and starts again with
 * a full bucket.
 */
const MAX_BUCKETS = 50_000

export function rateLimiter(): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS })
  return {
    take(caller, perMinute, nowMs) {
      const burst = Math.max(1, Math.floor(perMinute / 10))
      const perMs = perMinute / 60_000
      const bucket = buckets.get(caller) ?? { tokens: burst, updatedMs: nowMs }
      buckets.set(caller, bucket)
      bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, nowMs - bucket.updatedMs) * perMs)
      bucket.updatedMs = nowMs
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
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
