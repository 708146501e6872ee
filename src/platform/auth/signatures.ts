import { availableParallelism } from 'node:os'
import type { Clock } from '../clock.ts'
import { gate } from './gate.ts'
import type { Claims, Verify } from './jwt.ts'

/** A token that a request shows, and where it comes from. */
export type Shown = { secret: string; hash: string; network: string }
/** Null for a token that is wrong in any way; 429 beyond the line of those that wait for a check. */
export type Prove<T extends Claims> = (shown: Shown, now: string) => Promise<T | null>

/** Checks at once; like passwords they leave one core to the tills. */
const PLACES = Math.max(1, availableParallelism() - 1)

/**
 * The line of those whose signature is to be checked, which costs a tenth of a millisecond of a core or more. Networks
 * take turns in it, so that the invented tokens of one hold up no other.
 */
export const signatureLine = () =>
  gate(['token'], {
    places: PLACES,
    waiting: 512,
    waitingOfOne: 64,
    crowded: 'Too many tokens are being checked; try again in a few seconds',
  })

/** How long a proof is good without another check, so that a key the provider withdrew opens no longer than this. */
const PROVED_MS = 60_000
/** Beyond this many the oldest proof is forgotten: it costs one check to be made again. */
const MAX_PROOFS = 10_000

/**
 * Proves tokens of one kind. One that was proved within the minute costs nothing and waits in no line: a flood of
 * invented ones does not reach known callers.
 */
export function provingBy<T extends Claims>(
  verify: Verify<T>,
  line: ReturnType<typeof signatureLine>,
  clock: Clock,
): Prove<T> {
  /** By the hash of the token, oldest first; nothing here could be sent as one. */
  const proofs = new Map<string, { claims: T; sinceMs: number }>()

  const recall = (hash: string): T | undefined => {
    const proof = proofs.get(hash)
    if (!proof) return undefined
    const nowMs = clock.ms()
    const age = nowMs - proof.sinceMs
    if (age >= 0 && age < PROVED_MS && nowMs < proof.claims.untilMs) return proof.claims
    proofs.delete(hash)
    return undefined
  }
  const remember = (hash: string, claims: T) => {
    proofs.delete(hash)
    proofs.set(hash, { claims, sinceMs: clock.ms() })
    const [oldest] = proofs.keys()
    if (proofs.size > MAX_PROOFS && oldest !== undefined) proofs.delete(oldest)
  }

  return async ({ secret, hash, network }, now) => {
    const known = recall(hash)
    if (known) return known
    const claims = await verify(secret, now, (check) => line({ lane: 'token', key: network }, check))
    if (claims) remember(hash, claims)
    return claims
  }
}
