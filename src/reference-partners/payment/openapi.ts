import type { TObject, TSchema } from 'typebox'
import { ERRORS } from '../../core/errors.ts'
import { documented } from '../../platform/http/fields.ts'
import { VERSION } from '../../platform/version.ts'
import { PREFIX } from './http/mount.ts'
import type { PartnerRoute } from './http/route.ts'
import { NOTICE_TYPES } from './notices/store.ts'
import { Payout } from './payouts/schema.ts'
import { routes } from './routes.ts'
import { CheckoutSession } from './sessions/schema.ts'

type Json = Record<string, unknown>

const ERROR_BODY = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        param: { type: 'string', description: 'The first field at fault' },
      },
    },
  },
}

const META = {
  type: 'object',
  required: ['nextCursor', 'hasMore'],
  properties: { nextCursor: { type: ['string', 'null'] }, hasMore: { type: 'boolean' } },
}

const json = (schema: unknown) => ({ 'application/json': { schema } })

function bodyOf(row: PartnerRoute): unknown {
  const returns: TSchema | Json = row.returns ?? {}
  const data = row.page ? { type: 'array', items: returns } : returns
  return {
    type: 'object',
    required: row.page ? ['data', 'meta'] : ['data'],
    properties: { data, ...(row.page ? { meta: META } : {}) },
  }
}

const parametersOf = (where: 'path' | 'query', shape: TObject | undefined) =>
  Object.entries(shape?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: schema as unknown,
  }))

const KEY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'The same key gets the same answer and has one effect; another request under it is 409',
}

function operationOf(row: PartnerRoute): Json {
  const file = row.produces === undefined ? undefined : { [row.produces]: { schema: { type: 'string' } } }
  return {
    operationId: row.name,
    tags: [row.tag],
    summary: row.summary,
    ...(row.key === 'none' ? { security: [] } : { security: [{ [row.key ?? 'workspace']: [] }] }),
    parameters: [
      ...parametersOf('path', row.params),
      ...parametersOf('query', row.query),
      ...(row.access === 'write' && !row.isRepeatable ? [KEY_HEADER] : []),
    ],
    ...(row.body
      ? { requestBody: { required: true, content: json(documented(row.body, row.returns)) } }
      : {}),
    responses: {
      [row.status ?? 200]: { description: 'Done', content: file ?? json(bodyOf(row)) },
      default: { description: 'Refused', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

const noticeOf = (type: (typeof NOTICE_TYPES)[number]): Json => {
  const subject = type.startsWith('payout') ? { payout: Payout } : { session: CheckoutSession }
  const data = {
    type: 'object',
    properties: { workspaceExternalId: { type: ['string', 'null'] }, ...subject },
  }
  const schema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: { type: { const: type }, timestamp: { type: 'string', format: 'date-time' }, data },
  }
  const responses = { '2XX': { description: 'Received' } }
  return {
    post: {
      operationId: type,
      security: [],
      requestBody: { required: true, content: json(schema) },
      responses,
    },
  }
}

/** The partner's OpenAPI 3.1 document: what a payment partner must speak. */
export function document(server: string): Json {
  const paths: Record<string, Json> = {}
  for (const row of routes) {
    const path = `${PREFIX}${row.path}`
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(row) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kasir reference payment partner',
      version: VERSION,
      description:
        'What a payment partner must speak. Bodies are `{ data, meta? }`, or `{ error }` with a status of 4xx or 5xx. Amounts are whole units of their currency.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    paths,
    webhooks: Object.fromEntries(NOTICE_TYPES.map((type) => [type, noticeOf(type)])),
    components: {
      schemas: { Error: ERROR_BODY },
      securitySchemes: {
        workspace: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key of a workspace, or the platform’s',
        },
        platform: { type: 'http', scheme: 'bearer', description: 'The key of the platform' },
      },
    },
  }
}
