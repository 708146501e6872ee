import type { Scope } from '../../scope.ts'
import { auditDelegateWrite } from '../delegated.ts'
import { findReplay, type IdempotencyKey, type Reply, runWrite } from '../idempotency.ts'
import { statusAndValue } from '../route.ts'
import { explainUnknownOutcome } from '../unknown-outcome.ts'
import {
  baseInput,
  createKeyReader,
  type Exchange,
  type PreparedRoute,
  pathFrom,
  type Responder,
  readScope,
  sendReply,
} from './responder.ts'

/**
 * `access: 'write'`: the Idempotency-Key, the effect and the stored reply commit in one transaction, which is retried.
 * `access: 'self'`: the handler commits by itself.
 */
export function createWriteResponder(prepared: PreparedRoute): Responder {
  const { deps, row } = prepared
  const readWriteKey = createKeyReader(deps, row)
  const write = row.access === 'self' ? writeBySelf : writeOnce
  return async (exchange) => {
    const scope = readScope(deps, exchange.request)
    const idem = readWriteKey(exchange)
    const written = await write(prepared, exchange, { scope, idem }).catch((error: unknown) => {
      throw explainUnknownOutcome(error, row, { hasKey: idem !== null })
    })
    return sendReply(exchange, row, scope, written)
  }
}

type WriteRequest = { scope: Scope; idem: IdempotencyKey | null }

async function writeOnce(
  { deps, row, handle, status: fallback, check }: PreparedRoute,
  exchange: Exchange,
  { scope, idem }: WriteRequest,
): Promise<Reply> {
  // A replay needs no transaction, so it is looked up first. The unique row that runWrite inserts is what decides.
  const replay = idem && (await findReplay(deps, deps.db, scope, idem))
  if (replay) return replay
  const path = pathFrom(exchange.request)
  const input = { ...baseInput(deps, exchange), scope }
  return runWrite(deps, scope, idem, async (tx) => {
    const { status, value } = statusAndValue(await handle({ ...input, tx }), fallback)
    check(value)
    await auditDelegateWrite(tx, scope, { row, path, status, value })
    return { status, value, secret: row.secret !== undefined }
  })
}

async function writeBySelf(
  { deps, handle, check }: PreparedRoute,
  exchange: Exchange,
  { scope, idem }: WriteRequest,
): Promise<Reply> {
  const input = { ...baseInput(deps, exchange), scope, db: deps.db, idem, within: exchange.withSlot }
  const reply = (await handle(input)) as Reply
  // A replay is the stored answer, perhaps of a version with fewer fields.
  if (deps.config.env === 'test' && !reply.replayed) check(JSON.parse(reply.data))
  return reply
}
