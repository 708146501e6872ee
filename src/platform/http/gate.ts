import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../core/errors.ts'
import { authenticate, type Identity, requireSameSite } from '../auth/authenticate.ts'
import type { Places } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { ROLES } from '../scope.ts'
import { requireDelegable } from './delegable.ts'
import { authOf, isUnsafe, type Route, roleOf } from './route.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    identity: Identity | null
  }
}

/** Looks at credentials that nobody has proved yet share one workspace's part of the connections. */
const STRANGERS = 'strangers'

/**
 * Who asks, and whether they may: runs before the body is read, so a caller without rights learns nothing from it
 * (B-request-1).
 */
export function gateOf(deps: Deps, row: Route, places: Places): (request: FastifyRequest) => Promise<void> {
  const auth = authOf(row)
  return async (request) => {
    if (auth === 'credential') {
      request.identity = await authenticate(deps, request, request.now, {
        remember: row.provesKey,
        ...(request.isKnown ? {} : { within: (look) => places.within(STRANGERS, look) }),
      })
      admit(row, request.identity)
    }
    // Signing in is a write of the browser as well: no other site may sign a visitor in or out.
    if (auth === 'session') requireSameSite(deps.config, request)
  }
}

function admit(row: Route, { actor }: Identity) {
  if (actor.readOnly && isUnsafe(row.method)) throw forbidden('This API key may only read')
  if (actor.delegation !== undefined) requireDelegable(row, actor.delegation.mode)
  if (ROLES.indexOf(actor.role) < ROLES.indexOf(roleOf(row))) {
    throw forbidden(
      `This needs the role ${roleOf(row).toLowerCase()}; you are signed in as ${actor.role.toLowerCase()}`,
    )
  }
}
