/** Categories of products and their order */

export { categoryRoutes } from './routes.ts'
export { createCategory, getCategory, requireCategory } from './service.ts'
export { remove as removeCategory } from './store.ts'
