import type { Page } from '../../../core/cursor.ts'
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
    const result = await handle({ ...baseInput(deps, exchange), scope, db: deps.db })
    return sendResult(prepared, exchange, result)
  }
}

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
  if (csv && isCsv(parts.query)) return sendCsv(reply, csv(value as never, parts.query as never), request.now)
  const format = paper && paperOf(parts.query)
  if (format) {
    const { paged, name } = paper(value as never, parts.query as never)
    return sendPrint(reply, paged, { ...format, name })
  }
  return sendData(exchange, status, JSON.stringify(value))
}
