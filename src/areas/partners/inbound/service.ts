import type { FastifyBaseLogger } from 'fastify'
import { Check } from 'typebox/value'
import type { Module } from '../../../core/modules.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { inTx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import type { Told } from '../../../platform/partners/client.ts'
import { type Scope, scopeFor } from '../../../platform/scope.ts'
import { applyPlan, planIn } from '../../workspace/billing/index.ts'
import { progressOf, reported } from '../delivery/index.ts'
import { applyEvidence, type Transact } from '../payments/index.ts'
import { type Outcome, outcomeIn, ownerIn } from './rules.ts'
import { Session } from './schema.ts'
import * as store from './store.ts'

/** A notice whose signature holds. `id` is the same however often it is sent. */
export type Received = {
  deps: Deps
  log: FastifyBaseLogger
  partner: Module
  id: string
  body: Told
  requestId: string
  address: string | null
  now: string
}

/** What a notice does, and in whose workspace. */
type Effect = { accountId: string; apply(once: Transact, scope: Scope): Promise<unknown> }

/**
 * Gives a notice its effect, once. What means nothing here is accepted all the same, and logged: a partner would send it
 * for days (B-notice-3).
 */
export async function receive(received: Received): Promise<void> {
  const { deps, log, partner, id, body } = received
  const found = EFFECTS[partner](body, deps)
  if (typeof found === 'string') {
    log.info({ notice: id, type: body.type }, found)
    return
  }
  const accountId = foundAccountId(found.accountId)
  if (!(await store.isWorkspace(deps.db, accountId))) {
    log.warn({ notice: id, type: body.type }, 'a notice is about a workspace that is not here')
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

const scopeOf = ({ deps, partner, requestId, address, now }: Received, accountId: Scope['accountId']) =>
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

/** What each partner may report: the effect of a notice, or in words why it has none. */
const EFFECTS: Readonly<Record<Module, (notice: Told, deps: Deps) => Effect | string>> = {
  payment: effectOfSession,
  fulfillment: effectOfShipment,
  marketing: () => 'a notice of a type that means nothing here',
}

function effectOfSession({ type, data }: Told): Effect | string {
  const outcome = outcomeIn(type)
  if (outcome === null) return 'a notice of a type that means nothing here'
  const fields: Readonly<Record<string, unknown>> = data
  const session = fields['session'] ?? fields
  if (!Check(Session, session)) return 'a notice without a readable session'
  const owner = ownerIn(fields)
  const { transactionId } = (session as Session).metadata
  return owner === null && transactionId === undefined
    ? planEffect(outcome, session as Session)
    : moneyEffect(outcome, session as Session, owner)
}

function effectOfShipment({ type, data }: Told, { partners }: Deps): Effect | string {
  const accountId = ownerIn(data)
  const told = progressOf(type, data)
  const by = partners.fulfillment?.books
  if (typeof told === 'string') return told
  if (accountId === null || by === undefined) return 'a notice of a shipment of no workspace'
  return { accountId, apply: (once, scope) => once((tx) => reported(tx, scope, by, told)) }
}

function planEffect(outcome: Outcome, session: Session): Effect | string {
  if (outcome !== 'completed') return 'a plan was not paid for'
  const plan = planIn(session)
  const { accountId } = session.metadata
  if (plan === null || typeof accountId !== 'string') return 'a notice of a payment for no plan'
  return { accountId, apply: (once, scope) => once((tx) => applyPlan(tx, scope, plan)) }
}

/** Only the workspace whose session it is gets the money, whatever the session says. */
function moneyEffect(outcome: Outcome, session: Session, owner: string | null): Effect | string {
  const { accountId, transactionId, paymentId } = session.metadata
  if (typeof accountId !== 'string') return 'a notice of a session that pays for nothing here'
  if (owner !== null && owner !== accountId) return 'a notice of a session that names another workspace'
  if (session.currency !== 'IDR') return 'a notice of money that is not rupiah'
  if (session.amount === 0) return 'a notice of no money'
  const isOfBill = typeof transactionId === 'string' && typeof paymentId === 'string'
  const evidence = {
    sessionId: session.id,
    outcome: outcome === 'completed' ? ('paid' as const) : outcome,
    amount: session.amount,
    of: isOfBill ? { saleId: transactionId, paymentId } : null,
  }
  // A partner may report the same money under several ids.
  const money = `money of ${session.id}`
  return {
    accountId,
    apply: (once, scope) =>
      applyEvidence(
        (work) =>
          once(async (tx) => {
            const isNews = outcome !== 'completed' || (await store.insertOnce(tx, scope, 'payment', money))
            if (isNews) await work(tx)
          }),
        scope,
        evidence,
      ),
  }
}
