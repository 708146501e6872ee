import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { documentAt } from '../../src/document.ts'

type Shape = { schema: object }
type Reply = { headers?: Record<string, unknown>; content?: Record<string, Shape> }
type Referable = Reply | { $ref: string }
type Operation = { responses: Record<string, Referable> }

/** What every answer of HTTP, of a browser's guard or of a cache carries; nobody reads them for what they ask. */
const ORDINARY = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'keep-alive',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
])

const document = documentAt('http://127.0.0.1:3000') as {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Reply> }
}

const patterns = Object.keys(document.paths)
  // A path without placeholders goes before one that would take its words for an id.
  .sort((a, b) => a.split('{').length - b.split('{').length)
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
  }))

const operationOf = (method: string, path: string): Operation | undefined => {
  const known = patterns.filter(({ pattern }) => pattern.test(path))
  return known
    .map((one) => document.paths[one.path]?.[method.toLowerCase()])
    .find((found) => found !== undefined)
}

const resolved = (reply: Referable): Reply =>
  '$ref' in reply ? (document.components.responses[reply.$ref.split('/').at(-1) ?? ''] ?? {}) : reply

const ajv = new (Ajv2020 as unknown as typeof Ajv2020.default)({ strict: false, validateSchema: false })
;(formats as unknown as { default: typeof formats.default }).default(ajv)
ajv.addSchema({ $id: 'document', components: (document as { components: object }).components })

const compiled = new Map<object, ValidateFunction>()
const checkOf = (schema: object): ValidateFunction => {
  const known = compiled.get(schema)
  if (known) return known
  const inside = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
  const made = ajv.compile(inside)
  compiled.set(schema, made)
  return made
}

export type Seen = { method: string; path: string; status: number; headers: Headers; text: string }

/**
 * How an answer differs from what the OpenAPI document says of it: an unknown status, media type, header or body. What
 * the document does not describe (a path or method that is not there) is no fault.
 */
export function departures({ method, path, status, headers, text }: Seen): string[] {
  const operation = operationOf(method, path.split('?', 1)[0] ?? path)
  if (!operation || status === 405) return []
  const declared = operation.responses[String(status)]
  if (!declared) return [`status ${status}`]
  const reply = resolved(declared)
  const known = new Set(Object.keys(reply.headers ?? {}).map((name) => name.toLowerCase()))
  const strange = [...headers.keys()].filter((name) => !ORDINARY.has(name) && !known.has(name))
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  if (reply.content === undefined && type === '') return strange.map((name) => `header ${name}`)
  const content = reply.content?.[type] ?? reply.content?.[type.replace(/\/.*/, '/*')]
  if (!content) return [...strange.map((name) => `header ${name}`), `media type ${type}`]
  const faults = strange.map((name) => `header ${name}`)
  if (type !== 'application/json') return faults
  const check = checkOf(content.schema)
  return check(JSON.parse(text)) ? faults : [...faults, `body: ${ajv.errorsText(check.errors)}`]
}
