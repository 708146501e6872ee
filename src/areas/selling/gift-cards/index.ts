export { giftCardEvents } from './events.ts'
export { giftCardRoutes } from './routes.ts'
export { maskOf } from './rules.ts'
export { creditGiftCard, debitGiftCard, issueStoreCredit, lockGiftCards } from './tenders.ts'
