import type { AccountId, Role, TillRef } from '../../src/platform/scope.ts'
import { sha256 } from '../../src/platform/secrets/secrets.ts'
import type { Answer, Api } from './api.ts'
import { makeOutlet } from './build.ts'
import { browser, memberOf } from './clients.ts'
import { done } from './expect.ts'

/** A cookie of an answer as a browser sends it back, by its name. */
export const cookieNamed = (answer: Pick<Answer, 'headers'>, name: string): string | undefined =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .find((pair) => pair.startsWith(`${name}=`))

export type TestTill = { id: string; outletId: string; cookie: string }

/** A browser that a manager of the workspace has enrolled as a till. */
export async function enrolTill(
  api: Api,
  { outletId, name = 'Front' }: { outletId?: string; name?: string } = {},
) {
  const outlet = outletId ?? (await makeOutlet(api))
  const manager = await memberOf(api, 'MANAGER')
  const answer = await manager.api.post('/tills', { outletId: outlet, name })
  const { till } = done(answer)
  return { id: till.id, outletId: outlet, cookie: cookieNamed(answer, 'kasir_till') ?? '' } as TestTill
}

/** The same browser enrolled once more, at its outlet unless another one is named. */
export async function enrolAgain(
  api: Api,
  { cookie, outletId }: TestTill,
  at: string = outletId,
): Promise<TestTill> {
  const manager = await memberOf(api, 'MANAGER')
  const body = { outletId: at, name: 'Front' }
  const answer = await browser(`${cookie}; ${manager.cookie}`).post('/tills', body)
  const { till } = done(answer)
  return { id: till.id, outletId: at, cookie: cookieNamed(answer, 'kasir_till') ?? '' }
}

/** The till as the service reads it from the cookie. */
export function refOfTill({ id, cookie }: TestTill): TillRef {
  const [workspace = '', random = ''] = cookie.replace(/^kasir_till=/, '').split('.')
  return { accountId: `acc_${workspace}` as AccountId, id, secretHash: sha256(`${workspace}.${random}`) }
}

/** A browser that is a till, with no member signed in. */
export const lockedTill = ({ cookie }: TestTill): Api => browser(cookie)

let next = 4_000
/** A PIN that no other call of this file returns. */
export const freshPin = () => String((next += 1))

/** A member with a PIN. */
export async function memberWithPin(api: Api, role: Role, pin = freshPin()) {
  const member = await memberOf(api, role)
  done(await api.patch(`/members/${member.id}`, { pin }))
  return { ...member, pin }
}

/** Signs a member in at a till; the client carries both cookies. */
export async function signedInAt(
  till: TestTill,
  { id: memberId, pin }: { id: string; pin: string },
): Promise<Api> {
  const answer = await lockedTill(till).post('/auth/pin', { memberId, pin })
  done(answer)
  return browser(`${till.cookie}; ${cookieNamed(answer, 'kasir_session')}`)
}
