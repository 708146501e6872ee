/** How a partner looked. */
export type PartnerState = 'ok' | 'down'

/** How long one look counts: whoever polls health, however often, does not poll the partner with it. */
const FRESH_MS = 5_000
/** What health waits for a partner at most. */
export const PATIENCE_MS = 1_000

/**
 * Whether a partner answers, as of a look that is at most five seconds old; those who ask at the same time share one. Any
 * answer but a fault of its own (5xx) is one: not every partner has the path that is asked.
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
