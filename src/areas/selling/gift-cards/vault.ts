import type { GiftCardVault } from '../../../core/ports.ts'
import { adopted, owe, partnerVault } from './at-partner.ts'
import { type Here, localVault } from './local.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/** All gift cards, here and at the partner. A code is searched here first, then at the partner (B-card-8). */
export const vault: GiftCardVault<Here> = {
  async debit(at, movement) {
    const here = await localVault.debit(at, movement)
    if (here.outcome !== 'unknown') return here
    const { tx, scope } = at
    const { code } = movement
    const card = (await store.findPlacedByCode(tx, scope, code)) ?? (await adopted(tx, scope, code))
    return card ? partnerVault.debit({ ...at, card }, movement) : here
  },

  async credit(at, movement) {
    const { giftCardId, amount } = movement
    const { tx, scope } = at
    const credited = await statements.credit(tx, scope, giftCardId, amount)
    if (!credited) return null
    const { balance, partnerPlace, partnerCardId } = credited
    if (partnerPlace === null || partnerCardId === null) return balance
    await owe(at, { giftCardId, partnerPlace, partnerCardId, amount })
    return balance
  },

  async writeOff(at, movement) {
    const card = await store.findPlaced(at.tx, at.scope, movement.giftCardId)
    return card ? partnerVault.writeOff({ ...at, card }, movement) : localVault.writeOff(at, movement)
  },
}
