import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import { networkOf } from '../../core/network.ts'
import { type Credential, credentialOf } from '../auth/credential.ts'
import { rateLimiter, type Verdict } from '../auth/rate-limit.ts'
import type { Deps } from '../deps.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    /** One instant for the whole request (RFC 3339 UTC). */
    now: string
    credential: Credential | null
    /** Whether the credential was valid at its last lookup. */
    isKnown: boolean
    onProved: ((actorId: string | null) => void) | undefined
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyContextConfig {
    /** Counted by address, whatever credential is sent (sign-in and sign-out). */
    countedByAddress?: boolean
    /** Counted separately from other requests of the same address. */
    ownBudget?: { name: string; perMinute: number } | undefined
  }
}

/** Requests per minute of one address, shared by its callers without a known credential (B-limit-2). */
const STRANGERS_PER_MINUTE = 600
/** Maximum number of cached credentials (LRU); the next request of a dropped one counts against its address. */
const MAX_KNOWN = 50_000

/**
 * Counts every request, on any path, before any other work. A known credential uses its own budget, every other
 * request that of its address, so guessing made-up keys costs the database almost nothing. A credential that proves
 * valid refunds its address: the tills of a shop share one.
 */
export function countCallers(app: FastifyInstance, deps: Pick<Deps, 'config' | 'clock'>) {
  const { config, clock } = deps
  const credentials = rateLimiter()
  const addresses = rateLimiter()
  const ownBudgets = rateLimiter()
  /** Owner by credential hash, so the cache holds no usable credential. */
  const known = new LRUCache<string, string>({ max: MAX_KNOWN })
  const strangersPerMinute = Math.min(STRANGERS_PER_MINUTE, config.rateLimitPerMinute)

  const spend = (reply: FastifyReply, actorId: string) =>
    tell(reply, credentials.take(actorId, config.rateLimitPerMinute, clock.ms()))

  const meetStranger = (request: FastifyRequest, reply: FastifyReply, hash: string | undefined) => {
    const address = networkOf(request.ip)
    if (config.rateLimitPerMinute > 0) tell(reply, addresses.take(address, strangersPerMinute, clock.ms()))
    if (hash === undefined) return
    request.onProved = (actorId) => {
      if (actorId === null) return
      request.onProved = undefined
      known.set(hash, actorId)
      if (config.rateLimitPerMinute === 0) return
      addresses.giveBack(address)
      spend(reply, actorId)
    }
  }

  app.decorateRequest('now', '')
  app.decorateRequest('errandResults', null)
  app.decorateRequest('credential', null)
  app.decorateRequest('isKnown', false)
  app.decorateRequest('onProved', undefined)
  const count = (request: FastifyRequest, reply: FastifyReply) => {
    request.now = clock.now()
    const credential = credentialOf(config, request)
    request.credential = credential
    const { ownBudget } = request.routeOptions.config
    if (ownBudget) {
      const caller = `${ownBudget.name} ${networkOf(request.ip)}`
      if (config.rateLimitPerMinute > 0) tell(reply, ownBudgets.take(caller, ownBudget.perMinute, clock.ms()))
      return
    }
    const byAddress = request.routeOptions.config.countedByAddress ?? false
    const actorId = credential && !byAddress ? known.get(credential.hash) : undefined
    if (!credential || actorId === undefined) return meetStranger(request, reply, credential?.hash)
    request.isKnown = true
    request.onProved = (proved) => {
      if (proved === null) known.delete(credential.hash)
    }
    if (config.rateLimitPerMinute > 0) spend(reply, actorId)
  }
  app.addHook('onRequest', (request, reply, next) => {
    count(request, reply)
    next()
  })
}

/** Sends the remaining budget (B-limit-1), or throws 429. */
function tell(reply: FastifyReply, { allowed, limit, remaining, resetSeconds }: Verdict) {
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSeconds,
  })
  if (allowed) return
  throw new ApiError('RATE_LIMITED', `Too many requests; wait ${resetSeconds} s`, {
    headers: { 'retry-after': String(resetSeconds) },
  })
}
