/** API keys for tills, scripts and integrations */

export { apiKeyEvents } from './events.ts'
export { apiKeyRoutes } from './routes.ts'
export { ApiKey } from './schema.ts'
export { applyRoleChange, leaveKeys } from './service.ts'
