import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSameText } from '../../core/same-text.ts'
import { addMs } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import { attributes, isHttps } from './cookies.ts'
import type { OidcAttempt } from './oidc.ts'

/** Time allowed on the provider's page. */
const ATTEMPT_MS = 10 * 60_000
const PURPOSE = 'oidc attempt'

type Tools = Pick<Deps, 'config' | 'secrets'>
type OidcCookie = OidcAttempt & { until: string }

const cookieName = (config: Deps['config']) => (isHttps(config) ? '__Host-kasir_oidc' : 'kasir_oidc')

/** Binds a sign-in to the browser that started it: a callback without this cookie is rejected. */
export function sendAttempt(
  { config, secrets }: Tools,
  reply: FastifyReply,
  attempt: OidcAttempt,
  now: string,
) {
  const carried: OidcCookie = { ...attempt, until: addMs(now, ATTEMPT_MS) }
  const body = Buffer.from(JSON.stringify(carried)).toString('base64url')
  const value = `${body}.${secrets.sign(PURPOSE, body)}`
  reply.setCookie(cookieName(config), value, { ...attributes(config), maxAge: ATTEMPT_MS / 1000 })
}

export const clearAttemptCookie = (config: Deps['config'], reply: FastifyReply) =>
  reply.clearCookie(cookieName(config), attributes(config))

/** Reads this browser's pending sign-in. Returns null if it is missing, expired or not signed by us. */
export function attemptOf(
  { config, secrets }: Tools,
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  now: string,
): OidcAttempt | null {
  const [body = '', mark = '', ...more] = (cookies[cookieName(config)] ?? '').split('.')
  const isOurs = secrets.signatures(PURPOSE, body).some((signature) => isSameText(mark, signature))
  if (body === '' || more.length > 0 || !isOurs) return null
  const { until, ...attempt } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as OidcCookie
  return now < until ? attempt : null
}
