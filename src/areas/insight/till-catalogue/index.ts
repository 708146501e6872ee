/** All that a till needs to sell, in one answer, and what changed since */

export { catalogueRoutes } from './routes.ts'
