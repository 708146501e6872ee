import type { GiftCardVault } from '../../../core/ports.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

export type Here = { tx: Tx; scope: Scope }

/** Cards whose value lies in our own database: they move in the transaction of the sale, so `key` has nothing to do. */
export const localVault: Pick<GiftCardVault<Here>, 'debit' | 'writeOff'> = {
  debit: async ({ tx, scope }, { code, amount }) => {
    const paid = await statements.debit(tx, scope, code, amount)
    if (paid) return { outcome: 'paid', ...paid }
    const card = await store.findByCode(tx, scope, code)
    // One whose value lies elsewhere is not known here.
    if (!card || (await store.findPlaced(tx, scope, card.id))) return { outcome: 'unknown' }
    return card.status === 'VOIDED' ? { outcome: 'voided' } : { outcome: 'short', balance: card.balance }
  },
  writeOff: ({ tx, scope }, { giftCardId }) => statements.writeOff(tx, scope, giftCardId),
}
