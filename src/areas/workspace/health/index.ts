/** The health of the service, for monitors */

export { healthRoutes } from './routes.ts'
export { Health } from './schema.ts'
export { readHealth } from './service.ts'
