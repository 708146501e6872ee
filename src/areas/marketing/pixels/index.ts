export { pixelRoutes } from './routes.ts'
