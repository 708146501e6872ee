import type { Route } from '../../platform/http/route.ts'

export const shiftRoutes: readonly Route[] = []
