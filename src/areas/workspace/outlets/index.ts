/** Outlets with address, time zone and tax */

export { outletEvents } from './events.ts'
export { outletRoutes } from './routes.ts'
export { CashRoundingTerms, Outlet, ServiceTermFields } from './schema.ts'
export { clockOfFilter, createOutlet, getActiveOutlet, getOutlet } from './service.ts'
export { lockForPrinters, setStationPrinters } from './store.ts'
