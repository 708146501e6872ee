import { CompiledQuery } from 'kysely'
import { addMs } from '../core/time.ts'
import type { Deps } from './deps.ts'
import { expiryOf } from './http/idempotency.ts'
import { countedSince } from './mail-budget.ts'

const EVERY_MS = 10 * 60_000
/** Failed sign-ins and unknown gift card codes: longer than the windows that count them. */
const COUNTED_MS = 60 * 60_000
/** Mails that nobody took while the mail server was configured away: their links have ended by then. */
const UNSENT_MS = 14 * 86_400_000
/** Rows of one statement: far below what its time limit allows, and a client that waits for one of them waits briefly. */
const BATCH = 5_000

// The condition stands twice: a key that was taken anew between the choice and the deletion is no longer old. Rows that
// somebody holds are left for the next sweep.
const EXPIRED: { table: string; text: string; before(now: string): string }[] = [
  {
    table: 'idempotency_keys',
    text: `delete from idempotency_keys where created_at < $1 and (account_id, key) in (select account_id, key
      from idempotency_keys where created_at < $1 limit ${BATCH} for update skip locked)`,
    before: (now) => expiryOf({ now }),
  },
  {
    table: 'sessions',
    text: `delete from sessions where expires_at < $1 and (account_id, id) in (select account_id, id
      from sessions where expires_at < $1 limit ${BATCH} for update skip locked)`,
    before: (now) => now,
  },
  {
    table: 'login_failures',
    text: `delete from login_failures where failed_at < $1 and (subject, id) in (select subject, id
      from login_failures where failed_at < $1 limit ${BATCH} for update skip locked)`,
    before: (now) => addMs(now, -COUNTED_MS),
  },
  {
    table: 'gift_card_misses',
    text: `delete from gift_card_misses where missed_at < $1 and (account_id, actor_id, id) in (select account_id,
      actor_id, id from gift_card_misses where missed_at < $1 limit ${BATCH} for update skip locked)`,
    before: (now) => addMs(now, -COUNTED_MS),
  },
  {
    table: 'sent_mails',
    text: `delete from sent_mails where sent_at < $1 and (account_id, id) in (select account_id, id
      from sent_mails where sent_at < $1 limit ${BATCH} for update skip locked)`,
    before: countedSince,
  },
  {
    table: 'mails',
    text: `delete from mails where created_at < $1 and (account_id, id) in (select account_id, id
      from mails where created_at < $1 limit ${BATCH} for update skip locked)`,
    before: (now) => addMs(now, -UNSENT_MS),
  },
]

type Tools = Pick<Deps, 'db' | 'clock' | 'log'>

/**
 * Removes what has expired: replies past their replay window, sessions, counted failures and mails. Every reader checks the
 * age itself, so a late or repeated sweep changes no answer. A table that cannot be swept keeps none of the others.
 */
export async function sweep({ db, clock, log }: Tools, stop?: AbortSignal) {
  const now = clock.now()
  for (const { table, text, before } of EXPIRED) {
    try {
      let removed = BATCH
      while (removed === BATCH && !stop?.aborted) {
        const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [before(now)]))
        removed = Number(numAffectedRows)
      }
    } catch (error) {
      log.warn({ err: error, table }, 'sweep failed; it runs again later')
    }
  }
}

export function startSweeper(tools: Tools): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= sweep(tools, stopping.signal).finally(() => {
      running = undefined
    })
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
