/** Gift cards and store credit, from issue to cancellation */

export { giftCardEvents } from './events.ts'
export { giftCardExpires } from './expires.ts'
export { giftCardJobs } from './jobs.ts'
export { creditGiftCard, debitGiftCard, issueStoreCredit, lockGiftCards } from './payments.ts'
export { giftCardRoutes } from './routes.ts'
export { maskOf } from './rules.ts'
