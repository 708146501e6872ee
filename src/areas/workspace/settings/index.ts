export { settingsEvents } from './events.ts'
export { settingsRoutes } from './routes.ts'
export { BusinessType } from './schema.ts'
export { createSettings, getSettings } from './service.ts'
