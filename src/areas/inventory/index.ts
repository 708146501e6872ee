import type { Route } from '../../platform/http/route.ts'

export const inventoryRoutes: readonly Route[] = []
