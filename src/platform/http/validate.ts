import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type ApiError, malformed } from '../../core/errors.ts'
import { nearest } from '../../core/suggest.ts'
import { parseInstant } from '../../core/time.ts'
import { type FieldRules, fieldKeeper } from './fields.ts'

export const MAX_DEPTH = 20
export const MAX_ARRAY = 10_000

const options = { useDefaults: true, strict: false } as const
const make = (extra: object) => {
  // An error then includes its schema, which may describe the expected format in words.
  const ajv = new Ajv({ ...options, verbose: true, ...extra })
  ;(formats as unknown as { default: typeof formats.default }).default(ajv)
  // The library's format accepts leap seconds, which neither JavaScript nor PostgreSQL can store.
  ajv.addFormat('date-time', (text) => parseInstant(text) !== null)
  const isUri = ajv.compile({ type: 'string', format: 'uri' })
  ajv.addFormat('iri', (text) => isUri(text.replaceAll(INTERNATIONAL, 'a')))
  return ajv
}
/** Non-ASCII characters allowed in an IRI (RFC 3987): no whitespace and no invisible characters. */
const INTERNATIONAL = /[^\p{ASCII}\p{C}\p{Z}]/gu

/** Body values are not coerced; only URL parameters are converted to numbers. */
const bodies = make({})
const urls = make({ coerceTypes: true })
/** Responses must match the API document exactly: an undocumented field is our defect. */
const replies = make({ useDefaults: false })

export type RequestPart = 'body' | 'query'

/** Compiles on first use, so that the start does not wait for unused schemas. */
function lazily<T>(compile: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: compile() }).value
}

/**
 * Checks a part of a request against its schema. Names are checked first: naming the misspelt field helps more than
 * naming the required one that is missing because of it. Fields of the record are removed from the value.
 */
export function checker(schema: TSchema, part: RequestPart, rules?: FieldRules): (value: unknown) => void {
  const compiled = lazily(() => (part === 'body' ? bodies : urls).compile(schema))
  const keeper = lazily(() => fieldKeeper(schema, part, rules))
  return (value) => {
    keeper()(value)
    const validate = compiled()
    if (!validate(value)) throw refusalOf(validate, part, value)
  }
}

export function replyChecker(schema: TSchema): (value: unknown) => void {
  const compiled = lazily(() => replies.compile(closed(schema) as TSchema))
  return (value) => {
    const validate = compiled()
    if (!validate(value))
      throw new Error(`The reply does not match its schema: ${replies.errorsText(validate.errors)}`)
  }
}

/** The same schema with unknown fields forbidden in every object. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}

/** Creates the 400 error with the dotted path of the first offending field (B-request-4). */
function refusalOf(validate: ValidateFunction, part: RequestPart, value: unknown): ApiError {
  const error = validate.errors?.[0]
  if (!error) return malformed(undefined, 'The request does not match its schema')
  const param = paramOf(error)
  return malformed(
    param === '' ? (part === 'body' ? 'body' : undefined) : param,
    `${param || 'The body'} ${explain(error)}${hintOf(error, value)}`,
  )
}

/** A suggestion for a word that is not in its enum. */
function hintOf({ keyword, instancePath, params }: ErrorObject, value: unknown): string {
  if (keyword !== 'enum') return ''
  const sent = instancePath
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
  const { allowedValues } = params as { allowedValues: unknown[] }
  const meant =
    typeof sent === 'string'
      ? nearest(
          sent,
          allowedValues.filter((word) => typeof word === 'string'),
        )
      : null
  return meant === null ? '' : `; did you mean ${meant}?`
}

function paramOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (joined, part) => (/^\d+$/.test(part) ? `${joined}[${part}]` : joined ? `${joined}.${part}` : part),
      '',
    )
  if (keyword !== 'required') return path
  const missing = String((params as { missingProperty: string }).missingProperty)
  return path === '' ? missing : `${path}.${missing}`
}

const TYPE_WORDS: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const FORMAT_WORDS: Record<string, string> = {
  email: 'is not an e-mail address',
  uri: 'is not a web address such as https://example.com/hook',
  iri: 'is not a web address such as https://example.com/hook',
  'date-time': 'must be an instant with its offset such as 2026-11-21T08:00:00+07:00',
}

function explain({ keyword, params, message, parentSchema }: ErrorObject): string {
  const { type, limit, allowedValues, format } = params as {
    type?: string
    limit?: number
    allowedValues?: unknown[]
    format?: string
  }
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${TYPE_WORDS[type ?? ''] ?? type}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} entries`
    case 'maxItems':
      return `must have at most ${limit} entries`
    case 'enum':
      return `must be one of ${(allowedValues ?? []).join(', ')}`
    case 'format':
      return FORMAT_WORDS[format ?? ''] ?? 'does not have the expected format'
    case 'pattern':
      return formOf(parentSchema)
    default:
      return message ?? 'is not valid'
  }
}

function formOf(schema: ErrorObject['parentSchema']): string {
  const form: unknown = schema?.['x-form']
  return typeof form === 'string' ? `must be ${form}` : 'does not have the expected format'
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** False for text that PostgreSQL or UTF-8 cannot store: NUL and lone surrogates. */
export const isStorable = (text: string) => !text.includes('\u0000') && !LONE_SURROGATE.test(text)

/**
 * Trims every text and rejects values that no field may have: NUL, lone surrogates, numbers beyond doubles, deep
 * nesting, overlong lists (B-request-6, B-request-8). A value under a key of `verbatim` (passwords, delivery drafts)
 * keeps its spaces.
 */
export function normalise(value: unknown, verbatim: ReadonlySet<string>): unknown {
  return walk(value, { verbatim, trims: true }, '', 0)
}

/** Throws 400 for a body nested too deeply, if the body is not otherwise checked here. */
export function requireDepth(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH) throw malformed('body', `The body is nested deeper than ${MAX_DEPTH} levels`)
  for (const entry of Object.values(value)) requireDepth(entry, depth + 1)
}

type How = { verbatim: ReadonlySet<string>; trims: boolean }

function walk(value: unknown, how: How, path: string, depth: number): unknown {
  if (typeof value === 'string') {
    if (!isStorable(value))
      throw malformed(path || 'body', `${path || 'The body'} contains a character that cannot be stored`)
    return how.trims ? value.trim() : value
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw malformed(path || 'body', `${path} is not a number that can be stored`)
    return value === 0 ? 0 : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) throw malformed(path, `The body is nested deeper than ${MAX_DEPTH} levels`)
  if (Array.isArray(value)) {
    if (value.length > MAX_ARRAY)
      throw malformed(path || 'body', `${path} has more than ${MAX_ARRAY} entries`)
    for (const [index, entry] of value.entries())
      value[index] = walk(entry, how, `${path}[${index}]`, depth + 1)
    return value
  }
  const record = value as Record<string, unknown>
  for (const [key, entry] of Object.entries(record)) {
    const inner = path === '' ? key : `${path}.${key}`
    if (!isStorable(key))
      throw malformed(path || 'body', 'A field name contains a character that cannot be stored')
    record[key] = walk(entry, how.verbatim.has(key) ? { ...how, trims: false } : how, inner, depth + 1)
  }
  return record
}
