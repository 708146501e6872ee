import type { Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { type Actor, type Scope, scopeFor } from '../../../platform/scope.ts'
import { giftCardVoided } from './events.ts'
import { masked, type PartnerCardState } from './rules.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/** Writes the ledger entry and the event of a card that has just become VOIDED here, in the same transaction. */
export async function recordVoid(tx: Tx, scope: Scope, id: string, writtenOff: number): Promise<void> {
  await store.insertEntry(tx, scope, {
    giftCardId: id,
    type: 'VOID',
    amount: 0 - writtenOff,
    balanceAfter: 0,
  })
  await emit(tx, scope, giftCardVoided, id, { giftCard: masked(await store.find(tx, scope, id)) })
}

const SERVICE: Actor = {
  kind: 'service',
  id: 'gift-cards',
  name: 'Gift cards',
  role: 'OWNER',
  readOnly: false,
}

/**
 * Stores the state of a card at the partner. When it becomes VOIDED, also writes the entry and the event. A void at
 * the partner, or one interrupted after the partner's part, is therefore recorded by any later request; its actor is
 * then unknown.
 */
export async function applyPartnerState(
  tx: Tx,
  scope: Scope,
  id: string,
  state: PartnerCardState,
): Promise<void> {
  const before = await statements.setKnown(tx, scope, id, state)
  if (before === undefined || state.status !== 'VOIDED') return
  await recordVoid(tx, scopeFor({ accountId: scope.accountId, actor: SERVICE }, scope), id, before.balance)
}

/** Stores a void that the partner has made for this request. Returns false if the card was already VOIDED here. */
export async function applyVoid(
  tx: Tx,
  scope: Scope,
  id: string,
  { state, writtenOff }: { state: PartnerCardState; writtenOff: number },
): Promise<boolean> {
  if ((await statements.setKnown(tx, scope, id, state)) === undefined) return false
  await recordVoid(tx, scope, id, writtenOff)
  return true
}
