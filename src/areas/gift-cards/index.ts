import type { Route } from '../../platform/http/route.ts'

export const giftCardRoutes: readonly Route[] = []
