import fc from 'fast-check'
import type { Draw } from './draw.ts'
import { resolve, type Schema } from './operations.ts'

/** Ids and codes that answers have shown, by the field that held them: `outletId`, `variantId`. */
export type Seen = Map<string, string[]>

/** Enough to meet old records as well as new ones. */
const KEPT = 60

/** Notes every id of an answer under the names of fields that may refer to it. */
export function noteIds(seen: Seen, value: unknown): void {
  if (Array.isArray(value)) {
    for (const entry of value) noteIds(seen, entry)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      if (typeof entry !== 'string') noteIds(seen, entry)
      else if (key === 'id') note(seen, entry.split('_')[0] ?? '', entry)
      else if (/Id$|^code$|^barcode$|^sku$/.test(key)) {
        note(seen, key, entry)
        note(seen, entry.split('_')[0] ?? '', entry)
      }
    }
  }
}

/** Remembers an id under the name of a field or of a path; the oldest one goes. */
export function note(seen: Seen, name: string, id: string): void {
  const known = seen.get(name) ?? []
  if (known.includes(id)) return
  known.push(id)
  if (known.length > KEPT) known.shift()
  seen.set(name, known)
}

/** An id for a field: usually one that the field has held, or that has the same prefix. */
export function idFor(draw: Draw, seen: Seen, name: string): string {
  const own = seen.get(name) ?? []
  const samePrefix = seen.get(own[0]?.split('_')[0] ?? '') ?? []
  const likely = own.length > 0 && draw.percent(90) ? [...own, ...samePrefix] : [...seen.values()].flat()
  return likely.length > 0 && draw.percent(97) ? draw.one(likely) : draw(fc.string({ maxLength: 40 }))
}

const DAY_MS = 86_400_000
const ODD_TEXTS = [
  '',
  ' ',
  '0',
  'null',
  '-1',
  '1e400',
  '\u0000',
  '\ud800',
  '😀',
  "'; drop table sales; --",
  '%_\\',
  '=1+1',
]

function integer(draw: Draw, { minimum, maximum, exclusiveMinimum }: Schema): number {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1)
  const max = maximum ?? Number.MAX_SAFE_INTEGER
  if (draw.percent(3)) return draw.one([min - 1, max + 1, 0, -1, 1.5, Number.MAX_SAFE_INTEGER])
  if (draw.percent(10)) return draw.one([min, max])
  return draw(fc.integer({ min, max: Math.min(max, Math.max(min + 20, draw.one([20, 100_000]))) }))
}

function text(draw: Draw, seen: Seen, schema: Schema, name: string): string {
  if (draw.percent(3)) return draw.one(ODD_TEXTS)
  if (/(^|[a-z])Id$|^id$|^code$|^barcode$|^sku$/.test(name) && draw.percent(90))
    return idFor(draw, seen, name)
  const near = new Date(Date.now() + draw(fc.integer({ min: -40, max: 40 })) * DAY_MS)
  if (schema.format === 'date-time' || /(From|To|At)$/.test(name)) return near.toISOString()
  if (schema.format === 'date' || /(^date|Date$|^from$|^to$)/.test(name))
    return near.toISOString().slice(0, 10)
  if (/email/i.test(name)) return `fuzz${draw(fc.nat({ max: 999 }))}@example.com`
  if (/url/i.test(name)) return 'https://example.com/hook'
  return draw(
    fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 30, 30) }),
  )
}

/** A value that usually fits the schema. */
export function valueOf(draw: Draw, seen: Seen, given: Schema, name: string, depth = 0): unknown {
  const schema = resolve(given)
  if (draw.percent(1)) return draw(fc.jsonValue({ maxDepth: 1 }))
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return draw.one(schema.enum)
  if (schema.anyOf) return valueOf(draw, seen, draw.one(schema.anyOf), name, depth)
  const type = Array.isArray(schema.type) ? draw.one(schema.type) : schema.type
  switch (type) {
    case 'integer':
    case 'number':
      return integer(draw, schema)
    case 'string':
      return text(draw, seen, schema, name)
    case 'boolean':
      return draw.percent(50)
    case 'null':
      return null
    case 'array': {
      const min = schema.minItems ?? 0
      const length = draw(fc.integer({ min, max: Math.max(min, Math.min(schema.maxItems ?? 3, 3)) }))
      const entry = name.replace(/s$/, '')
      return Array.from({ length }, () => valueOf(draw, seen, schema.items ?? {}, entry, depth + 1))
    }
    default:
      return objectOf(draw, seen, schema, depth)
  }
}

function objectOf(draw: Draw, seen: Seen, schema: Schema, depth: number): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const isWanted = schema.required?.includes(key) ? !draw.percent(2) : draw.percent(depth > 3 ? 5 : 35)
    if (isWanted) made[key] = valueOf(draw, seen, field, key, depth + 1)
  }
  if (draw.percent(1)) made['strange'] = 1
  return made
}
