import { ApiError } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import { keyed } from '../../../platform/partners/forward.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { placeAtPartner } from '../../workspace/modules/index.ts'
import { nextAttempt } from './rules.ts'
import { getCart } from './service.ts'
import * as store from './store.ts'

/** Reminders taken at once: all of them are tried within the lease, however slow the partner is. */
const PORTION = 20
const TIMEOUT_MS = 5_000
const LEASE_MS = 5 * 60_000

/**
 * Sends what is due of a workspace, one after the other (B-cart-5). No transaction is open while the partner is asked: a
 * process that dies in between leaves a reminder that is sent again under its own name, which the partner does once.
 */
export async function sendReminders(
  deps: Deps,
  { accountId }: { accountId: AccountId },
  stop?: AbortSignal,
): Promise<void> {
  if (deps.partners.marketing === null) return
  for (;;) {
    const now = deps.clock.now()
    const due = await store.claim(
      deps.db,
      { accountId },
      { now, until: addMs(now, LEASE_MS), limit: PORTION },
    )
    if (due.length === 0) return
    const send = await senderOf(deps, accountId)
    for (const reminder of due) {
      if (stop?.aborted) return
      await store.record(deps.db, { accountId }, reminder.id, await send(reminder), deps.clock.now())
    }
  }
}

async function senderOf(deps: Deps, accountId: AccountId) {
  const { scope, partner } = serviceMeans(deps, {
    accountId,
    service: { id: 'reminders', name: 'Reminders' },
    timeoutMs: TIMEOUT_MS,
  })
  const { emailSubject, emailPreview } = await getCart(deps.db, scope)
  return async ({ id, attempts, email, name, total, items }: store.Due): Promise<store.Outcome> => {
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
      const { client, key } = await placeAtPartner({ deps, scope, partner }, 'marketing')
      const asked = { method: 'POST', path: pathOf('v1', 'reminders'), key, body } as const
      await partner.call((forward) => client.ask(asked, keyed(forward, id)))
      return { status: 'sent', sentAt: deps.clock.now(), dueAt: null }
    } catch (error) {
      const again = isFinal(error) ? null : nextAttempt(deps.clock.now(), attempts)
      deps.log.warn({ err: error, reminder: id, attempt: attempts }, 'a reminder could not be sent')
      return again === null ? failed : { status: 'scheduled', sentAt: null, dueAt: again }
    }
  }
}

/** What the partner refuses for what it says is refused tomorrow as well. */
const isFinal = (error: unknown) => error instanceof ApiError && [400, 413, 422].includes(error.status)
