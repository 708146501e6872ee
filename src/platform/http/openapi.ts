import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import type { EventType } from '../../core/events.ts'
import { documented } from './fields.ts'
import { API_PREFIX, authOf, isUnsafe, type Route, recordOf, roleOf } from './route.ts'
import { Id } from './shapes.ts'
import { EVENT_HEAD, webhooksOf } from './webhooks.ts'

type Json = Record<string, unknown>

/** What the document says beyond the route table, and where its reader reaches the service. */
export type DocumentOptions = {
  version: string
  /** Scheme, host and port. */
  address: string
  /** A body that each route with one accepts, by the name of the route. */
  examples: Readonly<Record<string, Readonly<Json>>>
  /** What a parameter means, by its name or by `<name of the route> <name>`. */
  parameters: Readonly<Record<string, string>>
  /** What is announced of changes, by name. */
  events: ReadonlyMap<string, EventType>
}

const ref = (kind: 'schemas' | 'headers' | 'responses' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

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
    meta: ref('schemas', 'Meta'),
  },
}

const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  schema: { type },
})
const HEADERS = {
  'X-Request-Id': header('The id of this request: yours when you sent one, else a new one'),
  'RateLimit-Limit': header(
    'Requests a minute that the caller may make; absent where there is no limit',
    'integer',
  ),
  'RateLimit-Remaining': header('How many requests the caller may still make right now', 'integer'),
  'RateLimit-Reset': header('Seconds until the full budget is available again', 'integer'),
  'Retry-After': header('Seconds to wait before the same request may be sent again', 'integer'),
  'Idempotent-Replayed': header(
    '`true` when this is the stored answer of an earlier request with the same key',
  ),
  'Set-Cookie': header('The session cookie, set or cleared'),
  'Content-Disposition': header('The name to save the file under'),
} as const
type HeaderName = keyof typeof HEADERS
const EVERY_ANSWER: readonly HeaderName[] = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]
/** A header that an answer may carry is written as a reference, however often. */
const headersOf = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]))

/** Refusals by status, each written once in the document. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}
const MAY_COME_AGAIN: readonly number[] = [409, 429, 503]

const refusals = (): Json =>
  Object.fromEntries(
    Object.entries(REFUSALS).map(([status, name]) => [
      name,
      {
        description: whenOf(Number(status)),
        headers: headersOf([
          ...EVERY_ANSWER,
          ...(MAY_COME_AGAIN.includes(Number(status)) ? (['Retry-After'] as const) : []),
        ]),
        content: { 'application/json': { schema: ref('schemas', 'Error') } },
      },
    ]),
  )

const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of yours that is unique to this write: sent again with the same key within 24 hours, it gets the first answer and does nothing twice',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}
const MATCH_PARAMETER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `version` you last read, in quotes: 409 when the record has changed since',
  schema: { type: 'string', maxLength: 20 },
}

/**
 * The OpenAPI 3.1 document, printed from the route table and the events of the rooms: nothing in it is written twice.
 */
export function openapiOf(rows: readonly Route[], options: DocumentOptions): Json {
  const schemas: Json = {
    Error: ERROR,
    Meta: META,
    PageMeta: PAGE_META,
    WholeMeta: WHOLE_META,
    EventHead: EVENT_HEAD,
  }
  const paths: Record<string, Json> = {}
  for (const row of rows) {
    const path = `${API_PREFIX}${row.path}`
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(row, schemas, options) }
  }
  const webhooks = webhooksOf(options.events.values(), (schema) => hoist(schema, schemas))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kasir',
      version: options.version,
      description:
        'Point-of-sale service for shops, cafés and pharmacies. Money is whole rupiah, time is UTC, quantities are integers. ' +
        'Every answer is an envelope of `data`, `error` and `meta`. Send an `Idempotency-Key` with every write: a repeat gets the first answer. ' +
        'A field or query parameter that a request does not know is refused with 400. Fields marked `readOnly` belong to the record: they may be sent back and are ignored.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.address }],
    security: [{ apiKey: [] }, { jwt: [] }, { session: [] }],
    tags: [...new Set(rows.map((row) => row.area))].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, kasir_sk_…' },
        jwt: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token of the identity provider that the service is set up with, for one of its members',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'kasir_session',
          description:
            'Set by signing in. A service whose PUBLIC_URL is https names the cookie `__Host-kasir_session` instead',
        },
      },
      schemas,
      headers: HEADERS,
      responses: refusals(),
      parameters: { IdempotencyKey: KEY_PARAMETER, IfMatch: MATCH_PARAMETER },
    },
  }
}

function operationOf(row: Route, schemas: Json, options: DocumentOptions): Json {
  const auth = authOf(row)
  const example = options.examples[row.name]
  const schema = row.body && hoist(documented(row.body, recordOf(row)), schemas)
  return {
    operationId: row.name,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tags: [row.area],
    ...(auth === 'credential' ? { 'x-role': roleOf(row) } : { security: [] }),
    'x-auth': auth,
    'x-delegation': row.delegation,
    'x-module': row.module ?? null,
    parameters: parametersOf(row, schemas, options),
    ...(row.body
      ? {
          requestBody: {
            required: (row.body.required ?? []).length > 0,
            content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        refusalsOf(row).map((status) => [status, ref('responses', REFUSALS[status] ?? '')]),
      ),
      ...Object.fromEntries(successesOf(row).map((status) => [status, success(row, schemas)])),
    },
  }
}

const successesOf = (row: Route): readonly number[] => [row.status ?? 200, ...(row.alsoAnswers ?? [])]

const isKeyed = (row: Route) => row.access === 'write' || row.access === 'self'

function success(row: Route, schemas: Json): Json {
  const names: HeaderName[] = [
    ...EVERY_ANSWER,
    ...(isKeyed(row) ? (['Idempotent-Replayed'] as const) : []),
    ...(authOf(row) === 'session' ? (['Set-Cookie'] as const) : []),
    ...((row.alsoProduces ?? []).length > 0 ? (['Content-Disposition'] as const) : []),
  ]
  const types = [row.produces ?? 'application/json', ...(row.alsoProduces ?? [])]
  return {
    description: row.alsoAnswers === undefined ? 'Success' : 'The same body under each of these statuses',
    headers: headersOf(names),
    content: Object.fromEntries(types.map((type) => [type, { schema: successOf(row, schemas) }])),
  }
}

function parametersOf(row: Route, schemas: Json, { parameters }: DocumentOptions): Json[] {
  const one = (where: 'path' | 'query', name: string, shape: unknown, required: boolean): Json => {
    const { description: own, ...schema } = (hoist(shape, schemas) ?? { type: 'string' }) as Json
    // That an id is a prefixed ULID says nothing of whose it is.
    const telling = own === (Id as { description?: string }).description ? undefined : own
    const description = parameters[`${row.name} ${name}`] ?? telling ?? parameters[name] ?? own
    return { name, in: where, required, ...(description === undefined ? {} : { description }), schema }
  }
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    one('path', name, row.params?.properties[name], true),
  )
  const query = Object.entries(row.query?.properties ?? {}).map(([name, shape]) =>
    one('query', name, shape, row.query?.required?.includes(name) ?? false),
  )
  return [
    ...inPath,
    ...query,
    ...(row.ifMatch ? [ref('parameters', 'IfMatch')] : []),
    ...(isKeyed(row) ? [ref('parameters', 'IdempotencyKey')] : []),
  ]
}

function successOf(row: Route, schemas: Json): unknown {
  if (row.produces !== undefined) return { type: 'string' }
  const one = hoist(row.returns, schemas)
  const data = row.page ? { type: 'array', items: one } : one
  return {
    type: 'object',
    required: ['data', 'error', 'meta'],
    properties: { data, error: { type: 'null' }, meta: ref('schemas', metaOf(row)) },
  }
}

const metaOf = (row: Route) => (row.page ? 'PageMeta' : row.whole ? 'WholeMeta' : 'Meta')

/** Every status that a caller must be ready for, by what the route reads: what never comes is left out. */
function refusalsOf(row: Route): number[] {
  const statuses = new Set([400, 429, 500, 503])
  const add = (...more: number[]) => {
    for (const status of more) statuses.add(status)
  }
  const auth = authOf(row)
  if (auth === 'credential') add(401, 403)
  if (auth === 'session') add(401, 403)
  if (row.query) add(404, 422)
  if (row.path.includes('{')) add(404)
  if (isUnsafe(row.method)) add(404, 409, 413, 415, 422)
  if (isUnsafe(row.method) && auth === 'credential') add(402)
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
