import { randomBytes, timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { attributes, isHttps } from './cookies.ts'

/**
 * A browser with earlier sign-ins, as its cookie shows: a random name and one mark per member, the latest first.
 * The server stores none of it, and it grants no access: it only distinguishes a known browser from an unknown one.
 */
export type Browser = { name: string; marks: readonly string[] }

/** A member and their current password hash: after a password change every browser is unknown again. */
export type RememberedMember = { accountId: string; id: string; passwordHash: string }

const NAME_BYTES = 16
const MARK = 22
/** Members who may share a browser, such as cashiers at a till; the one absent longest is dropped. */
const MAX_MARKS = 12
const COOKIE = new RegExp(`^([A-Za-z0-9_-]{22})((?:\\.[A-Za-z0-9_-]{${MARK}}){0,${MAX_MARKS}})$`)
const MAX_AGE_SECONDS = 365 * 86_400

const cookieName = (config: Deps['config']) => (isHttps(config) ? '__Host-kasir_device' : 'kasir_device')

/** Parses the device cookie by format only; `isKnown` verifies its marks. */
export function browserOf(config: Deps['config'], request: Pick<FastifyRequest, 'cookies'>): Browser | null {
  const [, name, marks] = COOKIE.exec(request.cookies[cookieName(config)] ?? '') ?? []
  return name === undefined ? null : { name, marks: (marks ?? '').split('.').slice(1) }
}

const PURPOSE = 'known browser'
const textOf = (name: string, { accountId, id, passwordHash }: RememberedMember) =>
  `${name} ${accountId} ${id} ${passwordHash}`
/** 132 bits of a MAC over browser and member, so a mark is valid only for this browser and this member. */
const markOf = ({ secrets }: Pick<Deps, 'secrets'>, name: string, member: RememberedMember) =>
  secrets.sign(PURPOSE, textOf(name, member)).slice(0, MARK)

/** Whether this member signed in with this browser before, with the same password. */
export function isKnown(
  { secrets }: Pick<Deps, 'secrets'>,
  browser: Browser,
  member: RememberedMember,
): boolean {
  const marks = secrets
    .signatures(PURPOSE, textOf(browser.name, member))
    .map((signature) => Buffer.from(signature.slice(0, MARK)))
  return browser.marks.some((shown) => marks.some((mark) => timingSafeEqual(Buffer.from(shown), mark)))
}

/** Marks the browser as known to the member for a year. */
export function sendBrowser(
  { config, secrets }: Pick<Deps, 'config' | 'secrets'>,
  reply: FastifyReply,
  browser: Browser | null,
  member: RememberedMember,
) {
  const name = browser?.name ?? randomBytes(NAME_BYTES).toString('base64url')
  const mark = markOf({ secrets }, name, member)
  const others = (browser?.marks ?? []).filter((other) => other !== mark)
  const value = [name, mark, ...others].slice(0, 1 + MAX_MARKS).join('.')
  reply.setCookie(cookieName(config), value, { ...attributes(config), maxAge: MAX_AGE_SECONDS })
}
