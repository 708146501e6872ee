import { isUtf8 } from 'node:buffer'
import { ApiError, type ErrorCode } from '../../core/errors.ts'
import type { OutgoingReply } from '../outgoing/outgoing.ts'

/** What a partner answered when it did what it was asked. */
export type PartnerAnswer = {
  status: number
  data: unknown
  /** Where the next page of a list begins; null on the last one. */
  cursor: string | null
}

/** An answer that cannot be used: 502, whatever its status says. */
export class Unreadable extends Error {}

/** Deeper than anything a partner has reason to send; from some depth on nothing can write it as JSON again. */
const DEEPEST = 64

function isDeeperThan(text: string, deepest: number): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isText) {
      if (char === '\\') at += 1
      else if (char === '"') isText = false
    } else if (char === '"') isText = true
    else if (char === '[' || char === '{') {
      depth += 1
      if (depth > deepest) return true
    } else if (char === ']' || char === '}') depth -= 1
  }
  return false
}

type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON object that the bytes are. @throws {Unreadable} */
export function objectIn({ body, isCut, headers }: OutgoingReply): Json {
  if (isCut) throw new Unreadable('the answer is too long')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new Unreadable('it is compressed')
  if (!isUtf8(body)) throw new Unreadable('the answer is not UTF-8')
  const text = body.toString('utf8')
  if (isDeeperThan(text, DEEPEST)) throw new Unreadable('the answer is nested too deep')
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Falls through: whatever is wrong with it, it is not the object it should be.
  }
  throw new Unreadable('the answer is no JSON object')
}

const cursorIn = (meta: unknown): string | null => {
  const next = isRecord(meta) ? meta['nextCursor'] : null
  if (next === null || next === undefined) return null
  if (typeof next === 'string' && next.length >= 1 && next.length <= 1_000) return next
  throw new Unreadable('meta.nextCursor is no cursor')
}

/**
 * The answer of a partner in our words. @throws {ApiError} its refusal, under our codes; @throws {Unreadable} for an
 * answer that is neither.
 */
export function answerIn(reply: OutgoingReply): PartnerAnswer {
  const { status } = reply
  if (status >= 400 && status < 500) throw refusalIn(reply)
  if (status < 200 || status > 299) throw new Unreadable(`the partner answered ${status}`)
  const { data, meta } = objectIn(reply)
  if (data === undefined) throw new Unreadable('the answer has no data')
  return { status, data, cursor: cursorIn(meta) }
}

/**
 * The codes of ours that a partner may refuse with, by status, the one for its own words first; any other status is none that
 * it may refuse with. Those that send the caller to something of ours (their second factor, a module) are not its to use.
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

/** 401 is about our key at the partner: the caller's credential is good, and must not be told otherwise. */
export function refusalIn(reply: OutgoingReply): ApiError {
  const codes = REFUSALS_OF_PARTNERS[reply.status]
  if (codes === undefined) throw new Unreadable(`the partner answered ${reply.status}`)
  const { error } = objectIn(reply)
  if (!isRecord(error)) throw new Unreadable('the refusal has no error')
  const message = lineOf(error['message'], 500) ?? 'The partner refused this'
  const param = lineOf(error['param'], 200)
  const wait = reply.headers['retry-after']
  return new ApiError(codes.find((code) => code === error['code']) ?? codes[0], message, {
    status: reply.status,
    ...(param === undefined ? {} : { param }),
    ...(typeof wait === 'string' && /^\d{1,6}$/.test(wait) ? { headers: { 'retry-after': wait } } : {}),
  })
}

export type PartnerFile = { bytes: Buffer; mediaType: string }

/** A file of one of the media types. @throws as `answerIn` */
export function fileIn(reply: OutgoingReply, mediaTypes: readonly string[]): PartnerFile {
  const { status, headers, body, isCut } = reply
  if (status >= 400 && status < 500) throw refusalIn(reply)
  if (status < 200 || status > 299) throw new Unreadable(`the partner answered ${status}`)
  if (isCut) throw new Unreadable('the file is too long')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new Unreadable('it is compressed')
  const [type = ''] = String(headers['content-type'] ?? '').split(';', 1)
  const mediaType = type.trim().toLowerCase()
  if (!mediaTypes.includes(mediaType)) throw new Unreadable(`it is ${type}, not ${mediaTypes.join(', ')}`)
  return { bytes: body, mediaType }
}
