import type { FastifyRequest } from 'fastify'
import { malformed } from '../../../core/errors.ts'
import { isUnsafe } from '../../../core/methods.ts'
import { inTx, type Tx } from '../../db/open.ts'
import type { WithSlot } from '../../db/places.ts'
import { AMBIGUOUS } from '../../outgoing/urls.ts'
import type { Scope } from '../../scope.ts'
import { auditDelegateWrite } from '../delegated.ts'
import { readKey, retrying } from '../idempotency.ts'
import { requireObject } from '../parse.ts'
import { partnerOf, withoutDatabase } from '../partner.ts'
import type { ProxiedResponse } from '../route.ts'
import { explainUnknownOutcome } from '../unknown-outcome.ts'
import { requireDepth } from '../validate.ts'
import { baseInput, type PreparedRoute, pathFrom, type Responder, readScope, sendData } from './responder.ts'

/**
 * `access: 'forward'`: checks that query and body can be sent, forwards the request to a partner, audits an
 * assistant's write, and sends the partner's response. The partner keeps the Idempotency-Key.
 */
export function createForwardResponder(prepared: PreparedRoute): Responder {
  const { deps, row, handle } = prepared
  return async (exchange) => {
    const { request, reply, withSlot } = exchange
    const { search, body } = readForwardable(request)
    const scope = readScope(deps, request)
    const key = isUnsafe(row.method) ? readKey(request.headers['idempotency-key']) : null
    const { partner, database, isUnsaved } = partnerOf(deps, {
      requestId: scope.requestId,
      idem: key === null ? null : { key },
      withSlot,
    })
    const askPartner = async () => {
      const shared = { ...baseInput(deps, exchange), deps: withoutDatabase(deps) }
      const response = (await handle({ ...shared, scope, partner, search, body })) as ProxiedResponse
      await auditResponse(prepared, { request, scope, database }, response)
      return response
    }
    const response = await askPartner().catch((error: unknown) => {
      throw explainUnknownOutcome(error, row, { hasKey: key !== null, isUnsaved: isUnsaved(error) })
    })
    if ('file' in response) return reply.headers(response.headers).type(response.type).send(response.file)
    const { status, data, text, page } = response
    return sendData(exchange, status, text ?? JSON.stringify(data), page)
  }
}

type ForwardedRequest = { request: FastifyRequest; scope: Scope; database: WithSlot }

/** Audits an assistant's action after the partner answers, in its own transaction. */
async function auditResponse(
  { deps, row }: PreparedRoute,
  { request, scope, database }: ForwardedRequest,
  response: ProxiedResponse,
) {
  const { delegation } = scope.actor
  if ('file' in response || !isUnsafe(row.method) || delegation === undefined) return
  const { status, data } = response
  const path = pathFrom(request)
  const audit = (tx: Tx) => auditDelegateWrite(tx, scope, { row, path, status, value: data })
  await database(() => retrying(scope, () => inTx(deps.db, audit))).catch((error: unknown) => {
    // No retry may follow, so this log line may be the only trace.
    request.log.error(
      { err: error, account: scope.accountId, delegation, operation: row.name, path, status },
      'what an assistant did at a partner may be missing from the audit trail',
    )
    throw error
  })
}

const MAX_SEARCH = 2_000

/** The query after the `?`, and the body. Throws 400 if they cannot be forwarded (B-forward-4). */
function readForwardable(request: FastifyRequest): { search: string; body: object | undefined } {
  const at = request.url.indexOf('?')
  const search = at === -1 ? '' : request.url.slice(at + 1)
  if (search.length > MAX_SEARCH)
    throw malformed(
      'query',
      `The query is longer than ${MAX_SEARCH} characters; send fewer or shorter parameters`,
    )
  if (AMBIGUOUS.test(search))
    throw malformed('query', 'The query has a space, a control character or a backslash; percent-encode it')
  const body = requireObject(request.body)
  requireDepth(body)
  return { search, body }
}
