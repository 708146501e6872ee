import { Secret, TOTP } from 'otpauth'
import { newId } from '../../../src/core/ids.ts'
import type { Api } from '../../support/api.ts'
import { fresh, makeOutlet, makeVariant } from '../../support/build.ts'
import { memberOf, ownerOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { operator, operatorLink } from '../../support/operator.ts'
import { enrolTill, memberWithPin } from '../../support/pins.ts'
import { deps } from '../../support/service.ts'
import { byId, type Make } from '../request.ts'

const approvers = new Map<string, ReturnType<typeof memberWithPin>>()

/** A manager of the workspace with the PIN of the document's example, the same at every call. */
function approverOf(api: Api) {
  const { accountId } = api.workspace
  const approver = approvers.get(accountId) ?? memberWithPin(api, 'MANAGER', '482913')
  approvers.set(accountId, approver)
  return approver
}

export const workspace: Record<string, Make> = {
  'GET /outlets': async () => ({}),
  'POST /outlets': async () => ({ body: { name: fresh('Outlet') } }),
  'GET /outlets/{id}': byId(makeOutlet),
  'PATCH /outlets/{id}': byId(makeOutlet, { body: { name: 'Renamed' } }),
  'DELETE /outlets/{id}': byId(makeOutlet),
  'GET /settings': async () => ({}),
  'PUT /settings': async () => ({ body: { businessName: fresh('Shop') } }),
  'GET /billing': async () => ({}),
  'GET /billing/tiers': async () => ({}),
  'POST /billing/checkout': async () => ({ body: { tier: 'growth' } }),
  'POST /billing/cancel': async () => ({}),
  'POST /uploads/sign': async () => ({ body: { contentType: 'image/png' } }),
  'GET /modules': async () => ({}),
  'POST /modules': async () => ({ body: { module: 'marketing', enabled: true } }),
  'GET /api-keys': async () => ({}),
  'POST /api-keys': async () => ({ body: { name: fresh('Till') } }),
  'DELETE /api-keys/{id}': byId(
    async (api) => done(await api.post('/api-keys', { name: fresh('Till') })).apiKey.id,
  ),
  'POST /auth/signup': async () => ({
    body: { email: `${newId('event').slice(-12)}@example.test`, password: 'correct horse', name: 'Ani' },
  }),
  'POST /auth/login': async () => ({ body: { email: 'nobody@example.test', password: 'correct horse' } }),
  'POST /auth/invitations/accept': async () => ({
    body: { token: 'x'.repeat(43), password: 'correct horse' },
  }),
  'POST /auth/password/forgot': async () => ({ body: { email: 'nobody@example.test' } }),
  'POST /auth/password/reset': async () => ({ body: { token: 'x'.repeat(43), password: 'correct horse' } }),
  'GET /auth/options': async () => ({}),
  'GET /auth/oidc/start': async () => ({ query: { returnTo: '/sales' } }),
  'POST /auth/login/second-factor': async () => ({ body: { challenge: 'x.y', code: '123456' } }),
  'GET /auth/second-factor': async () => ({}),
  'POST /auth/second-factor': async () => ({ body: { currentPassword: 'correct horse' } }),
  'POST /auth/second-factor/confirm': async () => ({ body: { code: '123456' } }),
  'POST /auth/second-factor/recovery-codes': async () => ({
    body: { currentPassword: 'correct horse', code: '123456' },
  }),
  'POST /auth/second-factor/off': async () => ({
    body: { currentPassword: 'correct horse', code: '123456' },
  }),
  'POST /operator/session': async () => ({ body: { token: await operatorLink() } }),
  'DELETE /operator/session': async () => ({}),
  'GET /operator/overview': async () => ({ headers: { cookie: (await operator()).cookie } }),
  'GET /operator/workspaces': async () => ({ headers: { cookie: (await operator()).cookie } }),
  'POST /auth/email/proof': async () => ({}),
  'POST /auth/email/verify': async () => ({ body: { token: 'x'.repeat(43) } }),
  'POST /auth/password': async () => ({
    body: { currentPassword: 'correct horse', password: 'battery staple' },
  }),
  'GET /auth/sessions': async () => ({}),
  'DELETE /auth/sessions/{id}': async () => ({ params: { id: newId('session') } }),
  'POST /auth/pin': async () => ({ body: { memberId: newId('member'), pin: '4821' } }),
  'PUT /auth/pin': async () => ({ body: { pin: '4821', currentPassword: 'correct horse' } }),
  'POST /tills': async (api) => ({ body: { outletId: await makeOutlet(api), name: fresh('Till') } }),
  'GET /tills': async () => ({}),
  'GET /tills/current': async (api) => ({ headers: { cookie: (await enrolTill(api)).cookie } }),
  'DELETE /tills/{id}': byId(async (api) => (await enrolTill(api)).id),
  'POST /approvals': async (api) => {
    const { id: memberId, pin } = await approverOf(api)
    const { sale } = done(
      await api.post('/sales', {
        outletId: await makeOutlet(api),
        items: [{ variantId: await makeVariant(api), quantity: 1 }],
        status: 'COMPLETED',
      }),
    )
    return {
      headers: { cookie: (await enrolTill(api)).cookie },
      body: { memberId, pin, action: 'void', subjectId: sale.id },
    }
  },
  'GET /members': async () => ({}),
  'POST /members': async () => ({
    body: { email: `${newId('event').slice(-12)}@example.test`, name: 'Ani', role: 'CASHIER' },
  }),
  'PATCH /members/{id}': byId(
    async (api) => {
      const body = { email: `${newId('event').slice(-12)}@example.test`, name: 'Ani', role: 'CASHIER' }
      return done(await api.post('/members', body)).member.id
    },
    { body: { name: 'Budi' } },
  ),
  'DELETE /members/{id}': byId(
    async (api) => {
      const body = { email: `${newId('event').slice(-12)}@example.test`, name: 'Ani', role: 'CASHIER' }
      return done(await api.post('/members', body)).member.id
    },
    { body: { revokeKeys: true } },
  ),
  'DELETE /members/{id}/second-factor': byId(async (api) => {
    await ownerOf(api)
    const member = await memberOf(api, 'CASHIER')
    const { secret } = done(await member.api.post('/auth/second-factor', {}))
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: deps().clock.ms() })
    done(await member.api.post('/auth/second-factor/confirm', { code }))
    return member.id
  }),
}
