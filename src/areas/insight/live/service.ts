import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, notFound } from '../../../core/errors.ts'
import {
  type AuthenticableRequest,
  authenticate,
  requireFactor,
} from '../../../platform/auth/authenticate.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './store.ts'

type LiveRequest = { outletId: string | undefined; request: FastifyRequest; reply: FastifyReply }

/**
 * Answers the request with a stream of changes. Throws 404 for an unknown outlet and 429 above the limit of the
 * workspace.
 */
export async function streamBoards(deps: Deps, scope: Scope, { outletId, request, reply }: LiveRequest) {
  if (outletId !== undefined) {
    const isKnown = await deps.slots.within(scope.accountId, () => store.hasOutlet(deps.db, scope, outletId))
    if (!isKnown) throw notFound('outlet', 'outletId')
  }
  // The answer to a HEAD request has no body, so there is nothing to stream.
  if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
  const { accountId } = scope
  const { headers, cookies, method, ip } = request
  const caller = { headers, cookies, method, ip }
  await deps.live.open({
    accountId,
    outletId: outletId ?? null,
    reply,
    credential: headers.authorization ?? headers.cookie ?? '',
    isAllowed: () => isStillCaller(deps, caller, accountId),
    outletIds: () => store.outletIds(deps.db, { accountId }),
  })
  return reply
}

/** Returns true if the credential of the stream is still valid for the same workspace. */
async function isStillCaller(deps: Deps, caller: AuthenticableRequest, accountId: string): Promise<boolean> {
  try {
    const identity = await authenticate(deps, caller, deps.clock.now())
    requireFactor(identity)
    return identity.accountId === accountId
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return false
    throw error
  }
}
