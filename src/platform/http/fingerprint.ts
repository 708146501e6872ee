import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'

/**
 * SHA-256 of method, path, canonical body and the query if there is one; it does not depend on the process (B-key-2).
 */
export function fingerprintOf(method: string, path: string, body: unknown, query: unknown = {}): string {
  const asked = canonical(query)
  return createHash('sha256')
    .update(`${method} ${path}\n${canonical(body)}${asked === '{}' ? '' : `\n${asked}`}`)
    .digest('base64url')
}

/** JSON with sorted keys: field order does not change the request. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`
}

/** Copies a value without the parts its schema hides; undefined if all of it is hidden. */
type Omit = (value: unknown) => unknown
type Shape = {
  format?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
}

/**
 * Creates the function that copies a body without its password fields (`format: 'password'`), at any depth: a plain
 * hash of an otherwise known request would allow guessing them. Null if the shape has none.
 */
export const passwordsOmitted = (schema: TSchema): Omit | null => omitOf(schema as Shape)

function omitOf(shape: Shape): Omit | null {
  if (shape.format === 'password') return () => undefined
  const steps = [
    fieldsOmitted(shape.properties ?? {}),
    shape.items ? entriesOmitted(shape.items) : null,
    ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((shapes) => (shapes ?? []).map(omitOf)),
  ].filter((step) => step !== null)
  if (steps.length === 0) return null
  return (value) => steps.reduce((left, omit) => omit(left), value)
}

function fieldsOmitted(properties: Record<string, Shape>): Omit | null {
  const omits = Object.entries(properties).flatMap(([name, shape]) => {
    const omit = omitOf(shape)
    return omit ? [[name, omit] as const] : []
  })
  if (omits.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const copy: Record<string, unknown> = { ...value }
    for (const [name, omit] of omits) copy[name] = omit(copy[name])
    return copy
  }
}

function entriesOmitted(items: Shape): Omit | null {
  const omit = omitOf(items)
  return omit && ((value) => (Array.isArray(value) ? value.map(omit) : value))
}
