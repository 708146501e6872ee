import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSameText } from '../../core/same-text.ts'
import { addMs } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import type { Attempt } from './oidc.ts'
import { attributes, isHttps } from './session.ts'

/** How long somebody may take on the provider's page. */
const ATTEMPT_MS = 10 * 60_000
const PURPOSE = 'oidc attempt'

type Tools = Pick<Deps, 'config' | 'secrets'>
type Carried = Attempt & { until: string }

const cookieName = (config: Deps['config']) => (isHttps(config) ? '__Host-kasir_oidc' : 'kasir_oidc')

/** Binds a sign-in under way to this browser: whoever comes back without the cookie did not begin it here. */
export function sendAttempt({ config, secrets }: Tools, reply: FastifyReply, attempt: Attempt, now: string) {
  const carried: Carried = { ...attempt, until: addMs(now, ATTEMPT_MS) }
  const body = Buffer.from(JSON.stringify(carried)).toString('base64url')
  const value = `${body}.${secrets.sign(PURPOSE, body)}`
  reply.setCookie(cookieName(config), value, { ...attributes(config), maxAge: ATTEMPT_MS / 1000 })
}

export const forgetAttempt = (config: Deps['config'], reply: FastifyReply) =>
  reply.clearCookie(cookieName(config), attributes(config))

/** The sign-in that this browser has under way; null without one, past its time, or when it was not written here. */
export function attemptOf(
  { config, secrets }: Tools,
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  now: string,
): Attempt | null {
  const [body = '', mark = '', ...more] = (cookies[cookieName(config)] ?? '').split('.')
  const isOurs = secrets.signatures(PURPOSE, body).some((signature) => isSameText(mark, signature))
  if (body === '' || more.length > 0 || !isOurs) return null
  const { until, ...attempt } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Carried
  return now < until ? attempt : null
}
