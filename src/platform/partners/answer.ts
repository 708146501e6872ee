import { isUtf8 } from 'node:buffer'
import { ApiError, type ErrorCode } from '../../core/errors.ts'
import type { OutgoingReply } from '../outgoing/outgoing.ts'

/** What a partner answered when it did what it was asked. */
export type PartnerAnswer = {
  status: number
  data: unknown
  /** Where the next page of a list begins; null on the last one. */
  cursor: string | null
  /** `data` as the partner wrote it, where it is one that writes our envelope. */
  text?: string
}

/** An answer that cannot be used: 502, whatever its status says. */
export class Unreadable extends Error {}

/** Deeper than anything a partner has reason to send; from some depth on nothing can write it as JSON again. */
const DEEPEST = 64

const [QUOTE, ESCAPE, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA, COLON] = [...'"\\[]{},:'].map((char) =>
  char.charCodeAt(0),
)

/** Where the text ends that begins with the quote at `from`. */
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
 * One walk through a text that may be JSON: whether it nests too deep to be read, and how `data` of the outermost object is
 * written. Undefined where that is not plain to see: it stands there twice, or a key is escaped, which may spell any other.
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

type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON object that the bytes are. @throws {Unreadable} */
export const objectIn = (reply: OutgoingReply): Json => readObject(reply).object

/** The same, with its `data` as it is written where that is known. */
function readObject({ body, isCut, headers }: OutgoingReply): { object: Json; text: string | undefined } {
  if (isCut) throw new Unreadable('the answer is too long')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new Unreadable('it is compressed')
  if (!isUtf8(body)) throw new Unreadable('the answer is not UTF-8')
  const json = body.toString('utf8')
  const { isTooDeep, data } = outlineOf(json, DEEPEST)
  if (isTooDeep) throw new Unreadable('the answer is nested too deep')
  const object = parsed(json)
  if (!isRecord(object)) throw new Unreadable('the answer is no JSON object')
  return { object, text: data }
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
  const { object, text } = readObject(reply)
  const { data, meta } = object
  if (data === undefined) throw new Unreadable('the answer has no data')
  return { status, data, cursor: cursorIn(meta), ...(text === undefined ? {} : { text }) }
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
