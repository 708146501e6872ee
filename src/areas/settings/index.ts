export { settingsRoutes } from './routes.ts'
export { BusinessType, type SettingsValues } from './schema.ts'
export { createSettings, getSettings } from './service.ts'
