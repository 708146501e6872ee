import type { Page } from '../../../core/cursor.ts'
import type { Db } from '../../db/open.ts'
import { isCsv, sendCsv } from '../csv.ts'
import { paperOf, sendPrint } from '../paper.ts'
import { statusAndValue } from '../route.ts'
import {
  baseInput,
  type Exchange,
  type PreparedRoute,
  type Responder,
  readScope,
  sendData,
} from './responder.ts'

/** `access: 'read'`: one record, as JSON, as a table or on paper. `access: 'page'`: one page of a list. */
export function createReadResponder(prepared: PreparedRoute): Responder {
  const { deps, row, handle } = prepared
  const sendResult = row.access === 'page' ? sendPage : sendRecord
  return async (exchange) => {
    const scope = readScope(deps, exchange.request)
    const read = (db: Db) => handle({ ...baseInput(deps, exchange), scope, db })
    if (!row.mayReadReplica) return sendResult(prepared, exchange, await read(deps.db))
    const found = await deps.replica?.read(scope.accountId, read)
    if (found) {
      exchange.reply.header(AS_OF, found.asOf)
      return sendResult(prepared, exchange, found.value)
    }
    return sendResult(prepared, exchange, await exchange.withSlot(() => read(deps.db)))
  }
}

const AS_OF = 'kasir-data-as-of'

function sendPage({ status, check }: PreparedRoute, exchange: Exchange, page: unknown) {
  const { items, cursor, hasMore } = page as Page<unknown>
  for (const item of items) check(item)
  return sendData(exchange, status, JSON.stringify(items), { cursor, hasMore })
}

function sendRecord({ row, status: fallback, check }: PreparedRoute, exchange: Exchange, result: unknown) {
  const { request, reply, parts } = exchange
  const { status, value } = statusAndValue(result, fallback)
  check(value)
  const { csv, paper } = row.formats ?? {}
  if (csv && isCsv(parts.query)) {
    const computedAt = reply.getHeader(AS_OF) ?? request.now
    return sendCsv(reply, csv(value as never, parts.query as never), String(computedAt))
  }
  const format = paper && paperOf(parts.query)
  if (format) {
    const { paged, name } = paper(value as never, parts.query as never)
    return sendPrint(reply, paged, { ...format, name })
  }
  return sendData(exchange, status, JSON.stringify(value))
}
