export { categoryRoutes } from './routes.ts'
export { checkCategory, getCategory } from './service.ts'
