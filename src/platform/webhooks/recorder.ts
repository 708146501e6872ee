import { addMs } from '../../core/time.ts'
import { isSharded } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { AttemptOutcome } from './attempt.ts'
import { nextWaitS } from './schedule.ts'
import * as store from './store-dispatch.ts'
import { isHopeless, NO_STREAK, streakAfter } from './streak.ts'

/** Finished attempts are recorded in batches, each collected for this time. */
const RECORD_EVERY_MS = 20

export type SwitchedOff = Pick<store.EndpointChange, 'accountId' | 'id'>
type Tools = Pick<Deps, 'config' | 'clock' | 'db' | 'log'> & {
  random: () => number
  /** Tells the workspace that the service has switched off an endpoint. */
  announceOff?: (endpoint: SwitchedOff) => Promise<void>
}
export type AttemptRecord = { due: store.DueDelivery; outcome: AttemptOutcome }
export type Recorder = {
  /** Returns false if the attempt could not be recorded; it will be made again. */
  add(recorded: AttemptRecord): Promise<boolean>
  stop(): Promise<void>
}

/** Records attempts in batches; an attempt that could not be recorded is made again. */
export function startRecorder(
  tools: Tools,
  onRecorded: (changes: readonly store.EndpointChange[]) => void,
): Recorder {
  const { log } = tools
  let batch: (AttemptRecord & { resolve: (isOnRecord: boolean) => void })[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  /** Apart from `writing`: an announcement waits for locks of its workspace, and the records of others do not. */
  let announcing: Promise<void> = Promise.resolve()

  /** Splits a batch by workspace in a sharded database, so that an unreachable worker does not block the others. */
  const apart = (taken: typeof batch) =>
    isSharded(tools.db)
      ? [...new Set(taken.map(({ due }) => due.accountId))].map((accountId) =>
          taken.filter(({ due }) => due.accountId === accountId),
        )
      : [taken]

  const flush = () => {
    timer = undefined
    const taken = batch
    batch = []
    if (taken.length === 0) return writing
    const record = async (some: typeof taken) => {
      const changes = await write(tools, some).catch((error: unknown) => {
        log.warn({ err: error, attempts: some.length }, 'could not record webhook attempts; retrying them')
        return null
      })
      if (changes) onRecorded(changes)
      for (const { resolve } of some) resolve(changes !== null)
      for (const change of changes ?? [])
        if (change.reason) announcing = announcing.then(() => announce(tools, change))
    }
    writing = writing.then(async () => {
      for (const some of apart(taken)) await record(some)
    })
    return writing
  }
  return {
    add: (recorded) =>
      new Promise<boolean>((resolve) => {
        batch.push({ ...recorded, resolve })
        timer ??= setTimeout(() => void flush(), RECORD_EVERY_MS)
      }),
    stop: async () => {
      clearTimeout(timer)
      await flush()
      await announcing
    },
  }
}

async function write(tools: Tools, recorded: readonly AttemptRecord[]) {
  const { clock, config, db } = tools
  const limits = { failures: config.webhookDisableAfter, ageS: config.webhookDisableMinAge }
  const finished = recorded.map((one) => finishedOf(tools, one))
  const decide = (endpoint: store.Endpoint): store.EndpointChange => {
    const own = recorded.filter(
      ({ due, outcome }) =>
        !outcome.isOurs && due.accountId === endpoint.accountId && due.subscriptionId === endpoint.id,
    )
    // A receiver that limits its rate is not broken.
    const outcomes = own
      .filter(({ outcome }) => outcome.attempt.statusCode !== 429)
      .map(({ outcome }) => ({ at: outcome.attempt.at, isSuccess: outcome.isSuccess }))
    // An endpoint that is off keeps its state: an attempt still in flight changes nothing.
    if (endpoint.status !== 'active') return { ...endpoint, reason: null }
    const { failures, since } = streakAfter(endpoint, outcomes)
    if (own.some(({ outcome }) => outcome.isGone)) {
      const streak = failures === 0 ? NO_STREAK : { failures, since }
      return { ...endpoint, ...streak, status: 'disabled', reason: 'GONE' }
    }
    const isOff = isHopeless({ failures, since }, clock.ms(), limits)
    return { ...endpoint, failures, since, ...(isOff ? OFF : { reason: null }) }
  }
  return store.record(db, clock.now(), finished, decide)
}

/** In a separate transaction: an announcement that fails must not undo the record, which would repeat the attempts. */
async function announce({ log, announceOff }: Tools, { accountId, id, reason }: store.EndpointChange) {
  log.warn({ account: accountId, subscription: id, reason }, 'a webhook endpoint was switched off')
  await announceOff?.({ accountId, id }).catch((error: unknown) => {
    log.warn(
      { err: error, account: accountId },
      'could not announce that a webhook endpoint was switched off',
    )
  })
}
const OFF = { status: 'disabled', reason: 'FAILING' } as const

function finishedOf(
  { config, clock, random }: Tools,
  { due, outcome }: AttemptRecord,
): store.FinishedDelivery {
  const { accountId, id, subscriptionId } = due
  const row = { accountId, id, subscriptionId, wasDueAt: due.dueAt, attempt: outcome.attempt }
  if (outcome.isSuccess) return { ...row, status: 'succeeded', dueAt: null }
  const waitS =
    due.byHand || due.body === null
      ? null
      : nextWaitS(config.webhookRetrySchedule, due.attempts + 1, outcome.retryAfterS, random())
  if (waitS === null) return { ...row, status: 'failed', dueAt: null }
  return { ...row, status: 'pending', dueAt: addMs(clock.now(), waitS * 1_000) }
}
