export { outletRoutes } from './routes.ts'
export { Outlet } from './schema.ts'
export { createOutlet, getActiveOutlet, getOutlet } from './service.ts'
