export { categoryRoutes } from './routes.ts'
export { getCategory } from './service.ts'
