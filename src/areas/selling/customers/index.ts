/** The customer book, loyalty points and erasure of personal data */

export { eraseEndedShipment } from './erasure.ts'
export { customerEvents } from './events.ts'
export { listLedger } from './ledger.ts'
export { earnForSale, redeemForSale, returnForSale, reverseForSale } from './loyalty.ts'
export { customerRoutes } from './routes.ts'
export { customerGroupRoutes } from './routes-groups.ts'
export { whatsappNumberOf } from './rules.ts'
export type { Customer } from './schema.ts'
export { getCustomer, groupsOfCustomer, shareActiveCustomer, shareCustomer } from './service.ts'
export { lowerCredit, raiseCredit } from './statements-credit.ts'
export type { Ledger } from './store-ledger.ts'
