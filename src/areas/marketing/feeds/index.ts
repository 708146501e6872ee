/** Product feeds for merchant centres, and their settings */

export { publicFeed } from './public.ts'
export { feedRoutes } from './routes.ts'
export { getFeeds } from './service.ts'
