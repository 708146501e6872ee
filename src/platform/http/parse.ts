import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { malformed, notFound } from '../../core/errors.ts'
import { authOf, type Route, recordOf } from './route.ts'
import { checker, isStorable, normalise } from './validate.ts'

/** What a handler is given of the request: checked, trimmed, with defaults filled in. */
export type Parts = { params: unknown; query: unknown; body: unknown }

/** Field names whose texts keep their spaces: passwords, marked in their schema. */
const verbatimOf = (row: Route): ReadonlySet<string> =>
  new Set(
    Object.entries(row.body?.properties ?? {})
      .filter(([, schema]) => (schema as { 'x-verbatim'?: boolean })['x-verbatim'])
      .map(([name]) => name),
  )

/** What is asked: params, query and body against the shapes of the row. 404 for an id no record can have, else 400. */
export function parserOf(row: Route): (request: FastifyRequest) => Parts {
  const verbatim = verbatimOf(row)
  // A partner may add fields to its notices; any other caller is refused a field that nothing reads.
  const lenient = authOf(row) === 'signature'
  const checkQuery = checker(row.query ?? NO_FIELDS, 'query', {
    lenient: lenient || row.lenientQuery === true,
  })
  const checkBody = checker(row.body ?? NO_FIELDS, 'body', { record: recordOf(row), lenient })
  return (request) => {
    const params = request.params as Record<string, string>
    // An id that no record can have is an unknown id, whatever is wrong with it (B-request-1).
    const strange = Object.values(params).some((id) => id.length === 0 || id.length > 64 || !isStorable(id))
    if (row.params && strange) throw notFound('resource')
    if (row.access === 'forward') return { params, query: {}, body: jsonObject(request.body) }
    const query = request.query as Record<string, unknown>
    normalise(query, NOTHING)
    checkQuery(query)
    const body = normalise(jsonObject(request.body) ?? {}, verbatim)
    checkBody(body)
    return { params, query, body: row.body ? body : undefined }
  }
}

function jsonObject(body: unknown): object | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw malformed('body', 'The body must be a JSON object')
}

const NOTHING: ReadonlySet<string> = new Set()
const NO_FIELDS = Type.Object({})
