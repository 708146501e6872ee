import type { FastifyRequest } from 'fastify'
import { ApiError, authRequired, forbidden } from '../../core/errors.ts'
import type { Module } from '../../core/modules.ts'
import { authenticate, type Identity, requireFactor, requireSameSite } from '../auth/authenticate.ts'
import { isSharded } from '../db/open.ts'
import type { Places } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { type ModuleAtGate, ROLES } from '../scope.ts'
import { requireDelegable } from './delegable.ts'
import { DISABLED } from './refusals.ts'
import { authOf, isUnsafe, type Route, roleOf } from './route.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    identity: Identity | null
    /** What the gate has read of the modules; null where the row has none. */
    modules: readonly ModuleAtGate[] | null
  }
}

/** What a row with a `module` is held to, as of one look. */
export type Standing = {
  /** Whether the caller's API key is still valid; true for any other credential, which has been proved by then. */
  keyHolds: boolean
  /** What is switched on and what the plan still allows. */
  enabled: ReadonlySet<Module>
  modules: readonly ModuleAtGate[]
}

/** What the gate asks of the rest of the service. */
export type GateMeans = {
  /** Whose credential it is; `authenticate` where nothing else is named. */
  identify: typeof authenticate
  standingOf?: ((deps: Deps, identity: Identity, now: string) => Promise<Standing>) | undefined
}
export const GATE_MEANS: GateMeans = { identify: authenticate }

/** Lookups of credentials that nobody has proved yet share one workspace's part of the connections. */
const STRANGERS = 'strangers'

type Gate = (request: FastifyRequest) => Promise<void>

/**
 * Who asks, and whether they may: runs before the body is read, so a caller without rights learns nothing from it. The
 * order is credential, delegation and role, module (B-request-1).
 */
export function gateOf(deps: Deps, row: Route, places: Places, means: GateMeans): Gate {
  const auth = authOf(row)
  // The look at the modules proves the key as well.
  const { module, provesKey = module !== undefined } = row
  const remember = provesKey === 'acrossWorkers' ? isSharded(deps.db) : provesKey
  return async (request) => {
    if (auth === 'credential') {
      const identity = await means.identify(deps, request, request.now, {
        remember,
        ...(request.isKnown ? {} : { within: (look) => places.within(STRANGERS, look) }),
      })
      request.identity = identity
      admit(row, identity)
      if (module !== undefined) {
        request.modules = await requireModule(deps, module, identity, request.now, means)
        request.identity = { ...identity, remembered: false }
      }
    }
    // Signing in is a write of the browser as well: no other site may sign a visitor in or out.
    if (auth === 'session') requireSameSite(deps.config, request)
  }
}

function admit(row: Route, identity: Identity) {
  requireFactor(identity)
  const { actor } = identity
  if (actor.readOnly && isUnsafe(row.method)) throw forbidden('This API key may only read')
  if (actor.delegation !== undefined) requireDelegable(row, actor.delegation.mode)
  if (ROLES.indexOf(actor.role) < ROLES.indexOf(roleOf(row))) {
    throw forbidden(
      `This needs the role ${roleOf(row).toLowerCase()}; you are signed in as ${actor.role.toLowerCase()}`,
    )
  }
}

async function requireModule(
  deps: Deps,
  module: Module,
  identity: Identity,
  now: string,
  { standingOf }: GateMeans,
): Promise<readonly ModuleAtGate[]> {
  const standing = await standingOf?.(deps, identity, now)
  if (standing?.keyHolds === false) throw authRequired()
  if (standing?.enabled.has(module)) return standing.modules
  throw new ApiError(DISABLED[module], `The ${module} module is off; switch it on under modules first`)
}
