import { isUnchanged } from '../cached.ts'
import { cacheSecondsOf, locationOf, statusAndValue } from '../route.ts'
import { baseInput, type PreparedRoute, type Responder, sendData } from './responder.ts'

/**
 * `access: 'open'`: no workspace is known yet, so the handler sees the request itself. It may redirect the browser,
 * and a cacheable response is 304 while it is unchanged.
 */
export const createOpenResponder =
  ({ deps, row, handle, status: fallback, check }: PreparedRoute): Responder =>
  async (exchange) => {
    const { request, reply } = exchange
    const input = { ...baseInput(deps, exchange), db: deps.db, now: request.now, request, reply }
    const result = await handle(input)
    const location = locationOf(result)
    if (location !== undefined) return reply.code(302).header('location', location).send()
    if (row.produces !== undefined) return result
    const { status, value } = statusAndValue(result, fallback)
    check(value)
    const data = JSON.stringify(value)
    const cacheSeconds = cacheSecondsOf(result)
    if (cacheSeconds !== undefined && isUnchanged(request, reply, data, cacheSeconds)) {
      return reply.code(304).send()
    }
    return sendData(exchange, status, data)
  }
