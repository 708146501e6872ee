/** Modifier groups, such as another kind of milk, and their prices */

export { modifierRoutes } from './routes.ts'
export { ModifierGroup } from './schema.ts'
export { attachGroups } from './service.ts'
export { listOfProduct } from './store.ts'
