/** Suppliers of goods */

export { supplierRoutes } from './routes.ts'
export { getSupplier } from './service.ts'
