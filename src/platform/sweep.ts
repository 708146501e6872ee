import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { firstIdAt } from '../core/ids.ts'
import { addMs } from '../core/time.ts'
import type { Deps } from './deps.ts'
import { expiryOf } from './http/idempotency.ts'
import { countedSince } from './mail-budget.ts'

const EVERY_MS = 10 * 60_000
/** A stop does not wait for a statement that hangs; the next sweep removes what this one left. */
const STOP_MS = 2_000
/** Failed sign-ins and unknown gift card codes: longer than the windows that count them. */
const COUNTED_MS = 60 * 60_000
/** Mails left unsent because the mail server was taken out of the configuration: their links have expired by then. */
const UNSENT_MS = 14 * 86_400_000
/**
 * Rows of one statement: far below what its time limit allows, and a client that waits for one of them waits briefly.
 */
const BATCH = 5_000

const DAY_MS = 24 * 3_600_000
/** Events are kept for webhooks and readers for a quarter; those of the audit log alone for a year and a month. */
const EVENTS_MS = 90 * DAY_MS
const AUDIT_MS = 400 * DAY_MS

// The condition is there twice: a key that was taken again between the choice and the deletion is no longer old. Rows
// that somebody holds are left for the next sweep.
const EXPIRED: { table: string; text: string; before(now: string): string }[] = [
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

type OfWorkspace = { table: string; due: string; text: string; before(nowMs: number, now: string): string }

/**
 * What every workspace writes all day is swept workspace by workspace, through an index that begins with the workspace:
 * `due` finds those that hold anything older than $1, `text` removes it from the one named by $2.
 */
const EXPIRED_OF_WORKSPACE: readonly OfWorkspace[] = [
  {
    table: 'idempotency_keys',
    due: `select a.account_id as "accountId" from accounts a where exists (
        select from idempotency_keys k where k.account_id = a.account_id and k.created_at < $1)`,
    text: `delete from idempotency_keys where account_id = $2 and created_at < $1 and key in (select key
        from idempotency_keys where account_id = $2 and created_at < $1 order by created_at limit ${BATCH}
        for update skip locked)`,
    before: (_, now) => expiryOf({ now }),
  },
  // An event's id carries its time, so the primary key is in order of age.
  {
    table: 'events',
    due: `select a.account_id as "accountId" from accounts a where exists (
        select from events e where e.account_id = a.account_id and e.id < $1 and e.type not like 'audit.%')`,
    text: `delete from events where account_id = $2 and id in (select id from events
        where account_id = $2 and id < $1 and type not like 'audit.%' order by id limit ${BATCH} for update skip locked)`,
    before: (nowMs) => firstIdAt('event', nowMs - EVENTS_MS),
  },
  {
    table: 'events',
    due: `select a.account_id as "accountId" from accounts a where exists (
        select from events e where e.account_id = a.account_id and e.id < $1)`,
    text: `delete from events where account_id = $2 and id in (select id from events
        where account_id = $2 and id < $1 order by id limit ${BATCH} for update skip locked)`,
    before: (nowMs) => firstIdAt('event', nowMs - AUDIT_MS),
  },
]

type Tools = Pick<Deps, 'db' | 'clock' | 'log'>

/**
 * Removes what has expired: replies past their replay window, sessions, counted failures and mails, events past their
 * retention (decision 0013). Every reader checks the age itself or does without, so a late or repeated sweep changes
 * no answer. One failing table does not block the rest.
 */
export async function sweep({ db, clock, log }: Tools, stop?: AbortSignal) {
  const now = clock.now()
  const remove = async (text: string, values: string[]) => {
    let removed = BATCH
    while (removed === BATCH && !stop?.aborted) {
      const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
      removed = Number(numAffectedRows)
    }
  }
  const guarded = async (table: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error, table }, 'sweep failed; it will run again later')
    }
  }
  for (const { table, text, before } of EXPIRED) await guarded(table, () => remove(text, [before(now)]))
  for (const { table, due, text, before } of EXPIRED_OF_WORKSPACE)
    await guarded(table, async () => {
      const edge = before(clock.ms(), now)
      const { rows } = await db.executeQuery<{ accountId: string }>(CompiledQuery.raw(due, [edge]))
      for (const { accountId } of rows) await remove(text, [edge, accountId])
    })
}

/** What an area cleans up after itself, in addition to the rows that expire. */
export type Chore = { name: string; run(tools: Tools): Promise<void> }

async function doChores(tools: Tools, chores: readonly Chore[], stop: AbortSignal) {
  for (const { name, run } of chores) {
    if (stop.aborted) return
    await run(tools).catch((error: unknown) => {
      tools.log.warn({ err: error, chore: name }, 'sweep failed; it will run again later')
    })
  }
}

export function startSweeper(tools: Tools, chores: readonly Chore[]): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= sweep(tools, stopping.signal)
      .then(() => doChores(tools, chores, stopping.signal))
      .finally(() => {
        running = undefined
      })
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}
