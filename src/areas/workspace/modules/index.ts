export { moduleEvents } from './events.ts'
export { moduleRoutes } from './routes.ts'
export { modulesOf, placeAtPartner } from './service.ts'
