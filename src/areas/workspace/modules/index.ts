export { moduleEvents } from './events.ts'
export { moduleRoutes } from './routes.ts'
export { type Means, modulesOf, placeAtPartner, standingOf } from './service.ts'
