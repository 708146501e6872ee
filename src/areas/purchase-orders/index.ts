import type { Route } from '../../platform/http/route.ts'

export const purchaseOrderRoutes: readonly Route[] = []
