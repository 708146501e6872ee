import { forbidden, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { Identity } from '../../../platform/auth/authenticate.ts'
import { requireFactor } from '../../../platform/auth/authenticate.ts'
import { requirePassword } from '../../../platform/auth/session.ts'
import { listPinHolders } from '../../../platform/auth/statements-tills.ts'
import { deleteSessionsAt } from '../../../platform/auth/store.ts'
import * as store from '../../../platform/auth/store-tills.ts'
import { newTillSecret, notATill } from '../../../platform/auth/till.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { type Scope, type TillRef, touchAccess, touchBoard } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets/secrets.ts'
import { notifyTillEnrolled } from '../notices/index.ts'
import { getActiveOutlet, lockForPrinters } from '../outlets/index.ts'
import { tillEnrolled, tillRevoked } from './events.ts'
import type { Till, TillIn } from './schema.ts'
import { movePrinters } from './store.ts'

/** 403 unless a manager or owner signed in to this browser with more than a PIN (B-till-1). */
export function requireEnroller(identity: Identity) {
  requireFactor(identity)
  if (identity.credential !== 'session') {
    throw forbidden('A till is enrolled in its own browser; sign in there as a manager')
  }
  requirePassword(identity.actor)
  if (identity.actor.role === 'CASHIER') throw forbidden('Only a manager or owner enrols a till')
}

/**
 * Enrols a browser. Returns the secret for its cookie. If the browser already was a till, that till is revoked, and at the same
 * outlet the new one takes over its printers and the members who used a PIN there: its offline sales still wait in the browser.
 */
export async function enrolTill(
  deps: Deps,
  scope: Scope,
  { outletId, name }: TillIn,
): Promise<{ till: Till; secret: string }> {
  const secret = newTillSecret(scope.accountId)
  const till = await inTx(deps.db, async (tx) => {
    await getActiveOutlet(tx, scope, outletId)
    const before = scope.atTill.till
    const id = newId('till')
    const ended =
      before?.accountId === scope.accountId ? await endTillOfBrowser(tx, scope, before.id, id) : undefined
    const enrolledBy = scope.actor.id
    await store.insertTill(
      tx,
      scope,
      { id, outletId, name, secretHash: sha256(secret), enrolledBy },
      scope.now,
    )
    if (ended?.outletId === outletId) {
      await lockForPrinters(tx, scope, outletId)
      await store.moveMembers(tx, scope, { from: ended.id, to: id })
      await movePrinters(tx, scope, { from: ended.id, to: id })
      touchBoard(scope, 'print', outletId)
    }
    const made = await store.findTill(tx, scope, id)
    if (!made) throw notFound('till')
    await emit(tx, scope, tillEnrolled, id, { till: { id, outletId, name } })
    await notifyTillEnrolled(deps, tx, scope, name)
    return made
  })
  if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
  return { till, secret }
}

export const listTills = (db: Db, scope: Scope): Promise<Till[]> => store.listTills(db, scope)

/**
 * Ends the till of the browser that becomes the till `replacedBy`. The cookie can be older than the till: if an answer
 * with a new cookie was lost, the till that it enrolled is the one to take over from, unless another browser has used it since.
 * Undefined if none is left.
 */
async function endTillOfBrowser(tx: Tx, scope: Scope, id: string, replacedBy: string) {
  for (let next: string | null = id; next !== null; next = await store.findSuccessor(tx, scope, next)) {
    const ended = await endTill(tx, scope, next, replacedBy)
    if (ended) return ended
  }
  return undefined
}

/** Ends a till with its PIN sessions and its unused approvals (B-till-3). Undefined if it was revoked before. */
async function endTill(tx: Tx, scope: Scope, id: string, replacedBy: string | null = null) {
  const till = await store.revokeTill(tx, scope, id, { now: scope.now, replacedBy })
  if (!till) return undefined
  await deleteSessionsAt(tx, scope.accountId, id)
  await store.deleteApprovalsAt(tx, scope.accountId, id)
  await emit(tx, scope, tillRevoked, id, { till })
  touchAccess(scope)
  return till
}

export async function revokeTill(tx: Tx, scope: Scope, id: string) {
  if (!(await endTill(tx, scope, id))) throw notFound('till')
  return { id, revoked: true as const }
}

/** The till of this browser, and who may sign in there. 403 at any other browser. */
export async function currentTill(db: Db, ref: TillRef | null) {
  const till = ref && (await store.findTillOf(db, ref))
  if (!ref || !till) throw notATill()
  return { till, members: await listPinHolders(db, ref.accountId) }
}
