import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import { documented } from './fields.ts'
import { API_PREFIX, authOf, isUnsafe, type Route, recordOf, roleOf } from './route.ts'

type Json = Record<string, unknown>

const META = {
  type: 'object',
  required: ['requestId', 'timestamp'],
  properties: {
    requestId: { type: 'string', description: 'Quote it when you report a problem' },
    timestamp: { type: 'string', format: 'date-time' },
  },
}
const PAGE_META = {
  ...META,
  required: [...META.required, 'cursor', 'hasMore'],
  properties: {
    ...META.properties,
    cursor: {
      type: ['string', 'null'],
      description: 'Pass it as `cursor` to read the next page; null on the last one',
    },
    hasMore: { type: 'boolean' },
  },
}
/** A whole list has no next page; one that was asked for by page does. */
const WHOLE_META = { ...PAGE_META, required: META.required }
const ERROR = {
  type: 'object',
  required: ['data', 'error', 'meta'],
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        param: { type: 'string', description: 'Dotted path of the first offending field' },
        details: {
          type: 'object',
          description: 'The current record, where a conflict can be resolved from it',
        },
      },
    },
    meta: META,
  },
}

/** The OpenAPI 3.1 document, printed from the route table: nothing in it is written twice. */
export function openapiOf(rows: readonly Route[], version: string): Json {
  const schemas: Json = { Error: ERROR }
  const paths: Record<string, Json> = {}
  for (const row of rows) {
    const path = `${API_PREFIX}${row.path}`
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(row, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kasir',
      version,
      description:
        'Point-of-sale service for shops, cafés and pharmacies. Money is whole rupiah, time is UTC, quantities are integers. ' +
        'Every answer is an envelope of `data`, `error` and `meta`. Send an `Idempotency-Key` with every write: a repeat answers what the first one did. ' +
        'A field or query parameter that a request does not know is refused with 400. Fields marked `readOnly` belong to the record: they may be sent back and are ignored.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set(rows.map((row) => row.area))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, kasir_sk_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'kasir_session',
          description:
            'Set by signing in. A service whose PUBLIC_URL is https names the cookie `__Host-kasir_session` instead',
        },
      },
      schemas,
    },
  }
}

function operationOf(row: Route, schemas: Json): Json {
  const auth = authOf(row)
  const status = String(row.status ?? 200)
  return {
    operationId: operationId(row),
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tags: [row.area],
    ...(auth === 'credential' ? { 'x-role': roleOf(row) } : { security: [] }),
    'x-auth': auth,
    'x-delegation': row.delegation,
    'x-module': row.module ?? null,
    parameters: parametersOf(row, schemas),
    ...(row.body
      ? {
          requestBody: {
            required: (row.body.required ?? []).length > 0,
            content: { 'application/json': { schema: hoist(documented(row.body, recordOf(row)), schemas) } },
          },
        }
      : {}),
    responses: {
      [status]: {
        description: 'Success',
        content: { [row.produces ?? 'application/json']: { schema: successOf(row, schemas) } },
      },
      ...Object.fromEntries(
        refusalsOf(row).map((code) => [
          code,
          {
            description: whenOf(code),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  }
}

const operationId = (row: Route) =>
  row.method.toLowerCase() +
  row.path
    .split(/[/{}.-]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

function parametersOf(row: Route, schemas: Json): Json[] {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const query = Object.entries(row.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: row.query?.required?.includes(name) ?? false,
    schema: hoist(schema, schemas),
  }))
  const keyed = row.access === 'write' || row.access === 'self'
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  return [...inPath, ...query, ...(keyed ? [key] : [])]
}

function successOf(row: Route, schemas: Json): unknown {
  if (row.produces !== undefined) return { type: 'string' }
  const one = hoist(row.returns, schemas)
  const data = row.page ? { type: 'array', items: one } : one
  return {
    type: 'object',
    required: ['data', 'error', 'meta'],
    properties: { data, error: { type: 'null' }, meta: row.page ? PAGE_META : row.whole ? WHOLE_META : META },
  }
}

function refusalsOf(row: Route): number[] {
  const statuses = new Set([400, 500, 503])
  if (authOf(row) === 'credential') for (const status of [401, 403, 429]) statuses.add(status)
  if (row.body) for (const status of [413, 415, 422]) statuses.add(status)
  if (row.path.includes('{')) statuses.add(404)
  if (isUnsafe(row.method)) for (const status of [404, 409]) statuses.add(status)
  return [...statuses].sort((a, b) => a - b)
}

const whenOf = (status: number): string =>
  (Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => ERRORS[code].status === status || (code === 'VALIDATION_ERROR' && status === 400))
    .join(', ')

/** Shapes with a title become components, so that readers and generators meet each of them once. */
function hoist(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => hoist(entry, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, ...rest } = schema as Json & { title?: string }
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoist(value, schemas)]))
  if (title === undefined || (schema as TSchema & { type?: string })['type'] !== 'object')
    return title === undefined ? inner : { ...inner, title }
  schemas[title] ??= inner
  return { $ref: `#/components/schemas/${title}` }
}
