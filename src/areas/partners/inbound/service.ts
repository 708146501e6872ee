import type { FastifyBaseLogger } from 'fastify'
import { Check } from 'typebox/value'
import type { Module } from '../../../core/modules.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import { type Scope, scopeFor } from '../../../platform/scope.ts'
import { applyPlan, planIn } from '../../workspace/billing/index.ts'
import { outcomeIn, ownerIn } from './rules.ts'
import { type Notice, Session } from './schema.ts'
import * as store from './store.ts'

/** A notice whose signature holds. `id` is the same however often it is sent. */
export type Received = {
  deps: Deps
  log: FastifyBaseLogger
  partner: Module
  id: string
  body: Notice
  requestId: string
  address: string | null
  now: string
}

/** What a notice does, and in whose workspace. */
type Effect = { accountId: string; apply(tx: Tx, scope: Scope): Promise<unknown> }

/**
 * Gives a notice its effect, once. What means nothing here is accepted all the same, and logged: a partner would send it
 * for days (B-notice-3).
 */
export async function receive(received: Received): Promise<void> {
  const { deps, log, partner, id, body } = received
  const found = effectOf(body)
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
  await retrying(scope, () =>
    inTx(deps.db, async (tx) => {
      if (await store.insertOnce(tx, scope, partner, id)) await found.apply(tx, scope)
    }),
  )
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

/** The effect of a notice, or in words why it has none. */
function effectOf({ type, data }: Notice): Effect | string {
  const outcome = outcomeIn(type)
  if (outcome === null) return 'a notice of a type that means nothing here'
  const fields: Readonly<Record<string, unknown>> = data
  const session = fields['session'] ?? fields
  if (!Check(Session, session)) return 'a notice without a readable session'
  const owner = ownerIn(fields)
  return owner === null
    ? planEffect(outcome, session as Session)
    : 'a notice of a session that pays for nothing here'
}

function planEffect(outcome: string, session: Session): Effect | string {
  if (outcome !== 'completed') return 'a plan was not paid for'
  const plan = planIn(session)
  const { accountId } = session.metadata
  if (plan === null || typeof accountId !== 'string') return 'a notice of a payment for no plan'
  return { accountId, apply: (tx, scope) => applyPlan(tx, scope, plan) }
}
