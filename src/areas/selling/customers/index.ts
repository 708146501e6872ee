export { earnForSale, reverseForSale } from './loyalty.ts'
export { customerRoutes } from './routes.ts'
export type { Customer } from './schema.ts'
export { getCustomer, shareActiveCustomer, shareCustomer } from './service.ts'
