import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { networkOf } from '../../core/network.ts'
import { type Credential, credentialOf } from '../auth/credential.ts'
import type { Deps } from '../deps.ts'
import { rateLimiter, type Verdict } from './rate-limit.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    /** One instant for the whole request (RFC 3339 UTC). */
    now: string
    credential: Credential | null
    /** Whether the credential was somebody's when it was last looked up. */
    isKnown: boolean
    onProved: ((actorId: string | null) => void) | undefined
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyContextConfig {
    /** Counted by address, whatever credential is sent: signing in and out. */
    countedByAddress?: boolean
  }
}

/** Callers without a credential that is known share the budget of their address (B-limit-2). */
const STRANGERS_PER_MINUTE = 600
/** Beyond this many the credential that was first used longest ago is a stranger's again, for one request. */
const MAX_KNOWN = 50_000

/**
 * Counts every request, on whatever path, before anything is done for it. A credential that is known spends its own
 * budget; everybody else spends that of the address, so that guessing costs the database next to nothing however many
 * keys are invented. A credential that then proves to be valid gives back to the address what it took: the tills of a
 * shop share one address.
 */
export function countCallers(app: FastifyInstance, deps: Deps) {
  const { config, clock } = deps
  const credentials = rateLimiter()
  const addresses = rateLimiter()
  /** Whose credential it is, by its hash; nothing here could be sent as one. */
  const known = new Map<string, string>()
  const strangersPerMinute = Math.min(STRANGERS_PER_MINUTE, config.rateLimitPerMinute)

  const spend = (reply: FastifyReply, actorId: string) =>
    tell(reply, credentials.take(actorId, config.rateLimitPerMinute, clock.ms()))

  const remember = (hash: string, actorId: string) => {
    known.set(hash, actorId)
    const [oldest] = known.keys()
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  }

  const meetStranger = (request: FastifyRequest, reply: FastifyReply, hash: string | undefined) => {
    const address = networkOf(request.ip)
    if (config.rateLimitPerMinute > 0) tell(reply, addresses.take(address, strangersPerMinute, clock.ms()))
    if (hash === undefined) return
    request.onProved = (actorId) => {
      if (actorId === null) return
      request.onProved = undefined
      remember(hash, actorId)
      if (config.rateLimitPerMinute === 0) return
      addresses.giveBack(address)
      spend(reply, actorId)
    }
  }

  app.decorateRequest('now', '')
  app.decorateRequest('found', null)
  app.decorateRequest('credential', null)
  app.decorateRequest('isKnown', false)
  app.decorateRequest('onProved', undefined)
  const count = (request: FastifyRequest, reply: FastifyReply) => {
    request.now = clock.now()
    const credential = credentialOf(config, request)
    request.credential = credential
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

/** Sends the caller what is left (B-limit-1), or refuses. */
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
