import { assert } from '../../core/assert.ts'
import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import { type Json, ref } from './openapi-share.ts'

const META = {
  type: 'object',
  required: ['requestId', 'timestamp'],
  properties: {
    requestId: { type: 'string', description: 'Quote it when you report a problem' },
    timestamp: { type: 'string', format: 'date-time' },
  },
}
const PAGE_META = {
  ...META,
  required: [...META.required, 'cursor', 'hasMore'],
  properties: {
    ...META.properties,
    cursor: {
      type: ['string', 'null'],
      description: 'Pass it as `cursor` to read the next page; null on the last one',
    },
    hasMore: { type: 'boolean' },
  },
}
/** A whole list has no next page; a page of it may have one. */
const WHOLE_META = { ...PAGE_META, required: META.required }
/** The envelope of every response, so that an operation describes only its data. */
const answerWith = (meta: 'Meta' | 'PageMeta' | 'WholeMeta') => ({
  type: 'object',
  required: ['data', 'error', 'meta'],
  properties: { data: {}, error: { type: 'null' }, meta: ref('schemas', meta) },
})
const ERROR = {
  type: 'object',
  required: ['data', 'error', 'meta'],
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        param: { type: 'string', description: 'Dotted path of the first offending field' },
        details: {
          type: 'object',
          description: 'The current record, where a conflict can be resolved from it',
        },
      },
    },
    meta: ref('schemas', 'Meta'),
  },
}

export const ENVELOPES = {
  Error: ERROR,
  Meta: META,
  PageMeta: PAGE_META,
  WholeMeta: WHOLE_META,
  Answer: answerWith('Meta'),
  PageAnswer: answerWith('PageMeta'),
  WholeAnswer: answerWith('WholeMeta'),
} as const

const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  schema: { type },
})
export const HEADERS = {
  'X-Request-Id': header('The id of this request: yours when you sent one, else a new one'),
  'RateLimit-Limit': header('Requests a minute that the caller may make; absent without a limit', 'integer'),
  'RateLimit-Remaining': header('How many requests the caller may still make right now', 'integer'),
  'RateLimit-Reset': header('Seconds until the full budget is available again', 'integer'),
  'Retry-After': header('Seconds to wait before the same request may be sent again', 'integer'),
  'Idempotent-Replayed': header('`true` on the stored answer of an earlier request with the same key'),
  'Kasir-Data-As-Of': header('From a read replica: it has every change until then'),
  'Set-Cookie': header('Session cookie, set or cleared'),
  Location: header('Where the browser goes next'),
  'Content-Disposition': header('Name of the saved file'),
} as const
export type HeaderName = keyof typeof HEADERS
export const EVERY_ANSWER: readonly HeaderName[] = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]
/** Response headers are written as references to one definition. */
export const headersOf = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]))

/** Names of error responses whose status has one code; others are named after their codes. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  402: 'PaymentRequired',
  404: 'NotFound',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'PartnerFailed',
  503: 'Unavailable',
  504: 'PartnerTimeout',
}
const MAY_COME_AGAIN: readonly number[] = [409, 429, 503]

const nameOf = (status: number, codes: readonly ErrorCode[]): string =>
  (codes.length === 1 ? NAMES[status] : undefined) ?? codes.map(inCapitals).join('Or')
const inCapitals = (code: string) =>
  code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')

/**
 * An error response with one of the codes, shared by all operations that have it. A route of sessions may clear a cookie with
 * it.
 */
export function refusal(
  status: number,
  codes: readonly ErrorCode[],
  { schemas, responses, setsCookie }: { schemas: Json; responses: Json; setsCookie: boolean },
) {
  const name = nameOf(status, codes)
  const schema = {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
    allOf: [
      ref('schemas', 'Error'),
      {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code'],
            properties: { code: { type: 'string', enum: codes } },
          },
        },
      },
    ],
  }
  const made = {
    description: codes.join(', '),
    headers: headersOf([
      ...EVERY_ANSWER,
      ...(MAY_COME_AGAIN.includes(status) ? (['Retry-After'] as const) : []),
      ...(setsCookie ? (['Set-Cookie'] as const) : []),
    ]),
    content: { 'application/json': { schema: ref('schemas', name) } },
  }
  const responseName = setsCookie ? `${name}WithCookie` : name
  for (const [components, key, one] of [
    [schemas, name, schema],
    [responses, responseName, made],
  ] as const) {
    components[key] ??= one
    assert(JSON.stringify(components[key]) === JSON.stringify(one), `${key} is one refusal`)
  }
  return ref('responses', responseName)
}

export const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of yours that is unique to this write: sent again with the same key within 24 hours, it gets the first answer and does nothing twice',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}
export const APPROVAL_PARAMETER = {
  name: 'Approval',
  in: 'header',
  required: false,
  description:
    'The token of an approval (`POST /approvals`), after 403 APPROVAL_REQUIRED; several with commas between them',
  schema: { type: 'string', maxLength: 400 },
}
export const MATCH_PARAMETER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `version` you last read, in quotes: 409 when the record has changed since',
  schema: { type: 'string', maxLength: 20 },
}
