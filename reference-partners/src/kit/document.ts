import { documented, ERRORS, VERSION } from 'kasir/partner-tools'
import type { TObject, TSchema } from 'typebox'
import { PREFIX } from './http/mount.ts'
import type { PartnerRoute } from './http/route.ts'

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

/** A body whose fields are all optional may be left out. */
const needsBody = ({ required = [] }: { required?: readonly string[] }) => required.length > 0

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
      ? { requestBody: { required: needsBody(row.body), content: json(documented(row.body, row.returns)) } }
      : {}),
    responses: {
      [row.status ?? 200]: { description: 'Done', content: file ?? json(bodyOf(row)) },
      default: { description: 'Refused', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

/** The record in a notice of each type, and its name. */
type Notices = Readonly<Record<string, Readonly<Record<string, TSchema>>>>

const noticeOf = (type: string, subject: Readonly<Record<string, TSchema>>): Json => {
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

type PartnerDescription = {
  title: string
  description: string
  server: string
  routes: readonly PartnerRoute[]
  notices: Notices
}

/** A partner's OpenAPI 3.1 document: what a partner of its kind must speak. */
export function documentOf({ title, description, server, routes, notices }: PartnerDescription): Json {
  const paths: Record<string, Json> = {}
  for (const row of routes) {
    const path = `${PREFIX}${row.path}`
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(row) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: VERSION,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    paths,
    webhooks: Object.fromEntries(
      Object.entries(notices).map(([type, subject]) => [type, noticeOf(type, subject)]),
    ),
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
