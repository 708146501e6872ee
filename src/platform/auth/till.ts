import { timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import type { AccountId, TillRef } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'
import { attributes, isHttps } from './cookies.ts'
import { accountOfSession, newSessionToken } from './tokens.ts'

const PURPOSE = 'till'
const ID = /^til_[0-9A-HJKMNP-TV-Z]{26}$/
/** The longest life that browsers give a cookie. Every sign-in with a PIN renews it. */
const MAX_AGE_SECONDS = 400 * 86_400

type Tools = Pick<Deps, 'config' | 'secrets'>

/** `__Host-` over https, as for the session cookie. */
export const tillCookieName = (config: Deps['config']) =>
  isHttps(config) ? '__Host-kasir_till' : 'kasir_till'

/** A new secret of a till: the workspace and 32 random bytes. The browser keeps it, the database its SHA-256. */
export const newTillSecret = newSessionToken

const signedText = (secret: string, id: string) => `${secret} ${id}`

/** Gives the browser the signed cookie of a till (B-till-1). */
export function sendTill(
  { config, secrets }: Tools,
  reply: FastifyReply,
  { id, secret }: { id: string; secret: string },
) {
  const value = [secret, id, secrets.sign(PURPOSE, signedText(secret, id))].join('.')
  reply.setCookie(tillCookieName(config), value, { ...attributes(config), maxAge: MAX_AGE_SECONDS })
}

/** The secret and the id in the cookie of a till; null without a cookie that this installation has signed. */
export function readTill(
  { config, secrets }: Tools,
  { cookies }: Pick<FastifyRequest, 'cookies'>,
): TillCookie | null {
  const [account, random, id = '', mac = '', ...rest] = (cookies[tillCookieName(config)] ?? '').split('.')
  const secret = `${account}.${random}`
  const accountId = accountOfSession(secret)
  if (accountId === null || !ID.test(id) || rest.length > 0) return null
  const shown = Buffer.from(mac)
  const isSigned = secrets.signatures(PURPOSE, signedText(secret, id)).some((signature) => {
    const right = Buffer.from(signature)
    return right.length === shown.length && timingSafeEqual(right, shown)
  })
  return isSigned ? { accountId, id, secret } : null
}

type TillCookie = { accountId: AccountId; id: string; secret: string }
export const refOf = ({ accountId, id, secret }: TillCookie): TillRef => ({
  accountId,
  id,
  secretHash: sha256(secret),
})

/** The till of a request, by its cookie; null at any other browser or program. */
export function tillOf(tools: Tools, request: Pick<FastifyRequest, 'cookies'>): TillRef | null {
  const till = readTill(tools, request)
  return till && refOf(till)
}

/** 403: there is no till cookie, or its till was revoked (B-till-2). */
export const notATill = () =>
  forbidden('This browser is not an enrolled till. Ask a manager to enrol it, then try again')
