import { randomBytes, timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { attributes, isHttps } from './session.ts'

/**
 * A browser that somebody signed in with, as its cookie shows it: a name of its own and a mark for each of them, the
 * latest first. Nothing of it is stored, and it grants no access: it only distinguishes a known browser from a
 * stranger's.
 */
export type Browser = { name: string; marks: readonly string[] }

/** A member with the password of the day: changing it makes every browser a stranger's again. */
export type Known = { accountId: string; id: string; passwordHash: string }

const NAME_BYTES = 16
const MARK = 22
/** People who share a browser, as cashiers share a till; the one who was away longest is forgotten. */
const MAX_MARKS = 12
const COOKIE = new RegExp(`^([A-Za-z0-9_-]{22})((?:\\.[A-Za-z0-9_-]{${MARK}}){0,${MAX_MARKS}})$`)
const MAX_AGE_SECONDS = 365 * 86_400

const cookieName = (config: Deps['config']) => (isHttps(config) ? '__Host-kasir_device' : 'kasir_device')

/** Whatever a cookie of ours could hold; whether a mark of it is true is for `isKnown`. */
export function browserOf(config: Deps['config'], request: Pick<FastifyRequest, 'cookies'>): Browser | null {
  const [, name, marks] = COOKIE.exec(request.cookies[cookieName(config)] ?? '') ?? []
  return name === undefined ? null : { name, marks: (marks ?? '').split('.').slice(1) }
}

const PURPOSE = 'known browser'
const textOf = (name: string, { accountId, id, passwordHash }: Known) =>
  `${name} ${accountId} ${id} ${passwordHash}`
/** 132 bits of a MAC over the browser and the member: no other browser can show it, and for no other member. */
const markOf = ({ secrets }: Pick<Deps, 'secrets'>, name: string, member: Known) =>
  secrets.sign(PURPOSE, textOf(name, member)).slice(0, MARK)

/** Whether this member signed in with this browser before, with the same password. */
export function isKnown({ secrets }: Pick<Deps, 'secrets'>, browser: Browser, member: Known): boolean {
  const marks = secrets
    .signatures(PURPOSE, textOf(browser.name, member))
    .map((signature) => Buffer.from(signature.slice(0, MARK)))
  return browser.marks.some((shown) => marks.some((mark) => timingSafeEqual(Buffer.from(shown), mark)))
}

/** Marks the browser as one that the member signed in with, for a year. */
export function sendBrowser(
  { config, secrets }: Pick<Deps, 'config' | 'secrets'>,
  reply: FastifyReply,
  browser: Browser | null,
  member: Known,
) {
  const name = browser?.name ?? randomBytes(NAME_BYTES).toString('base64url')
  const mark = markOf({ secrets }, name, member)
  const others = (browser?.marks ?? []).filter((other) => other !== mark)
  const value = [name, mark, ...others].slice(0, 1 + MAX_MARKS).join('.')
  reply.setCookie(cookieName(config), value, { ...attributes(config), maxAge: MAX_AGE_SECONDS })
}
