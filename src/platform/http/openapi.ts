import type { EventType } from '../../core/events.ts'
import { isUnsafe } from '../../core/methods.ts'
import { documented } from './fields.ts'
import {
  APPROVAL_PARAMETER,
  ENVELOPES,
  EVERY_ANSWER,
  HEADERS,
  type HeaderName,
  headersOf,
  KEY_PARAMETER,
  MATCH_PARAMETER,
  refusal,
} from './openapi-components.ts'
import { descriptionOf } from './openapi-description.ts'
import { hoist, type Json, ref, shareRepeated } from './openapi-share.ts'
import { PAPER_TYPES } from './paper.ts'
import { refusalsOf } from './refusals.ts'
import { API_PREFIX, authOf, isKeyed, isPage, type Route, recordOf, roleOf } from './route.ts'
import { Amount, Day, Id, Instant, Rupiah } from './shapes.ts'
import { EVENT_HEAD, webhooksOf } from './webhooks.ts'

/** Parts of the document that are not in the route table, and the address of the service. */
export type DocumentOptions = {
  version: string
  /** Scheme, host and port. */
  address: string
  /** An example body by route name, for each route with a body. */
  examples: Readonly<Record<string, Readonly<Json>>>
  /** Descriptions of parameters, by name or by `<route name> <name>`. */
  parameters: Readonly<Record<string, string>>
  /** Descriptions of areas. */
  tags: Readonly<Record<string, string>>
  /** Event types by name. */
  events: ReadonlyMap<string, EventType>
}

/**
 * The OpenAPI 3.1 document, generated from the route table and the event types.
 */
export function openapiOf(rows: readonly Route[], options: DocumentOptions): Json {
  const schemas: Json = { ...ENVELOPES, EventHead: EVENT_HEAD }
  // These come first and unchanged: one field's description of its id must not become that of all ids.
  for (const shape of [Id, Instant, Day, Rupiah, Amount]) hoist(shape, schemas)
  const paths: Record<string, Json> = {}
  const responses: Json = {}
  for (const row of rows) {
    const path = `${API_PREFIX}${row.path}`
    const operation = operationOf(row, { schemas, responses }, options)
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation }
  }
  const parameters: Json = {
    IdempotencyKey: KEY_PARAMETER,
    IfMatch: MATCH_PARAMETER,
    Approval: APPROVAL_PARAMETER,
  }
  const webhooks = webhooksOf(options.events.values(), (schema) => hoist(schema, schemas))
  shareRepeated(paths, { parameters, responses })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kasir',
      version: options.version,
      description:
        'Point-of-sale service for shops, cafés and pharmacies. Money is whole rupiah, time is UTC, quantities are integers. ' +
        'Every answer is an envelope of `data`, `error` and `meta`. Send an `Idempotency-Key` with every write: a repeat gets the first answer. ' +
        'A field or query parameter that a request does not know is refused with 400. An operation with `x-pagination` is a list read page by page: send `meta.cursor` as `cursor` until `meta.hasMore` is false. A request that no operation would read is refused at any address: with 405 for its method, 408 when it comes too slowly, 414 and 431 when its address or its headers are too long. Fields marked `readOnly` belong to the record: they may be sent back and are ignored.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.address }],
    security: [{ apiKey: [] }, { jwt: [] }, { delegation: [] }, { session: [] }],
    tags: [...new Set(rows.map((row) => row.area))].map((name) => ({
      name,
      ...(options.tags[name] === undefined ? {} : { description: options.tags[name] }),
    })),
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
        delegation: {
          type: 'http',
          scheme: 'delegation',
          description:
            'The token of an assistant that acts for a member; `x-delegation` says what it may do (kasir delegation-token)',
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
      responses,
      parameters,
    },
  }
}

/** Components that several operations share. */
type Components = { schemas: Json; responses: Json }

function operationOf(row: Route, { schemas, responses }: Components, options: DocumentOptions): Json {
  const auth = authOf(row)
  const example = options.examples[row.name]
  // A partner's notification may have unknown fields (B-request-5).
  const shape =
    row.body &&
    (auth === 'signature' ? { ...row.body, additionalProperties: true } : documented(row.body, recordOf(row)))
  const schema = shape && hoist(shape, schemas)
  const description = descriptionOf(row)
  return {
    operationId: row.name,
    summary: row.summary,
    ...(description === '' ? {} : { description }),
    tags: [row.area],
    ...(auth === 'credential' ? { 'x-role': roleOf(row) } : { security: [] }),
    'x-auth': auth,
    'x-delegation': row.delegation,
    'x-module': row.module ?? null,
    ...(row.approvals === undefined ? {} : { 'x-approvals': row.approvals }),
    ...(isList(row) ? { 'x-pagination': 'cursor' } : {}),
    parameters: parametersOf(row, schemas, options),
    ...(row.body
      ? {
          requestBody: {
            required: (row.body.required ?? []).length > 0,
            content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
          },
        }
      : row.access === 'forward' && isUnsafe(row.method)
        ? {
            requestBody: {
              required: false,
              content: {
                'application/json': { schema: AS_IT_IS, ...(example === undefined ? {} : { example }) },
              },
            },
          }
        : {}),
    responses: {
      ...Object.fromEntries(
        [...refusalsOf(row)].map(([status, codes]) => [
          status,
          refusal(status, codes, { schemas, responses, setsCookie: auth === 'session' }),
        ]),
      ),
      ...(row.document?.isCached === undefined
        ? {}
        : { 304: { description: 'The same as what the caller has', headers: headersOf(EVERY_ANSWER) } }),
      ...Object.fromEntries(successesOf(row).map((status) => [status, success(row, schemas)])),
    },
  }
}

const AS_IT_IS = { type: 'object', description: 'Forwarded unchanged: the partner defines its fields' }

const successesOf = (row: Route): readonly number[] => [
  row.status ?? 200,
  ...(row.document?.alsoAnswers ?? []),
]

/** A file that has a name. */
const PDF = 'application/pdf'

function success(row: Route, schemas: Json): Json {
  const names: HeaderName[] = [
    ...EVERY_ANSWER,
    ...(isKeyed(row) ? (['Idempotent-Replayed'] as const) : []),
    ...(row.mayReadReplica ? (['Kasir-Data-As-Of'] as const) : []),
    ...(authOf(row) === 'session' ? (['Set-Cookie'] as const) : []),
    ...(row.formats?.csv || row.produces === PDF || (row.document?.alsoProduces ?? []).length > 0
      ? (['Content-Disposition'] as const)
      : []),
  ]
  if (row.isVisited) {
    return { description: 'On to another page', headers: headersOf([...names, 'Location']) }
  }
  const types = [row.produces ?? 'application/json', ...(row.document?.alsoProduces ?? [])]
  return {
    description:
      row.document?.alsoAnswers === undefined ? 'Success' : 'The same body under each of these statuses',
    headers: headersOf(names),
    ...(isList(row) && row.query !== undefined ? { links: { next: nextPageOf(row) } } : {}),
    content: {
      ...Object.fromEntries(types.map((type) => [type, { schema: successOf(row, schemas) }])),
      ...(row.formats?.paper
        ? Object.fromEntries(PAPER_TYPES.map((type) => [type, { schema: { type: 'string' } }]))
        : {}),
      ...(row.formats?.csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
    },
  }
}

/** A list that is always or optionally paginated. */
const isList = (row: Route) => isPage(row) || row.access === 'whole'

/** The link to the next page: the same request with this page's cursor. */
const nextPageOf = (row: Route) => ({
  operationId: row.name,
  parameters: {
    ...Object.fromEntries(pathParametersOf(row).map((name) => [`path.${name}`, `$request.path.${name}`])),
    'query.cursor': '$response.body#/meta/cursor',
  },
})

const pathParametersOf = ({ path }: Route) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function parametersOf(row: Route, schemas: Json, { parameters }: DocumentOptions): Json[] {
  const one = (where: 'path' | 'query', name: string, shape: unknown, required: boolean): Json => {
    const { description: own, ...rest } = (shape ?? { type: 'string' }) as Json
    const schema = hoist('title' in rest ? shape : rest, schemas)
    // The general description of ids does not say which record this id belongs to.
    const telling = own === (Id as { description?: string }).description ? undefined : own
    const description = parameters[`${row.name} ${name}`] ?? telling ?? parameters[name] ?? own
    return { name, in: where, required, ...(description === undefined ? {} : { description }), schema }
  }
  const inPath = pathParametersOf(row).map((name) => one('path', name, row.params?.properties[name], true))
  const query = Object.entries(row.query?.properties ?? {}).map(([name, shape]) =>
    one('query', name, shape, row.query?.required?.includes(name) ?? false),
  )
  return [
    ...inPath,
    ...query,
    ...(row.document?.ifMatch ? [ref('parameters', 'IfMatch')] : []),
    ...(row.approvals ? [ref('parameters', 'Approval')] : []),
    ...(isKeyed(row) ? [ref('parameters', 'IdempotencyKey')] : []),
  ]
}

function successOf(row: Route, schemas: Json): unknown {
  // JSON without the envelope has the row's shape; other media types have no shape.
  if (row.produces !== undefined)
    return row.produces === 'application/json' ? hoist(row.returns, schemas) : { type: 'string' }
  const one = hoist(row.returns, schemas)
  const data = isPage(row) ? { type: 'array', items: one } : one
  // Required here too: code generators merge the parts one by one and would make it optional.
  return {
    allOf: [ref('schemas', envelopeOf(row)), { type: 'object', required: ['data'], properties: { data } }],
  }
}

const envelopeOf = (row: Route) =>
  isPage(row) ? 'PageAnswer' : row.access === 'whole' ? 'WholeAnswer' : 'Answer'
