/** Settings of tracking pixels */

export { pixelRoutes } from './routes.ts'
