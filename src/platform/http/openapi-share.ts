import { assert } from '../../core/assert.ts'

export type Json = Record<string, unknown>

export const ref = (kind: 'schemas' | 'headers' | 'responses' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/**
 * Moves shapes with a title to components, so that each appears once. A field's own description or alias stays beside
 * the reference.
 */
export function hoist(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => hoist(entry, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const shape = nullableInOne(schema as Json)
  const { title, ...rest } = shape
  // Among the properties of a record, `title` may be an ordinary field.
  const parts = typeof title === 'string' ? rest : shape
  const inner = Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, hoist(value, schemas)]))
  if (typeof title !== 'string') return inner
  const known = (schemas[title] ??= inner) as Json
  const own = Object.entries(inner).filter(
    ([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value),
  )
  const isSame =
    own.every(([key]) => OF_THE_FIELD.includes(key)) && Object.keys(known).every((key) => key in inner)
  assert(isSame, `the title ${title} names two shapes`)
  return { ...ref('schemas', title), ...Object.fromEntries(own) }
}
/** Shortens "text or null" to `type: ['string', 'null']`, a third of the lines. */
function nullableInOne(schema: Json): Json {
  const { anyOf, ...rest } = schema
  const [one, other, ...more] = (anyOf ?? []) as Json[]
  if (one === undefined || other?.['type'] !== 'null' || more.length > 0) return schema
  const isPlain = PLAIN_TYPES.includes(one['type']) && !('title' in one) && !('enum' in one)
  return isPlain ? { ...one, type: [one['type'], 'null'], ...rest } : schema
}
const PLAIN_TYPES: readonly unknown[] = ['string', 'integer', 'boolean']
const OF_THE_FIELD = ['description', 'x-also']

type Operation = { parameters: Json[]; responses: Record<string, Json> }

/** Moves parameters and responses that several operations share to components; unique ones stay in place. */
export function shareRepeated(paths: Record<string, Json>, shared: { parameters: Json; responses: Json }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as Operation[]
  const parameter = sharer('parameters', shared.parameters, parameterName)
  const response = sharer('responses', shared.responses, responseName)
  for (const { parameters, responses } of operations) {
    parameters.forEach(parameter.count)
    Object.values(responses).forEach(response.count)
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters.map(parameter.shared)
    for (const [status, one] of Object.entries(operation.responses))
      operation.responses[status] = response.shared(one)
  }
}

function sharer(kind: 'parameters' | 'responses', components: Json, nameOf: (one: Json) => string | null) {
  const seen = new Map<string, number>()
  return {
    count: (one: Json) => {
      const text = JSON.stringify(one)
      seen.set(text, (seen.get(text) ?? 0) + 1)
    },
    shared: (one: Json): Json => {
      const text = JSON.stringify(one)
      if ('$ref' in one || seen.get(text) === 1) return one
      const name = nameOf(one)
      if (name === null) return one
      // If two would have the same name, the first one gets it.
      components[name] ??= one
      return JSON.stringify(components[name]) === text ? ref(kind, name) : one
    },
  }
}

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** `OutletId`, or `RequiredOutletId` in a query; a title goes before the name. */
function parameterName({ name, in: where, required, schema }: Json): string {
  const { title } = schema as { title?: string }
  return title ?? `${where === 'query' && required ? 'Required' : ''}${capitalised(name as string)}`
}

/** Names a response after its data: its record, or its keys (`SaleStockWarnings`). Returns null without JSON. */
function responseName({ content }: Json): string | null {
  type Data = { $ref?: string; properties?: Json }
  const [media] = Object.values((content ?? {}) as Json) as {
    schema: { allOf?: [Json, { properties: { data: Data } }] }
  }[]
  const data = media?.schema.allOf?.[1].properties.data
  const keys = Object.keys(data?.properties ?? {})
  return data?.$ref?.split('/').at(-1) ?? (keys.length === 0 ? null : keys.map(capitalised).join(''))
}
