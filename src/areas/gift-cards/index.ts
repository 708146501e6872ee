export { giftCardRoutes } from './routes.ts'
export { creditGiftCard, debitGiftCard, issueStoreCredit, lockGiftCards } from './tenders.ts'
