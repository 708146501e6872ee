export { categoryRoutes } from './routes.ts'
export { checkCategory, createCategory, getCategory } from './service.ts'
