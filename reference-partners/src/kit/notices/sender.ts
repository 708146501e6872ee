import {
  addMs,
  epochMsOf,
  nextWaitS,
  type OutgoingClient,
  OutgoingError,
  retryAfterS,
  signedHeaders,
} from 'kasir/partner-tools'
import type { Logger } from 'pino'
import type { PartnerDatabase } from '../db.ts'
import { claim, type DueNotice, type NoticeResult, record } from './store.ts'

/**
 * Seconds before each attempt, the first included. The last attempt comes three days later, so that a weekend is
 * covered.
 */
export const NOTICE_SCHEDULE = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const ATTEMPT_MS = 15_000
/** Longer than any attempt: after it, a notice of a crashed process is due again. */
const LEASE_MS = 60_000
const AT_ONCE = 8
const SNIPPET = 200

export type SenderTools = {
  /** The name of the partner, such as payment. */
  name: string
  db: PartnerDatabase
  log: Logger
  outgoing: OutgoingClient
  now(): string
  noticeUrl: string
  secret: string
  schedule: readonly number[]
}

/** Attempts due notices in batches until none is left. Any number of processes may do so concurrently. */
export async function sendDue(tools: SenderTools, stop: AbortSignal) {
  for (;;) {
    if (stop.aborted) return
    const now = tools.now()
    const due = await claim(tools.db, { now, until: addMs(now, LEASE_MS), atMost: AT_ONCE })
    if (due.length === 0) return
    await Promise.all(due.map((notice) => attempt(tools, notice)))
  }
}

async function attempt(tools: SenderTools, notice: DueNotice) {
  const outcome = await send(tools, notice)
  await record(tools.db, outcome, tools.now())
  if (outcome.status === 'delivered') return
  const line = {
    notice: notice.id,
    attempt: notice.attempts,
    status: outcome.lastStatus,
    reason: outcome.lastError,
  }
  if (outcome.status === 'failed') tools.log.error(line, `a notice of the ${tools.name} partner was given up`)
  else tools.log.warn(line, `a notice of the ${tools.name} partner did not arrive; trying again later`)
}

async function send(tools: SenderTools, { id, body, attempts }: DueNotice): Promise<NoticeResult> {
  const now = tools.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': `kasir-reference-${tools.name}`,
    ...signedHeaders(tools.secret, id, epochMsOf(now), body),
  }
  try {
    const reply = await tools.outgoing.send({
      method: 'POST',
      url: tools.noticeUrl,
      headers,
      body,
      deadlineMs: ATTEMPT_MS,
      maxBytes: 1_024,
    })
    const lastStatus = reply.status
    if (lastStatus >= 200 && lastStatus < 300)
      return { id, status: 'delivered', dueAt: now, lastStatus, lastError: null }
    const header = reply.headers['retry-after']
    const wait = retryAfterS(typeof header === 'string' ? header : undefined, epochMsOf(now))
    return {
      ...nextAttempt(tools, attempts, wait, id),
      lastStatus,
      // PostgreSQL stores no zero byte, and a refusal in bytes would keep its notice from ever being recorded.
      lastError: reply.body.toString('utf8').slice(0, SNIPPET).replaceAll('\u0000', '\ufffd'),
    }
  } catch (error) {
    const lastError = error instanceof OutgoingError ? error.message : 'The request could not be sent'
    return { ...nextAttempt(tools, attempts, null, id), lastStatus: null, lastError }
  }
}

function nextAttempt(
  { now, schedule }: SenderTools,
  attempts: number,
  retryAfter: number | null,
  id: string,
) {
  const wait = nextWaitS(schedule, attempts, retryAfter, Math.random())
  return wait === null
    ? ({ id, status: 'failed', dueAt: now() } as const)
    : ({ id, status: 'pending', dueAt: addMs(now(), wait * 1_000) } as const)
}
