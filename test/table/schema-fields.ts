import type { Place } from './request.ts'

/** As much of JSON Schema as the shapes of the route table use. */
export type Shape = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
  /** Kept with its blanks. */
  'x-verbatim'?: boolean
}

export type Field = { place: Place; shape: Shape; required: boolean; nullable: boolean }

const isNull = (shape: Shape) => shape.type === 'null'
/** The shape without its null; a union of several other shapes stays a union. */
const inner = (shape: Shape): { shape: Shape; nullable: boolean } => {
  const types: unknown = shape.type
  if (Array.isArray(types)) {
    const [type] = types.filter((one) => one !== 'null')
    return { shape: { ...shape, type }, nullable: types.includes('null') }
  }
  if (!shape.anyOf) return { shape, nullable: false }
  const rest = shape.anyOf.filter((one) => !isNull(one))
  const [only] = rest
  return {
    shape: rest.length === 1 && only ? { ...only } : { anyOf: rest },
    nullable: rest.length < shape.anyOf.length,
  }
}

/** Every field of an object shape, the fields of its objects and of the first entry of its lists included. */
export function fieldsOf(object: Shape, place: Place): Field[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, declared]) => {
    const { shape, nullable } = inner(declared)
    const here = [...place, name]
    const field = { place: here, shape, nullable, required: object.required?.includes(name) ?? false }
    const entry = shape.items && inner(shape.items)
    const below = shape.properties
      ? fieldsOf(shape, here)
      : entry
        ? entry.shape.properties
          ? fieldsOf(entry.shape, [...here, 0])
          : [{ place: [...here, 0], shape: entry.shape, nullable: entry.nullable, required: false }]
        : []
    return [field, ...below]
  })
}
