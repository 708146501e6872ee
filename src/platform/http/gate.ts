import type { FastifyRequest } from 'fastify'
import { ApiError, authRequired, forbidden } from '../../core/errors.ts'
import { isUnsafe } from '../../core/methods.ts'
import type { Module } from '../../core/modules.ts'
import { authenticate, type Identity, requireFactor, requireSameSite } from '../auth/authenticate.ts'
import { requirePassword } from '../auth/session.ts'
import { isSharded } from '../db/open.ts'
import type { Places } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { type ModuleAtGate, ROLES, type Role } from '../scope.ts'
import { requireDelegable } from './delegable.ts'
import { DISABLED } from './refusals.ts'
import { authOf, type Route, roleOf } from './route.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    identity: Identity | null
    /** The modules that the gate has read; null if the row has no module. */
    modules: readonly ModuleAtGate[] | null
  }
}

/** The state that a row with a `module` is checked against, from one query. */
export type CallerStanding = {
  /**
   * The present role of the caller's API key, null if the key is no longer valid. Any other caller keeps the role
   * that was proved before.
   */
  role: Role | null
  /** The modules that are on and that the plan still allows. */
  enabled: ReadonlySet<Module>
  modules: readonly ModuleAtGate[]
}

/** The gate's dependencies. */
export type GateMeans = {
  /** Resolves the owner of a credential; `authenticate` by default. */
  identify: typeof authenticate
  standingOf?: ((deps: Deps, identity: Identity, now: string) => Promise<CallerStanding>) | undefined
}
export const GATE_MEANS: GateMeans = { identify: authenticate }

/** Lookups of unproven credentials together get one workspace's share of the connections. */
const STRANGERS = 'strangers'

/**
 * Runs the database work of a route without a gate in a connection slot: one of the caller's workspace if the credential
 * was valid at its last lookup, else one that all callers without a known credential share.
 */
export function withCallerSlot<T>(
  { slots }: Deps,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  const { credential, isKnown } = request
  const isNamed = isKnown && credential !== null && 'accountId' in credential
  return slots.within(isNamed ? credential.accountId : STRANGERS, work)
}

type Gate = (request: FastifyRequest) => Promise<void>

/**
 * Authenticates and authorizes the caller before the body is read, so a caller without rights learns nothing from it.
 * The order is credential, delegation and role, module (B-request-1).
 */
export function gateOf(deps: Deps, row: Route, places: Places, means: GateMeans): Gate {
  const auth = authOf(row)
  // The module query also proves the key.
  const { module } = row
  const provesKey = row.hotPath?.provesKey ?? module !== undefined
  const remember = provesKey === 'acrossWorkers' ? isSharded(deps.db) : provesKey
  return async (request) => {
    if (auth === 'credential') {
      const identity = await means.identify(deps, request, request.now, {
        remember,
        ...(request.isKnown ? {} : { within: (look) => places.within(STRANGERS, look) }),
      })
      request.identity = identity
      // A cached key's role may have changed: if one query proves it, that query comes first.
      if (module === undefined || !identity.remembered) admit(row, identity)
      if (module !== undefined) await admitToModule(deps, request, { row, module, identity }, means)
    }
    // Sign-in is also a write by the browser: no other site may sign a visitor in or out.
    if (auth === 'session') requireSameSite(deps.config, request)
  }
}

function admit(row: Route, identity: Identity) {
  requireFactor(identity)
  if (row.needsPassword) requirePassword(identity.actor)
  const { actor } = identity
  if (actor.readOnly && isUnsafe(row.method)) throw forbidden('This API key may only read')
  if (actor.delegation !== undefined) requireDelegable(row, actor.delegation.mode)
  if (ROLES.indexOf(actor.role) < ROLES.indexOf(roleOf(row))) {
    throw forbidden(
      `This needs the role ${roleOf(row).toLowerCase()}; you are signed in as ${actor.role.toLowerCase()}`,
    )
  }
}

type Entry = { row: Route; module: Module; identity: Identity }

async function admitToModule(
  deps: Deps,
  request: FastifyRequest,
  { row, module, identity }: Entry,
  { standingOf }: GateMeans,
) {
  const standing = await standingOf?.(deps, identity, request.now)
  if (standing?.role === null) throw authRequired()
  const role = standing?.role ?? identity.actor.role
  request.identity = { ...identity, actor: { ...identity.actor, role }, remembered: false }
  admit(row, request.identity)
  if (!standing?.enabled.has(module)) {
    throw new ApiError(DISABLED[module], `The ${module} module is off; switch it on under modules first`)
  }
  request.modules = standing.modules
}
