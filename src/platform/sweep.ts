import { addMs } from '../core/time.ts'
import type { Deps } from './deps.ts'
import { REPLAY_HOURS } from './http/idempotency.ts'

const EVERY_MS = 10 * 60_000
const LOGIN_FAILURES_MS = 60 * 60_000

/**
 * Removes what has expired: replies past their replay window, sessions, counted failures. Every reader checks the
 * age itself, so a late or repeated sweep changes no answer.
 */
export async function sweep({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock.now()
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', addMs(now, -REPLAY_HOURS * 3_600_000))
    .execute()
  await db.deleteFrom('sessions').where('expiresAt', '<', now).execute()
  await db.deleteFrom('loginFailures').where('failedAt', '<', addMs(now, -LOGIN_FAILURES_MS)).execute()
  await db.deleteFrom('giftCardMisses').where('missedAt', '<', addMs(now, -LOGIN_FAILURES_MS)).execute()
}

export function startSweeper(deps: Deps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = sweep(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'sweep failed; it runs again later'),
    )
  }
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
