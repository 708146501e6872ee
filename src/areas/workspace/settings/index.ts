/** Settings of the whole workspace, such as the business name and the loyalty program */

export { settingsEvents } from './events.ts'
export { settingsRoutes } from './routes.ts'
export { BusinessType } from './schema.ts'
export { createSettings, ensurePublicSlug, getSettings, setPricingVersion } from './service.ts'
export { workspaceAt } from './slugs.ts'
