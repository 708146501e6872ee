import { createHash } from 'node:crypto'
import { ApiError } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { rateLimitWaitMs } from '../../../platform/partners/answer.ts'
import { isCircuitOpen, pathOf } from '../../../platform/partners/client.ts'
import { keyed } from '../../../platform/partners/forward.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { findPartnerAccount } from '../../workspace/modules/index.ts'
import { abandonedWindow, nextAttempt } from './rules.ts'
import { getCart } from './service.ts'
import * as store from './store.ts'

const TIMEOUT_MS = 5_000
const LEASE_MS = 5 * 60_000
/** The pause while the circuit breaker of the partner is open. */
const CIRCUIT_PAUSE_MS = 60_000
/** Reminders per workspace and run; the next run continues. */
const PORTION = 50

type Workspace = Pick<store.ReminderWorkspace, 'accountId' | 'delayHours'>

/**
 * Sends due reminders of a workspace one after another (B-cart-5). Claims each one only after the previous one is
 * sent, so it shows the current bill. No transaction is open during the request. If the process dies, the reminder is
 * sent again under the same reference, and the partner mails it once. Stops when the partner answers 429 or the
 * circuit breaker is open; neither counts as an attempt.
 */
export async function sendReminders(deps: Deps, workspace: Workspace, stop?: AbortSignal): Promise<void> {
  if (deps.partners.marketing === null) return
  const { accountId, delayHours } = workspace
  let send: Sender | undefined
  for (let sent = 0; sent < PORTION && !stop?.aborted; sent += 1) {
    const now = deps.clock.now()
    const { from: oldest } = abandonedWindow(now, delayHours)
    const due = await store.claim(deps.db, workspace, { now, until: addMs(now, LEASE_MS), oldest })
    if (due === undefined) return
    send ??= await createSender(deps, accountId)
    const outcome = await send(due)
    const at = deps.clock.now()
    if ('waitMs' in outcome) {
      await store.postpone(deps.db, workspace, due.id, { now: at, until: addMs(at, outcome.waitMs) })
      return
    }
    await store.record(deps.db, workspace, { id: due.id, outcome, now: at })
  }
}

type Sender = (reminder: store.DueReminder) => Promise<store.ReminderOutcome | { waitMs: number }>

async function createSender(deps: Deps, accountId: AccountId): Promise<Sender> {
  const { scope, partner } = serviceMeans(deps, {
    accountId,
    service: { id: 'reminders', name: 'Reminders' },
    timeoutMs: TIMEOUT_MS,
  })
  const { emailSubject, emailPreview } = await getCart(deps.db, scope)
  return async ({ id, attempts, email, name, total, items }) => {
    const failed = { status: 'failed', sentAt: null, dueAt: null } as const
    if (email === null) return failed
    const body = {
      reference: id,
      to: { email, name },
      subject: emailSubject,
      preview: emailPreview,
      cart: { total, items },
    }
    try {
      const { client, key } = await findPartnerAccount({ deps, scope, partner }, 'marketing')
      const asked = { method: 'POST', path: pathOf('v1', 'reminders'), key, body } as const
      await partner.call((forward) => client.ask(asked, keyed(forward, requestKeyOf(id, body))))
      return { status: 'sent', sentAt: deps.clock.now(), dueAt: null }
    } catch (error) {
      const waitMs = isCircuitOpen(error) ? CIRCUIT_PAUSE_MS : rateLimitWaitMs(error)
      const again = isFinal(error) ? null : nextAttempt(deps.clock.now(), attempts)
      deps.log.warn({ err: error, reminder: id, attempt: attempts }, 'could not send a reminder')
      if (waitMs !== null) return { waitMs }
      return again === null ? failed : { status: 'scheduled', sentAt: null, dueAt: again }
    }
  }
}

/**
 * The idempotency key at the partner. A retry repeats it. A reminder with another text has another key; the partner
 * recognizes its reference.
 */
const requestKeyOf = (id: string, body: unknown) =>
  `${id}-${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}`

/** With these statuses the partner rejects the content of the request, so a retry would fail too. */
const isFinal = (error: unknown) => error instanceof ApiError && [400, 413, 422].includes(error.status)
