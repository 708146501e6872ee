import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type ApiError, malformed } from '../../core/errors.ts'
import { nearest } from '../../core/suggest.ts'
import { type FieldRules, fieldKeeper } from './fields.ts'

export const MAX_DEPTH = 20
export const MAX_ARRAY = 10_000

const options = { useDefaults: true, strict: false } as const
const make = (extra: object) => {
  const ajv = new Ajv({ ...options, ...extra })
  ;(formats as unknown as { default: typeof formats.default }).default(ajv)
  return ajv
}
/** Bodies are taken as sent; only the texts of a URL are read as numbers. */
const bodies = make({})
const urls = make({ coerceTypes: true })
/** Replies are held to exactly what the document says: a field it does not name is a fault of ours. */
const replies = make({ useDefaults: false })

export type Part = 'body' | 'query'

/** Compiles on first use, so that a start does not wait for shapes that nobody asks for. */
function lazily<T>(compile: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: compile() }).value
}

/**
 * Holds a part of a request to its schema. Names come first: naming the misspelt field helps more than naming the
 * required one that is missing because of it. Fields of the record are removed from the value.
 */
export function checker(schema: TSchema, part: Part, rules?: FieldRules): (value: unknown) => void {
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

/** The same schema with every object closed to fields it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}

/** 400 with the dotted path of the first offending field (B-request-4). */
function refusalOf(validate: ValidateFunction, part: Part, value: unknown): ApiError {
  const error = validate.errors?.[0]
  if (!error) return malformed(undefined, 'The request does not match its schema')
  const param = paramOf(error)
  return malformed(
    param === '' ? (part === 'body' ? 'body' : undefined) : param,
    `${param || 'The body'} ${explain(error)}${hintOf(error, value)}`,
  )
}

/** For a word that is not on its list, the one that was probably meant. */
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

function explain({ keyword, params, message }: ErrorObject): string {
  const { type, limit, allowedValues } = params as {
    type?: string
    limit?: number
    allowedValues?: unknown[]
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
    default:
      return message ?? 'is not valid'
  }
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Text that PostgreSQL or UTF-8 cannot hold: NUL and half of a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\u0000') && !LONE_SURROGATE.test(text)

/**
 * Trims every text and refuses what no field may hold: NUL, lone surrogates, numbers beyond doubles, deep nesting,
 * endless lists (B-request-6, B-request-8). A value under a key of `verbatim` (passwords, delivery drafts) keeps its
 * spaces.
 */
export function normalise(value: unknown, verbatim: ReadonlySet<string>): unknown {
  return walk(value, { verbatim, trims: true }, '', 0)
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
