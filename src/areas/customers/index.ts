export { earnForSale, reverseForSale } from './loyalty.ts'
export { customerRoutes } from './routes.ts'
export { Customer } from './schema.ts'
export { getActiveCustomer, getCustomer, holdActiveCustomer, holdCustomer } from './service.ts'
