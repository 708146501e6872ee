import { documentAt } from '../../src/document.ts'

/** As much of JSON Schema as the document uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  format?: string
  pattern?: string
}
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }
type Reply = { $ref?: string; content?: Record<string, unknown> }
type Described = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, Reply>
}

export type Operation = {
  id: string
  method: string
  path: string
  params: Parameter[]
  query: Parameter[]
  /** The schema of its JSON body. */
  body: Schema | null
}

const document = documentAt('http://127.0.0.1:3000') as unknown as {
  paths: Record<string, Record<string, Described>>
  components: Record<string, Record<string, unknown>>
}

/** What a `$ref` of the document names. */
export function resolve<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return resolve(document.components[kind]?.[name] as T)
}

const isStream = ({ responses }: Described) =>
  Object.values(responses).some((reply) => 'text/event-stream' in (resolve(reply).content ?? {}))

/** Every operation of the document; a stream never ends, so streams are left out. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, described]) => described.operationId !== undefined && !isStream(described))
    .map(([method, described]) => {
      const parameters = (described.parameters ?? []).map((parameter) => resolve(parameter))
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        params: parameters.filter((parameter) => parameter.in === 'path'),
        query: parameters.filter((parameter) => parameter.in === 'query'),
        body: described.requestBody?.content['application/json']?.schema ?? null,
      }
    }),
)
