import type { TSchema } from 'typebox'
import { ApiError, malformed } from '../../core/errors.ts'
import { nearest } from '../../core/suggest.ts'

/** The part of JSON Schema that the route table uses. */
type Shape = {
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  /** Another name under which the field may be sent. */
  'x-also'?: string
}

/** The fields of one object: those the request accepts, their aliases, and those that only the record has. */
type KnownFields = {
  fields: ReadonlyMap<string, Node | null>
  also: ReadonlyMap<string, string>
  ignored: ReadonlySet<string>
}
/** A level with declared names: an object, a list of objects, or both (a field that may be either). */
type Node = { object: KnownFields | null; entries: Node | null }

export type FieldPart = 'body' | 'query'
export type FieldRules = {
  /** The record that the request writes: its fields may be sent back and are dropped. */
  record?: TSchema | undefined
  /** Unknown fields are dropped instead of refused: a partner's notification may gain fields (B-request-5). */
  lenient?: boolean
}

/**
 * Checks the names in a request (B-request-5): removes fields that only the record has, renames aliases, and throws
 * 400 with the path and a suggestion for an unknown field. The schema checks the values; an object without declared
 * fields is left unchanged.
 */
export function fieldKeeper(schema: TSchema, part: FieldPart, rules: FieldRules = {}) {
  const root = nodeOf(schema as Shape, rules.record as Shape | undefined)
  return (value: unknown): void => {
    if (root) keep(value, root, '', { part, lenient: rules.lenient ?? false })
  }
}

/**
 * The request schema for the API document: closed, with aliases beside their fields. The record's other fields are
 * `readOnly`: they may be sent and have no effect.
 */
export function documented(schema: TSchema, record?: TSchema): unknown {
  return shown(schema as Shape, record as Shape | undefined)
}

const optionsOf = (shape: Shape | undefined): Shape[] =>
  shape === undefined ? [] : shape.anyOf ? shape.anyOf.flatMap(optionsOf) : [shape]

/** Fields of the shape, or of its alternatives; null if it declares none. */
function propertiesOf(shape: Shape | undefined): Record<string, Shape> | null {
  const objects = optionsOf(shape).flatMap(({ properties }) => (properties ? [properties] : []))
  return objects.length === 0 ? null : Object.assign({}, ...objects)
}
const entriesOf = (shape: Shape | undefined): Shape | undefined =>
  optionsOf(shape).find(({ items }) => items)?.items

const alsoOf = (properties: Record<string, Shape>) =>
  Object.entries(properties).flatMap(([name, { 'x-also': also }]): [string, string][] =>
    also === undefined ? [] : [[also, name]],
  )

/** Fields that the record has and the request does not accept. */
function recordOnly(properties: Record<string, Shape>, record: Shape | undefined): string[] {
  const also = new Set(alsoOf(properties).map(([name]) => name))
  return Object.keys(propertiesOf(record) ?? {}).filter(
    (name) => !Object.hasOwn(properties, name) && !also.has(name),
  )
}

function nodeOf(shape: Shape | undefined, record: Shape | undefined): Node | null {
  const properties = propertiesOf(shape)
  const items = entriesOf(shape)
  const entries = items ? nodeOf(items, entriesOf(record)) : null
  if (!properties) return entries && { object: null, entries }
  const inRecord = propertiesOf(record) ?? {}
  return {
    entries,
    object: {
      fields: new Map(
        Object.entries(properties).map(([name, inner]) => [
          name,
          nodeOf(inner, Object.hasOwn(inRecord, name) ? inRecord[name] : undefined),
        ]),
      ),
      also: new Map(alsoOf(properties)),
      ignored: new Set(recordOnly(properties, record)),
    },
  }
}

type How = { part: FieldPart; lenient: boolean }

function keep(value: unknown, node: Node, path: string, how: How): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (!node.entries) return
    for (const [index, entry] of value.entries()) keep(entry, node.entries, `${path}[${index}]`, how)
    return
  }
  if (node.object) keepFields(value as Record<string, unknown>, node.object, path, how)
}

function keepFields(record: Record<string, unknown>, known: KnownFields, path: string, how: How) {
  for (const name of Object.keys(record)) {
    if (known.fields.has(name)) continue
    const canonical = known.also.get(name)
    if (canonical === undefined && !known.ignored.has(name) && !how.lenient) {
      throw unknownField(name, known, path, how.part)
    }
    if (canonical !== undefined) takeOtherName(record, name, canonical, path)
    delete record[name]
  }
  for (const [name, node] of known.fields) {
    if (node && Object.hasOwn(record, name)) keep(record[name], node, join(path, name), how)
  }
}

function takeOtherName(record: Record<string, unknown>, name: string, canonical: string, path: string) {
  if (!Object.hasOwn(record, canonical)) record[canonical] = record[name]
  else if (record[canonical] !== record[name]) {
    throw malformed(
      join(path, name),
      `${join(path, name)} and ${canonical} are the same field but differ; send only one of them`,
    )
  }
}

/** Maximum length of an echoed field name. */
const MAX_ECHO = 64
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

function unknownField(name: string, known: KnownFields, path: string, part: FieldPart) {
  const shown = name.length > MAX_ECHO ? `${name.slice(0, MAX_ECHO)}…` : name
  const meant = nearest(name, [...known.fields.keys(), ...known.also.keys()])
  const what = part === 'query' ? 'a query parameter of this route' : 'a field of this request'
  const hint = meant === null ? '' : `; did you mean \`${meant}\`?`
  const param = join(path, shown) || part
  // A name is not logged: it may be a password sent in the wrong place.
  return new ApiError('VALIDATION_ERROR', `\`${join(path, shown)}\` is not ${what}${hint}`, {
    status: 400,
    param,
    logged: `The request has a name that is not ${what}`,
  })
}

function shown(shape: Shape, record: Shape | undefined): unknown {
  const { anyOf, items, properties } = shape
  return {
    ...shape,
    ...(anyOf ? { anyOf: anyOf.map((option) => shown(option, record)) } : {}),
    ...(items ? { items: shown(items, entriesOf(record)) } : {}),
    ...(properties ? closedOf(properties, shape, record) : {}),
  }
}

function closedOf(properties: Record<string, Shape>, shape: Shape, record: Shape | undefined) {
  const inRecord = propertiesOf(record) ?? {}
  const also = alsoOf(properties)
  const doubled = new Set(also.map(([, name]) => name))
  const required = shape.required ?? []
  const oneOfTwo = also
    .filter(([, name]) => required.includes(name))
    .map(([name, canonical]) => ({ anyOf: [{ required: [canonical] }, { required: [name] }] }))
  return {
    properties: {
      ...Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [
          name,
          shown(inner, Object.hasOwn(inRecord, name) ? inRecord[name] : undefined),
        ]),
      ),
      ...Object.fromEntries(
        also.map(([name, canonical]) => [
          name,
          { ...properties[canonical], description: `Another name of \`${canonical}\`` },
        ]),
      ),
      ...Object.fromEntries(recordOnly(properties, record).map((name) => [name, { readOnly: true }])),
    },
    ...(shape.required === undefined ? {} : { required: required.filter((name) => !doubled.has(name)) }),
    ...(oneOfTwo.length === 0 ? {} : { allOf: oneOfTwo }),
    additionalProperties: false,
  }
}
