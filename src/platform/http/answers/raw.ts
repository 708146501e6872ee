import { baseInput, type PreparedRoute, type Responder, readScope } from './responder.ts'

/** `access: 'raw'`: the handler answers the request itself, with a stream or a file. */
export const createRawResponder =
  ({ deps, handle }: PreparedRoute): Responder =>
  async (exchange) => {
    const { request, reply } = exchange
    const scope = readScope(deps, request)
    return handle({ ...baseInput(deps, exchange), scope, db: deps.db, request, reply })
  }
