import type { FastifyReply, FastifyRequest } from 'fastify'
import { authRequired } from '../../../core/errors.ts'
import { isUnsafe } from '../../../core/methods.ts'
import { atTillOf } from '../../auth/approvals.ts'
import type { WithSlot } from '../../db/places.ts'
import type { Deps } from '../../deps.ts'
import { type Scope, scopeFor } from '../../scope.ts'
import { withoutHidden } from '../delegated.ts'
import { payloadOf, successText } from '../envelope.ts'
import { fingerprintOf, passwordsOmitted } from '../fingerprint.ts'
import { type IdempotencyKey, type Reply, readKey } from '../idempotency.ts'
import type { RequestParts } from '../parse.ts'
import type { Route } from '../route.ts'

/** One request in flight: its parsed parts, and how its handler takes a connection slot. */
export type Exchange = {
  request: FastifyRequest
  reply: FastifyReply
  parts: RequestParts
  withSlot: WithSlot
}
/** Calls the handler of a row and sends what it returns. */
export type Responder = (exchange: Exchange) => Promise<unknown>

/** A row with the values that every responder needs. In tests `check` compares each answer with the declared shape. */
export type PreparedRoute = {
  deps: Deps
  row: Route
  handle: (input: object) => Promise<unknown>
  status: number
  check: (value: unknown) => void
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** The input of every handler, whatever its access. */
export const baseInput = (deps: Deps, { request, parts }: Exchange) => ({
  deps,
  log: request.log,
  headers: request.headers,
  ...parts,
})

export function readScope(deps: Deps, request: FastifyRequest): Scope {
  if (!request.identity) throw authRequired()
  return scopeFor(request.identity, {
    defaultTier: deps.config.defaultTier,
    requestId: request.id,
    address: request.ip,
    now: request.now,
    ...(request.errandResults === null ? {} : { errandResults: request.errandResults }),
    modules: request.modules,
    atTill: atTillOf(deps, request),
  })
}

/** The sent path without its query. */
export const pathFrom = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? url

/** Sends JSON text as `data` of the envelope; `position` is the cursor position in a list. */
export const sendData = ({ request, reply }: Exchange, status: number, data: string, position: object = {}) =>
  reply
    .code(status)
    .type(JSON_TYPE)
    .send(payloadOf(successText(data, { requestId: request.id, timestamp: request.now, ...position })))

/** Creates the function that reads the Idempotency-Key of a write and binds it to method, path, query and body. */
export function createKeyReader(deps: Deps, row: Route): (exchange: Exchange) => IdempotencyKey | null {
  if (!isUnsafe(row.method)) return () => null
  const omitPasswords = row.body && passwordsOmitted(row.body)
  return ({ request, parts: { query, body } }) => {
    const { headers, method } = request
    const key = readKey(headers['idempotency-key'])
    if (key === null) return null
    const path = pathFrom(request)
    return {
      key,
      fingerprint: fingerprintOf(method, path, omitPasswords ? omitPasswords(body) : body, query),
      earlier: () => deps.secrets.earlierMacs(fingerprintOf(method, path, body)),
    }
  }
}

/** Sends the reply of a write, new or replayed, without the secrets that the caller may not see. */
export function sendReply(exchange: Exchange, row: Route, scope: Scope, written: Reply) {
  if (written.replayed) exchange.reply.header('idempotent-replayed', 'true')
  return sendData(exchange, written.status, withoutHidden(row, scope, maskForeignSecret(row, written)))
}

/** The answer of another actor's request is replayed with its secret masked (B-key-7). */
const maskForeignSecret = ({ secret }: Route, { data, isForeign }: Reply): string =>
  isForeign && secret ? JSON.stringify(secret.mask(JSON.parse(data) as never)) : data
