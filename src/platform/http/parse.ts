import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { malformed, notFound } from '../../core/errors.ts'
import { authOf, type Route, recordOf } from './route.ts'
import { checker, isStorable, normalise } from './validate.ts'

/** The handler's input from the request: checked, trimmed, with defaults filled in. */
export type RequestParts = { params: unknown; query: unknown; body: unknown }

/** Field names whose text is not trimmed: passwords, marked in their schema. */
const verbatimOf = (row: Route): ReadonlySet<string> =>
  new Set(
    Object.entries(row.body?.properties ?? {})
      .filter(([, schema]) => (schema as { 'x-verbatim'?: boolean })['x-verbatim'])
      .map(([name]) => name),
  )

/** Checks params, query and body against the row's shapes. Throws 404 for an id no record can have, otherwise 400. */
export function parserOf(row: Route): (request: FastifyRequest) => RequestParts {
  const verbatim = verbatimOf(row)
  // A partner may add fields to its notifications; other callers get 400 for an unknown field.
  const lenient = authOf(row) === 'signature'
  const checkQuery = checker(row.query ?? NO_FIELDS, 'query', {
    lenient: lenient || row.acceptsUnknownQuery === true,
  })
  const checkBody = checker(row.body ?? NO_FIELDS, 'body', { record: recordOf(row), lenient })
  return (request) => {
    const params = request.params as Record<string, string>
    // An id that no record can have is an unknown id, whatever is wrong with it (B-request-1).
    const strange = Object.values(params).some((id) => id.length === 0 || id.length > 64 || !isStorable(id))
    if (row.params && strange) throw notFound('resource')
    // The partner validates query and body (answers/forward.ts).
    if (row.access === 'forward') return { params, query: {}, body: undefined }
    const query = request.query as Record<string, unknown>
    normalise(query, NOTHING)
    checkQuery(query)
    const body = normalise(requireObject(request.body) ?? {}, verbatim)
    checkBody(body)
    return { params, query, body: row.body ? body : undefined }
  }
}

/** Returns the body as a JSON object, or undefined if none was sent. Throws 400 for any other JSON. */
export function requireObject(body: unknown): object | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw malformed('body', 'The body must be a JSON object')
}

const NOTHING: ReadonlySet<string> = new Set()
const NO_FIELDS = Type.Object({})
