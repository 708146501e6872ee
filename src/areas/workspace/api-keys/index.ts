export { apiKeyEvents } from './events.ts'
export { apiKeyRoutes } from './routes.ts'
export { ApiKey } from './schema.ts'
export { leaveKeys } from './service.ts'
