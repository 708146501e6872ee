import { makeOperatorLink } from '../../src/platform/auth/operator.ts'
import { type Answer, type Api, carrying } from './api.ts'
import { as, deps } from './service.ts'

/** The token of a link, as `kasir operator-link` makes it. */
export const operatorLink = () => makeOperatorLink(deps().db, deps().clock.now())

/** The cookie of an operator as a browser sends it back; undefined when none was set. */
export const operatorCookieOf = (answer: Answer): string | undefined =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .find((pair) => /^(__Secure-)?kasir_operator=.+/.test(pair))

/** A browser on the operator page. */
export async function operator(): Promise<{ cookie: string; api: Api }> {
  const cookie = operatorCookieOf(await as(null).post('/operator/session', { token: await operatorLink() }))
  if (cookie === undefined) throw new Error('the link opened no session')
  return { cookie, api: carrying(as(null), { cookie }) }
}
