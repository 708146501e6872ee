/** Floors and tables of an outlet, and the floor map */

export { tableRoutes } from './routes.ts'
export { getTable, getTableForSale } from './service.ts'
