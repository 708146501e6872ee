/** Modules: sets of features that need a partner and that a workspace switches on */

export { moduleEvents } from './events.ts'
export { moduleRoutes } from './routes.ts'
export { findPartnerAccount, type ModuleContext, modulesOf, standingOf } from './service.ts'
