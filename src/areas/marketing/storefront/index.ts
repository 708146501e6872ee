/** Public addresses of a workspace for blog, feeds and referral links; they need no credential */

export { storefrontRoutes } from './routes.ts'
