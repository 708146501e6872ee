import type { FastifyBaseLogger } from 'fastify'
import { Check } from 'typebox/value'
import type { Module } from '../../../core/modules.ts'
import { parseInstant } from '../../../core/time.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { inTx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import type { PartnerEvent } from '../../../platform/partners/client.ts'
import { type Scope, scopeFor } from '../../../platform/scope.ts'
import { applyPlan } from '../../workspace/billing/index.ts'
import { progressOf, reported } from '../delivery/index.ts'
import { applyEvidence, type Transact } from '../payments/index.ts'
import { type NoticeOutcome, outcomeIn, ownerIn } from './rules.ts'
import { NoticeSession } from './schema.ts'
import * as store from './store.ts'

/** A notice with a verified signature. Retries of a notice have the same `id`. */
export type PartnerNotice = {
  deps: Deps
  log: FastifyBaseLogger
  partner: Module
  id: string
  body: PartnerEvent
  requestId: string
  address: string | null
  now: string
}

/** The effect of a notice and the workspace it changes. */
type Effect = { accountId: string; apply(once: Transact, scope: Scope): Promise<unknown> }

/**
 * Applies a notice once. Also accepts and logs notices without an effect, because the partner would otherwise retry
 * them for days (B-notice-3).
 */
export async function receive(received: PartnerNotice): Promise<void> {
  const { deps, log, partner, id, body } = received
  const found = EFFECTS[partner](body, deps)
  if (typeof found === 'string') {
    log.info({ notice: id, type: body.type }, found)
    return
  }
  const accountId = foundAccountId(found.accountId)
  if (!(await store.isWorkspace(deps.db, accountId))) {
    log.warn({ notice: id, type: body.type }, 'ignored a notice of an unknown workspace')
    return
  }
  const scope = scopeOf(received, accountId)
  const once: Transact = (work) =>
    retrying(scope, () =>
      inTx(deps.db, async (tx) => {
        if (await store.insertOnce(tx, scope, partner, id)) await work(tx)
      }),
    )
  await found.apply(once, scope)
  if (scope.boards.size > 0) deps.live.publish(accountId, scope.boards)
}

const scopeOf = ({ deps, partner, requestId, address, now }: PartnerNotice, accountId: Scope['accountId']) =>
  scopeFor(
    {
      accountId,
      actor: {
        kind: 'partner',
        id: partner,
        name: `The ${partner} partner`,
        role: 'OWNER',
        readOnly: false,
      },
    },
    { defaultTier: deps.config.defaultTier, requestId, address, now },
  )

/** The effect of a notice by partner, or the reason why it has none. */
const EFFECTS: Readonly<Record<Module, (notice: PartnerEvent, deps: Deps) => Effect | string>> = {
  payment: effectOfSession,
  fulfillment: effectOfShipment,
  marketing: () => 'a notice of a type that means nothing here',
}

function effectOfSession({ type, data }: PartnerEvent, { log }: Deps): Effect | string {
  const outcome = outcomeIn(type)
  if (outcome === null) return 'a notice of a type that means nothing here'
  const fields: Readonly<Record<string, unknown>> = data
  const session = fields['session'] ?? fields
  if (!Check(NoticeSession, session)) return 'ignored a notice without a valid session'
  const owner = ownerIn(fields)
  const { transactionId } = (session as NoticeSession).metadata
  return owner === null && transactionId === undefined
    ? planEffect(outcome, session as NoticeSession, log)
    : moneyEffect(outcome, session as NoticeSession, { owner, log })
}

function effectOfShipment({ type, data }: PartnerEvent, { partners }: Deps): Effect | string {
  const accountId = ownerIn(data)
  const told = progressOf(type, data)
  const by = partners.fulfillment?.books
  if (typeof told === 'string') return told
  if (accountId === null || by === undefined) return 'ignored a notice of a shipment without a workspace'
  return { accountId, apply: (once, scope) => once((tx) => reported(tx, scope, by, told)) }
}

function planEffect(outcome: NoticeOutcome, session: NoticeSession, log: Deps['log']): Effect | string {
  if (outcome !== 'completed') return 'ignored a notice of an unpaid plan'
  const { id: sessionId, amount, currency, metadata, paidAt } = session
  const { accountId } = metadata
  if (typeof accountId !== 'string') return 'ignored a notice of a payment without a plan'
  const payment = {
    sessionId,
    amount,
    currency,
    paidAt: typeof paidAt === 'string' ? parseInstant(paidAt) : null,
  }
  return {
    accountId,
    apply: async (once, scope) => {
      let fault: string | null = null
      await once(async (tx) => {
        fault = await applyPlan(tx, scope, payment)
      })
      if (fault !== null) log.warn({ session: sessionId, account: accountId, amount, currency }, fault)
    },
  }
}

/** The money goes only to the workspace that created the session, whatever the metadata says. */
function moneyEffect(
  outcome: NoticeOutcome,
  session: NoticeSession,
  { owner, log }: { owner: string | null; log: Deps['log'] },
): Effect | string {
  const { accountId, transactionId, paymentId } = session.metadata
  if (typeof accountId !== 'string') return 'ignored a notice of a session without a workspace'
  if (owner !== null && owner !== accountId)
    return 'ignored a notice of a session that names another workspace'
  if (session.currency !== 'IDR') return 'ignored a notice of money in another currency than rupiah'
  if (session.amount === 0) return 'ignored a notice of an amount of 0'
  const isOfBill = typeof transactionId === 'string' && typeof paymentId === 'string'
  const evidence = {
    sessionId: session.id,
    outcome: outcome === 'completed' ? ('paid' as const) : outcome,
    amount: session.amount,
    of: isOfBill ? { saleId: transactionId, paymentId } : null,
  }
  // A partner can report the same payment under several notice ids.
  const money = `money of ${session.id}`
  return {
    accountId,
    apply: (once, scope) => {
      const transact: Transact = (work) =>
        once(async (tx) => {
          const isNews = outcome !== 'completed' || (await store.insertOnce(tx, scope, 'payment', money))
          if (isNews) await work(tx)
        })
      return applyEvidence({ transact, log }, scope, evidence)
    },
  }
}
