export { tableRoutes } from './routes.ts'
export { getTable, getTableForSale } from './service.ts'
