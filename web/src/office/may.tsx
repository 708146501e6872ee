import type { ReactNode } from 'react'
import { useSession } from '../app/session.ts'
import { isAllowed, type RouteName } from './page-routes.ts'

/** Tells whether the member may call a route. The service decides again when it is called. */
export function useMay(): (route: RouteName) => boolean {
  const role = useSession((session) => session.member?.role)
  return (route) => role !== undefined && isAllowed(role, route)
}

/** Shows an action to members who may call its route. `data-route` lets a test compare both. */
export function May({ route, children }: { route: RouteName; children: ReactNode }) {
  const may = useMay()
  return may(route) ? (
    <span data-route={route} className="contents">
      {children}
    </span>
  ) : null
}
