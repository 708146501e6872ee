export { settingsRoutes } from './routes.ts'
export { BusinessType } from './schema.ts'
export { createSettings, getSettings } from './service.ts'
