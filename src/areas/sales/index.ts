import type { Route } from '../../platform/http/route.ts'

export const saleRoutes: readonly Route[] = []
