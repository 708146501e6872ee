import type { GiftCardVault } from '../../../core/ports.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './store.ts'

export type Here = { tx: Tx; scope: Scope }

/** Cards whose value lies in our own database: they move in the transaction of the sale, so `key` has nothing to do. */
export const localVault: GiftCardVault<Here> = {
  debit: async ({ tx, scope }, { code, amount }) => {
    const paid = await store.debit(tx, scope, code, amount)
    if (paid) return { outcome: 'paid', ...paid }
    const card = await store.findByCode(tx, scope, code)
    if (!card) return { outcome: 'unknown' }
    return card.status === 'VOIDED' ? { outcome: 'voided' } : { outcome: 'short', balance: card.balance }
  },
  credit: ({ tx, scope }, { giftCardId, amount }) => store.credit(tx, scope, giftCardId, amount),
  writeOff: ({ tx, scope }, { giftCardId }) => store.writeOff(tx, scope, giftCardId),
}
