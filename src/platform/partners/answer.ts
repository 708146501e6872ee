import { isUtf8 } from 'node:buffer'
import { ApiError, type ErrorCode } from '../../core/errors.ts'
import type { OutgoingReply } from '../outgoing/outgoing.ts'

/** A successful response of a partner. */
export type PartnerAnswer = {
  status: number
  data: unknown
  /** The cursor of the next page of a list; null on the last one. */
  cursor: string | null
  /** The JSON text of `data` as the partner wrote it, if the partner uses our envelope. */
  text?: string
}

/** An invalid response: 502, whatever its status. */
export class Unreadable extends Error {}

/** The same for a response that depends on the request: it does not count against the partner's health. */
export class UnreadableRefusal extends Unreadable {}

/**
 * A response whose content is invalid: one record has another shape, or a file another type. It depends on the request
 * as well, so it does not count against the partner's health.
 */
export class InvalidContent extends Unreadable {}

/** The response is too large, so the request must be narrowed. */
export class OversizedAnswer extends Unreadable {}

/** The status of a failed request. Only 5xx counts as an error of the partner. */
export const unusable = (status: number, reason = `the partner answered ${status}`): Unreadable =>
  status >= 300 && status < 500 ? new UnreadableRefusal(reason) : new Unreadable(reason)

/** Deeper than any partner has reason to send; beyond some depth JSON cannot be serialized again. */
const DEEPEST = 64

const [QUOTE, ESCAPE, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA, COLON] = [...'"\\[]{},:'].map((char) =>
  char.charCodeAt(0),
)

/** The end of the string that begins with the quote at `from`. */
function endOfText(json: string, from: number): number {
  let at = json.indexOf('"', from + 1)
  while (at > 0) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === ESCAPE) escapes += 1
    if (escapes % 2 === 0) return at
    at = json.indexOf('"', at + 1)
  }
  return json.length
}

/**
 * Scans a text that may be JSON: whether it nests too deep, and the text of `data` in the outermost object. `data` is
 * undefined if it is ambiguous: the key occurs twice, or a key is escaped and may spell any other.
 */
function outlineOf(json: string, deepest: number): { isTooDeep: boolean; data: string | undefined } {
  let depth = 0
  let begin = 0
  let isData = false
  let candidates = 0
  let data: string | undefined
  const endMember = (at: number) => {
    if (isData) data = json.slice(begin, at).trim()
    isData = false
    begin = at + 1
  }
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at)
    if (char === QUOTE) at = endOfText(json, at)
    else if (char === OPEN_LIST || char === OPEN) {
      depth += 1
      if (depth > deepest) return { isTooDeep: true, data: undefined }
      if (depth === 1) begin = at + 1
    } else if (char === CLOSE_LIST || char === CLOSE) {
      if (depth === 1) endMember(at)
      depth -= 1
    } else if (depth === 1 && char === COMMA) endMember(at)
    else if (depth === 1 && char === COLON) {
      const key = json.slice(begin, at).trim()
      isData = key === '"data"'
      if (isData || key.includes('\\')) candidates += 1
      begin = at + 1
    }
  }
  return { isTooDeep: false, data: candidates === 1 ? data : undefined }
}

type JsonObject = Record<string, unknown>
const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses the bytes as a JSON object.
 * @throws {Unreadable}
 */
export const objectIn = (reply: OutgoingReply): JsonObject => readObject(reply).object

/** The same, with the text of its `data` if that is unambiguous. */
function readObject(reply: OutgoingReply): { object: JsonObject; text: string | undefined } {
  const { status, body, isCut, headers } = reply
  if (isCut) throw unusable(status, 'the answer is too long')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw unusable(status, 'it is compressed')
  if (!isUtf8(body)) throw unusable(status, 'the answer is not UTF-8')
  const json = body.toString('utf8')
  const { isTooDeep, data } = outlineOf(json, DEEPEST)
  if (isTooDeep) throw unusable(status, 'the answer is nested too deep')
  const object = parsed(json)
  if (!isRecord(object)) throw unusable(status, 'the answer is not a JSON object')
  return { object, text: data }
}

/** As `objectIn`, but a 429 without JSON is an empty object: a gateway in front of the partner may answer it. */
export function objectOrLimitIn(reply: OutgoingReply): JsonObject {
  try {
    return objectIn(reply)
  } catch (error) {
    if (reply.status === 429) return {}
    throw error
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const cursorIn = (meta: unknown): string | null => {
  const next = isRecord(meta) ? meta['nextCursor'] : null
  if (next === null || next === undefined) return null
  if (typeof next === 'string' && next.length >= 1 && next.length <= 1_000) return next
  throw new Unreadable('meta.nextCursor is not a valid cursor')
}

/**
 * Converts a partner's response.
 * @throws {ApiError} its refusal, with our codes;
 * @throws {Unreadable} if the response is neither.
 */
export function answerIn(reply: OutgoingReply): PartnerAnswer {
  const { status } = reply
  if (status >= 400 && status < 500) throw refusalIn(reply)
  if (status < 200 || status > 299) throw unusable(status)
  if (reply.isCut) throw new OversizedAnswer('the answer is too long')
  const { object, text } = readObject(reply)
  const { data, meta } = object
  if (data === undefined) throw new Unreadable('the answer has no data')
  return { status, data, cursor: cursorIn(meta), ...(text === undefined ? {} : { text }) }
}

/**
 * Our error codes that a partner may use, by status; the first is the default. Any other status is invalid as a
 * refusal. Codes that refer to our own features (second factor, module) are excluded.
 */
export const REFUSALS_OF_PARTNERS: Readonly<Record<number, readonly [ErrorCode, ...ErrorCode[]]>> = {
  400: ['VALIDATION_ERROR'],
  402: ['PLAN_UPGRADE_REQUIRED'],
  403: ['FORBIDDEN', 'LIMIT_REACHED'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT', 'IDEMPOTENCY_KEY_IN_USE'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: ['VALIDATION_ERROR'],
  429: ['RATE_LIMITED'],
}

const lineOf = (text: unknown, longest: number): string | undefined =>
  typeof text === 'string' && text.trim() !== ''
    ? text
        .replaceAll(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, longest)
    : undefined

/** A 401 concerns our key at the partner: the caller's credential is valid, and the caller must not see a 401. */
export function refusalIn(reply: OutgoingReply): ApiError {
  const codes = REFUSALS_OF_PARTNERS[reply.status]
  if (codes === undefined) throw unusable(reply.status)
  const { error } = objectOrLimitIn(reply)
  if (!isRecord(error)) {
    if (reply.status === 429) return rateLimitIn(reply, 'The partner takes no more requests at the moment')
    throw unusable(reply.status, 'the refusal has no error')
  }
  const message = lineOf(error['message'], 500) ?? 'The partner refused this'
  const param = lineOf(error['param'], 200)
  return new ApiError(codes.find((code) => code === error['code']) ?? codes[0], message, {
    status: reply.status,
    ...(param === undefined ? {} : { param }),
    ...retryAfterIn(reply),
  })
}

/** The pause that the partner requests, for the options of an error. */
function retryAfterIn({ headers }: OutgoingReply): { headers?: { 'retry-after': string } } {
  const wait = headers['retry-after']
  return typeof wait === 'string' && /^\d{1,6}$/.test(wait) ? { headers: { 'retry-after': wait } } : {}
}

/** The error for a partner whose rate limit is reached. */
export const rateLimitIn = (reply: OutgoingReply, message: string): ApiError =>
  new ApiError('RATE_LIMITED', message, retryAfterIn(reply))

const MINUTE_MS = 60_000
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS
const DEFAULT_WAIT_MS = 60 * MINUTE_MS

/**
 * The pause that a partner requests with 429: a minute to a day, an hour without `Retry-After`. Null for other
 * errors.
 */
export function rateLimitWaitMs(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED') return null
  const wait = error.headers?.['retry-after']
  if (wait === undefined) return DEFAULT_WAIT_MS
  return Math.min(Math.max(Number(wait) * 1_000, MINUTE_MS), LONGEST_WAIT_MS)
}

export type PartnerFile = { bytes: Buffer; mediaType: string }

/**
 * A file of one of the media types.
 * @throws as `answerIn`
 */
export function fileIn(reply: OutgoingReply, mediaTypes: readonly string[]): PartnerFile {
  const { status, headers, body, isCut } = reply
  if (status >= 400 && status < 500) throw refusalIn(reply)
  if (status < 200 || status > 299) throw unusable(status)
  if (isCut) throw new OversizedAnswer('the file is too long')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new InvalidContent('it is compressed')
  const [type = ''] = String(headers['content-type'] ?? '').split(';', 1)
  const mediaType = type.trim().toLowerCase()
  if (!mediaTypes.includes(mediaType)) throw new InvalidContent(`it is ${type}, not ${mediaTypes.join(', ')}`)
  return { bytes: body, mediaType }
}
