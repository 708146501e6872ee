/** Builds the routes that forward a request to a partner; it has no routes itself */

export { type ForwardedRoute, forwardedRow } from './row.ts'
