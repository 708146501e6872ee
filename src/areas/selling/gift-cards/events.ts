import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { GiftCard } from './schema.ts'

const group = 'gift card'
const data = Type.Object({ giftCard: GiftCard })

export const giftCardIssued = event('service.gift_card.issued.v1', {
  group,
  meaning: 'A gift card or store credit was issued.',
  data,
})
export const giftCardRedeemed = event('service.gift_card.redeemed.v1', {
  group,
  meaning: 'A gift card paid for a sale.',
  data,
})
export const giftCardVoided = event('service.gift_card.voided.v1', {
  group,
  meaning: 'A gift card was cancelled.',
  data,
})

export const giftCardEvents = [giftCardIssued, giftCardRedeemed, giftCardVoided]
