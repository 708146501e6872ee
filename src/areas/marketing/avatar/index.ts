/** Pictures of creators, read from the marketing partner */

export { avatarRoutes } from './routes.ts'
