import { ApiError } from '../../../core/errors.ts'
import { isUnsafe } from '../../../core/methods.ts'
import type { Tx } from '../../db/open.ts'
import type { Scope } from '../../scope.ts'
import { auditDelegateWrite } from '../delegated.ts'
import { beginKey, completeWrite, releaseKey } from '../idempotency.ts'
import { partnerOf, withoutDatabase } from '../partner.ts'
import { statusAndValue } from '../route.ts'
import { explainUnknownOutcome } from '../unknown-outcome.ts'
import {
  baseInput,
  createKeyReader,
  type PreparedRoute,
  pathFrom,
  type Responder,
  readScope,
  sendReply,
} from './responder.ts'

/**
 * `access: 'partner'`: commits the Idempotency-Key, then asks the partner with no transaction open, then commits
 * effect and reply in one transaction. After a crash the same request asks the partner again under the same key.
 * `access: 'prepare'` does the same without a partner.
 */
export function createPartnerResponder(prepared: PreparedRoute): Responder {
  const { deps, row, handle } = prepared
  const readWriteKey = createKeyReader(deps, row)
  return async (exchange) => {
    const { request, withSlot } = exchange
    const scope = readScope(deps, request)
    const idem = readWriteKey(exchange)
    const begun = idem && (await withSlot(() => beginKey(deps, scope, idem)))
    if (begun && 'replay' in begun) return sendReply(exchange, row, scope, begun.replay)
    const { partner, database, hasAnswered, isUnsaved } = partnerOf(deps, {
      requestId: scope.requestId,
      idem,
      withSlot,
    })
    let mayHaveActed = false
    const askAndWrite = async () => {
      const input = { ...baseInput(deps, exchange), deps: withoutDatabase(deps), scope, partner }
      const finish = (await handle(input)) as Finish
      mayHaveActed = hasAnswered()
      const write = createFinalWrite(prepared, { scope, path: pathFrom(request), finish })
      return database(() => completeWrite(deps, scope, idem, write))
    }
    const written = await askAndWrite().catch(async (error: unknown) => {
      // After a failure, or after the partner has done its part, only the same request may use the key again (B-key-4).
      const isRefusal = error instanceof ApiError && error.status < 500 && !mayHaveActed
      if (idem && begun?.isFirst && isRefusal)
        await withSlot(() => releaseKey(deps, scope, idem, begun.usedAt))
      throw explainUnknownOutcome(error, row, { hasKey: idem !== null, isUnsaved: isUnsaved(error) })
    })
    return sendReply(exchange, row, scope, written)
  }
}

/** The second half of a handler: the writes after the partner has answered. */
type Finish = (tx: Tx) => Promise<unknown>
type FinalWrite = { scope: Scope; path: string; finish: Finish }

const createFinalWrite =
  ({ row, status: fallback, check }: PreparedRoute, { scope, path, finish }: FinalWrite) =>
  async (tx: Tx) => {
    const { status, value } = statusAndValue(await finish(tx), fallback)
    check(value)
    // A GET that only reads from a partner is not a write by the assistant.
    if (isUnsafe(row.method)) await auditDelegateWrite(tx, scope, { row, path, status, value })
    return { status, value, secret: row.secret !== undefined }
  }
