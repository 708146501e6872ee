import { forbidden } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import { changedPinError, checkPin, forgivePin } from '../../../platform/auth/pins.ts'
import { holdPin } from '../../../platform/auth/statements-tills.ts'
import * as store from '../../../platform/auth/store-tills.ts'
import { notATill } from '../../../platform/auth/till.ts'
import { inTx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { findReplay, type IdempotencyKey, type Reply, runWrite } from '../../../platform/http/idempotency.ts'
import type { Role, Scope } from '../../../platform/scope.ts'
import { randomToken, sha256 } from '../../../platform/secrets/secrets.ts'
import { approvalGiven, approvalRefused } from './events.ts'
import type { Approval, ApprovalIn } from './schema.ts'

/** Long enough to send a request that was refused again, too short to keep one for later (B-approval-4). */
const APPROVAL_MS = 2 * 60_000

/** 403: approving takes the rights that the caller lacks. */
function requireApprover(role: Role | null) {
  if (role === 'CASHIER') throw forbidden('Only a manager or owner approves; choose one of them')
}

/**
 * Gives a one-time token for an action at this till (B-approval-4). The PIN is checked as at a sign-in: 401 for a wrong
 * one, 429 after five.
 */
export async function giveApproval(
  deps: Deps,
  scope: Scope,
  { memberId, pin, action, subjectId = null }: ApprovalIn,
  idem: IdempotencyKey | null,
): Promise<Reply> {
  const replay = idem && (await findReplay(deps, deps.db, scope, idem))
  if (replay) return replay
  const { accountId, now } = scope
  const { till } = scope.atTill
  if (till?.accountId !== accountId) throw notATill()
  const onWrong = () =>
    inTx(deps.db, (tx) => emit(tx, scope, approvalRefused, memberId, { memberId, action, tillId: till.id }))
  const pinHash = await checkPin(
    deps,
    till,
    { memberId, pin, now },
    { requireRole: requireApprover, onWrong },
  )
  const reply = await runWrite(deps, scope, idem, async (tx) => {
    const approver = await holdPin(tx, accountId, memberId, pinHash)
    if (!approver) throw changedPinError()
    requireApprover(approver.role)
    if (!(await store.holdTill(tx, till, now))) throw notATill()
    await store.noteUse(tx, till, memberId, now)
    const token = randomToken()
    const id = newId('approval')
    const expiresAt = addMs(now, APPROVAL_MS)
    const row = { id, tokenHash: sha256(token), tillId: till.id, memberId, action, subjectId }
    await store.insertApproval(tx, scope, { ...row, createdAt: now, expiresAt })
    const approval: Approval = { id, action, subjectId, tillId: till.id, approvedBy: memberId, expiresAt }
    await emit(tx, scope, approvalGiven, id, { approval })
    return { status: 201, value: { approval, token }, secret: true }
  })
  await forgivePin(deps.db, till, memberId).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'wrong PINs were not forgiven'),
  )
  return reply
}
