import type { Route } from '../../platform/http/route.ts'

export { getTableForSale } from './service.ts'

export const tableRoutes: readonly Route[] = []
