/** Browsers that are enrolled as tills, and approvals that a manager gives there */

export { tillEvents } from './events.ts'
export { approvalRoutes, tillRoutes } from './routes.ts'
