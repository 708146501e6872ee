import type { GiftCardVault } from '../../../core/ports.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'
import { recordVoid } from './voiding.ts'

export type Here = { tx: Tx; scope: Scope }

/** Gift cards in our own database. Their money moves in the transaction of the sale, so they do not need `key`. */
export const localVault: Pick<GiftCardVault<Here>, 'debit' | 'writeOff'> = {
  debit: async ({ tx, scope }, { code, amount }) => {
    const paid = await statements.debit(tx, scope, code, amount)
    if (paid) return { outcome: 'paid', ...paid }
    const card = await store.findByCode(tx, scope, code)
    // A card at the partner is unknown here.
    if (!card || (await store.findPlaced(tx, scope, card.id))) return { outcome: 'unknown' }
    return card.status === 'VOIDED' ? { outcome: 'voided' } : { outcome: 'short', balance: card.balance }
  },
  async writeOff({ tx, scope }, { giftCardId }) {
    const writtenOff = await statements.writeOff(tx, scope, giftCardId)
    if (writtenOff !== null) await recordVoid(tx, scope, giftCardId, writtenOff)
    return writtenOff
  },
}
