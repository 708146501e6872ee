import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { gate } from './gate.ts'
import type { Claims, TokenVerifier } from './jwt.ts'

/** A token from a request, and the network it came from. */
export type PresentedToken = { secret: string; hash: string; network: string }
/** Verifies a token. Returns null if it is invalid; throws 429 if the queue is full. */
export type Prove<T extends Claims> = (shown: PresentedToken, now: string) => Promise<T | null>

/** Concurrent checks; as with passwords, one core is left to the tills. */
const PLACES = Math.max(1, availableParallelism() - 1)

/**
 * Creates the queue of signature checks, each of which takes at least 0.1 ms of one core. Networks take turns, so
 * forged tokens from one do not delay another.
 */
export const signatureLine = () =>
  gate(['token'], {
    places: PLACES,
    waiting: 512,
    waitingOfOne: 64,
    crowded: 'Too many tokens are being checked; try again in a few seconds',
  })

/** How long a verified token is cached, so that a token of a withdrawn key is not accepted from here any longer. */
const PROVED_MS = 60_000
/** Maximum number of cached proofs (LRU); a dropped proof costs one more check. */
const MAX_PROOFS = 10_000

/**
 * Verifies tokens of one kind. A token verified within the last minute skips the queue, so a flood of forged tokens
 * does not affect known callers.
 */
export function provingBy<T extends Claims>(
  verify: TokenVerifier<T>,
  line: ReturnType<typeof signatureLine>,
  clock: Clock,
): Prove<T> {
  /** Keyed by token hash, so the cache holds no usable token. */
  const proofs = new LRUCache<string, { claims: T; sinceMs: number }>({ max: MAX_PROOFS })

  const recall = (hash: string): T | undefined => {
    const proof = proofs.get(hash)
    if (!proof) return undefined
    const nowMs = clock.ms()
    const age = nowMs - proof.sinceMs
    if (age >= 0 && age < PROVED_MS && nowMs < proof.claims.untilMs) return proof.claims
    proofs.delete(hash)
    return undefined
  }

  return async ({ secret, hash, network }, now) => {
    const known = recall(hash)
    if (known) return known
    const claims = await verify(secret, now, (check) => line({ lane: 'token', key: network }, check))
    if (claims) proofs.set(hash, { claims, sinceMs: clock.ms() })
    return claims
  }
}
