export { earnForSale, reverseForSale } from './loyalty.ts'
export { customerRoutes } from './routes.ts'
export type { Customer } from './schema.ts'
export { getCustomer, holdActiveCustomer, holdCustomer } from './service.ts'
