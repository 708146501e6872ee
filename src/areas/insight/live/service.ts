import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, notFound } from '../../../core/errors.ts'
import { authenticate, type Caller, requireFactor } from '../../../platform/auth/authenticate.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './store.ts'

type Following = { outletId: string | undefined; request: FastifyRequest; reply: FastifyReply }

/** Turns the request into a stream of changes. 404 for an unknown outlet, 429 past the workspace's limit. */
export async function followBoards(deps: Deps, scope: Scope, { outletId, request, reply }: Following) {
  if (outletId !== undefined && !(await store.hasOutlet(deps.db, scope, outletId))) {
    throw notFound('outlet', 'outletId')
  }
  // A HEAD request asks what a GET would answer; it has no body to stream.
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

/** Whether the credential that opened the stream would still be let in, to the same workspace. */
async function isStillCaller(deps: Deps, caller: Caller, accountId: string): Promise<boolean> {
  try {
    const identity = await authenticate(deps, caller, deps.clock.now())
    requireFactor(identity)
    return identity.accountId === accountId
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return false
    throw error
  }
}
