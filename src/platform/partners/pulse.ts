/** The result of a health check of a partner. */
export type PartnerState = 'ok' | 'down'

/** How long one health check is cached: polling our health endpoint does not poll the partner. */
const FRESH_MS = 5_000
/** The longest that our health check waits for a partner. */
export const PATIENCE_MS = 1_000

/**
 * Whether a partner responds, from a check at most five seconds old; concurrent callers share one check. Any response
 * except 5xx counts, because not every partner has the requested path.
 */
export function openPartnerPulse(look: () => Promise<{ status: number }>): () => Promise<PartnerState> {
  let seen: { state: PartnerState; atMs: number } | undefined
  let looking: Promise<PartnerState> | undefined
  const fresh = async () => {
    const state = await look().then(
      ({ status }): PartnerState => (status < 500 ? 'ok' : 'down'),
      (): PartnerState => 'down',
    )
    seen = { state, atMs: performance.now() }
    return state
  }
  return async () => {
    if (seen && performance.now() - seen.atMs < FRESH_MS) return seen.state
    looking ??= fresh().finally(() => {
      looking = undefined
    })
    return looking
  }
}
