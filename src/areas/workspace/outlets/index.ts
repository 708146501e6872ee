/** Outlets with address, time zone and tax */

export { outletEvents } from './events.ts'
export { outletRoutes } from './routes.ts'
export { DEFAULT_TAX_LABEL, Outlet } from './schema.ts'
export { clockOfFilter, createOutlet, getActiveOutlet, getOutlet } from './service.ts'
