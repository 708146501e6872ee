export { categoryRoutes } from './routes.ts'
export { checkCategory, createCategory, getCategory } from './service.ts'
export { remove as removeCategory } from './store.ts'
