/** A live stream that announces changes to boards */

export { liveRoutes } from './routes.ts'
