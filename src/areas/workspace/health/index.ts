/** The health of the service, for monitors */

export { healthRoutes } from './routes.ts'
