/** Modifier groups, such as another kind of milk, and their prices */

export { modifierRoutes } from './routes.ts'
export { ModifierGroup } from './schema.ts'
export { attachGroups, deleteGroup, getGroup } from './service.ts'
export { detach, listAttached, listOfProduct } from './store.ts'
