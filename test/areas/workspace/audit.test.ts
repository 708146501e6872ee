import { expect, test } from 'vitest'
import type { Api } from '../../support/api.ts'
import { browser, cookieOf, delegateOf, memberOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { mailsTo } from '../../support/mails.ts'
import { as, deps, useService, workspace } from '../../support/service.ts'

useService({ env: { TRUST_PROXY: '1' } })

const PASSWORD = 'nasi goreng pedas'
const NEXT = 'gado gado siang'
let count = 0
const fresh = () => `audit${(count += 1)}@example.com`
const from = () => ({ 'x-forwarded-for': `203.0.113.${(count += 1) % 250}`, 'x-request-id': `req-${count}` })

type Entry = {
  type: string
  resourceId: string
  actor: { kind: string; id: string; name: string | null } | null
  address: string | null
  requestId: string
  data: Record<string, unknown>
}
/** What the audit log of a workspace says, oldest first. */
async function logOf(accountId: string): Promise<Entry[]> {
  const rows = await deps()
    .db.selectFrom('events')
    .select(['type', 'refId', 'body', 'cause'])
    .where('accountId', '=', accountId)
    .where('type', 'like', 'audit.%')
    .orderBy('id')
    .execute()
  return rows.map(({ type, refId, body, cause }) => ({
    type,
    resourceId: refId,
    ...JSON.parse(cause ?? '{}'),
    data: JSON.parse(body).data,
  }))
}
/** The entries that an act leaves behind, told shortly. */
async function left(accountId: string, act: () => Promise<unknown>) {
  const before = (await logOf(accountId)).length
  await act()
  return (await logOf(accountId)).slice(before)
}
const short = ({ type, actor, data }: Entry) => [type, actor?.id ?? null, data]

async function someone() {
  const email = fresh()
  const answer = await as(null).post(
    '/auth/signup',
    { email, password: PASSWORD, name: 'Sri' },
    { headers: from() },
  )
  const { user, account } = done(answer)
  return {
    email,
    id: user.id as string,
    accountId: account.id as string,
    api: browser(cookieOf(answer)) as Api,
  }
}
/** The token of the last link that went to an address. */
async function tokenFor(email: string): Promise<string> {
  const to = await mailsTo(email)
  return to.flatMap((mail) => /(?:password|invitation)#(\S+)/.exec(mail)?.[1] ?? []).at(-1) ?? ''
}
const logIn = (email: string, password = PASSWORD) =>
  as(null).post('/auth/login', { email, password }, { headers: from() })

test('who signs up, in, out, and is signed out by another browser leaves one entry each', async () => {
  const { email, id, accountId, api } = await someone()
  expect((await logOf(accountId)).map(short)).toEqual([
    ['audit.session.started.v1', id, { memberId: id, by: 'SIGN_UP' }],
  ])
  let laptop: Api = as(null)
  const entered = await left(accountId, async () => {
    const answer = await logIn(email)
    expect(answer.status).toBe(200)
    laptop = browser(cookieOf(answer))
  })
  expect(entered).toEqual([
    {
      type: 'audit.session.started.v1',
      resourceId: id,
      actor: { kind: 'member', id },
      requestId: `req-${count}`,
      address: `203.0.113.${count % 250}`,
      data: { memberId: id, by: 'PASSWORD' },
    },
  ])
  const { sessions } = done(await api.get('/auth/sessions'))
  const other = sessions.find(({ current }: { current: boolean }) => !current).id
  const own = sessions.find(({ current }: { current: boolean }) => current).id
  expect((await left(accountId, () => api.delete(`/auth/sessions/${other}`))).map(short)).toEqual([
    ['audit.session.ended.v1', id, { memberId: id, sessionId: other, by: 'REVOKED' }],
  ])
  expect(await left(accountId, () => laptop.post('/auth/logout', {}))).toEqual([])
  expect((await left(accountId, () => api.post('/auth/logout', {}))).map(short)).toEqual([
    ['audit.session.ended.v1', id, { memberId: id, sessionId: own, by: 'SIGN_OUT' }],
  ])
  expect(await left(accountId, () => api.post('/auth/logout', {}))).toEqual([])
})

test('signing in anew with a browser ends its old session in the log too', async () => {
  const { email, id, accountId, api } = await someone()
  const entries = await left(accountId, () => api.post('/auth/login', { email, password: PASSWORD }))
  expect(entries.map(short)).toEqual([
    ['audit.session.started.v1', id, { memberId: id, by: 'PASSWORD' }],
    [
      'audit.session.ended.v1',
      id,
      { memberId: id, sessionId: expect.stringMatching(/^ses_/), by: 'NEXT_SIGN_IN' },
    ],
  ])
})

test('a wrong password is in the log with its address and without an actor, and ten are the most', async () => {
  const { email, id, accountId } = await someone()
  const entries = await left(accountId, () => logIn(email, 'wrong guess'))
  expect(entries).toEqual([
    {
      type: 'audit.session.refused.v1',
      resourceId: id,
      actor: null,
      requestId: `req-${count}`,
      address: `203.0.113.${count % 250}`,
      data: { memberId: id },
    },
  ])
  const more = await left(accountId, async () => {
    for (let n = 0; n < 12; n += 1) await logIn(email, 'wrong guess')
  })
  expect(more).toHaveLength(9)
})

test('a password that its member, a mailed link or an owner set is one entry that says so', async () => {
  const { email, id, accountId, api } = await someone()
  const own = await left(accountId, async () =>
    done(await api.post('/auth/password', { currentPassword: PASSWORD, password: NEXT })),
  )
  expect(own.map(short)).toEqual([['audit.password.changed.v1', id, { memberId: id, by: 'SELF' }]])
  await as(null).post('/auth/password/forgot', { email }, { headers: from() })
  const token = await tokenFor(email)
  const reset = await left(accountId, async () =>
    done(await as(null).post('/auth/password/reset', { token, password: PASSWORD })),
  )
  expect(reset.map(short)).toEqual([['audit.password.changed.v1', id, { memberId: id, by: 'LINK' }]])
  const owner = browser(cookieOf(await logIn(email)))
  const body = { email: fresh(), name: 'Budi', role: 'CASHIER', password: PASSWORD }
  const { member } = done(await owner.post('/members', body))
  const set = await left(accountId, async () =>
    done(await owner.patch(`/members/${member.id}`, { password: NEXT })),
  )
  expect(set.map(short)).toEqual([['audit.password.changed.v1', id, { memberId: member.id, by: 'OWNER' }]])
})

test('a member who is added, changed and removed leaves one entry each, and no name in any', async () => {
  const api = await workspace()
  const { accountId, keyId } = api.workspace
  const email = fresh()
  const add = await left(accountId, () =>
    api.post('/members', { email, name: 'Budi Rahasia', role: 'CASHIER' }),
  )
  const id = add[0]?.resourceId
  const member = { id, role: 'CASHIER', status: 'INVITED' }
  expect(add.map(short)).toEqual([['audit.member.added.v1', keyId, { member }]])
  const promote = await left(accountId, () =>
    api.patch(`/members/${id}`, { role: 'MANAGER', name: 'Budi Rahasia' }),
  )
  const manager = { ...member, role: 'MANAGER' }
  expect(promote.map(short)).toEqual([
    ['audit.member.changed.v1', keyId, { member: manager, changed: ['role'], roleBefore: 'CASHIER' }],
  ])
  expect(await left(accountId, () => api.patch(`/members/${id}`, { role: 'MANAGER' }))).toEqual([])
  const remove = await left(accountId, () => api.delete(`/members/${id}`))
  expect(remove.map(short)).toEqual([['audit.member.removed.v1', keyId, { member: manager }]])
  const all = JSON.stringify(await logOf(accountId))
  expect(all).not.toContain('Rahasia')
  expect(all).not.toContain(email)
})

test('an invitation that is accepted is a sign-in of the member', async () => {
  const api = await workspace()
  const email = fresh()
  const { member } = done(await api.post('/members', { email, name: 'Budi', role: 'CASHIER' }))
  const token = await tokenFor(email)
  const entries = await left(api.workspace.accountId, () =>
    as(null).post('/auth/invitations/accept', { token, password: PASSWORD }, { headers: from() }),
  )
  expect(entries.map(short)).toEqual([
    ['audit.session.started.v1', member.id, { memberId: member.id, by: 'INVITATION' }],
  ])
})

test('a key is told when it is made and once when it ends, also with the member who made it', async () => {
  const api = await workspace()
  const { accountId, keyId } = api.workspace
  const owner = await memberOf(api, 'OWNER', 'Sri')
  const made = await left(accountId, () => owner.api.post('/api-keys', { name: 'Till 1' }))
  const id = made[0]?.resourceId
  const apiKey = { id, name: 'Till 1', last4: expect.any(String), readOnly: false, createdBy: owner.id }
  expect(made.map(short)).toEqual([['audit.api_key.created.v1', owner.id, { apiKey }]])
  const revoked = await left(accountId, () => api.delete(`/api-keys/${id}`))
  expect(revoked.map(short)).toEqual([['audit.api_key.revoked.v1', keyId, { apiKey }]])
  expect(await left(accountId, () => api.delete(`/api-keys/${id}`))).toEqual([])
  const second = done(await owner.api.post('/api-keys', { name: 'Till 2' })).apiKey.id
  await memberOf(api, 'OWNER', 'Ani')
  const gone = await left(accountId, () => api.delete(`/members/${owner.id}?revokeKeys=true`))
  expect(gone.map(({ type, resourceId }) => [type, resourceId])).toEqual([
    ['audit.member.removed.v1', owner.id],
    ['audit.api_key.revoked.v1', second],
  ])
})

test('settings that change are told with the fields, and nothing is told where nothing changed', async () => {
  const api = await workspace()
  const { accountId, keyId } = api.workspace
  await api.get('/settings')
  const bank = { transferBankName: 'BCA', transferBankAccountNumber: '0123456789' }
  const [entry, ...more] = await left(accountId, () => api.put('/settings', bank))
  expect(more).toEqual([])
  expect(entry).toMatchObject({
    type: 'audit.settings.changed.v1',
    actor: { id: keyId },
    data: { settings: bank, changed: ['transferBankName', 'transferBankAccountNumber'] },
  })
  expect(await left(accountId, () => api.put('/settings', bank))).toEqual([])
  expect(await left(accountId, () => api.put('/settings', { currency: 'USD' }))).toEqual([])
})

test('endpoints that are registered, paused and removed leave one entry each, without the secret', async () => {
  const api = await workspace()
  const { accountId } = api.workspace
  let secret = ''
  let id = ''
  const made = await left(accountId, async () => {
    const { subscription, secret: shown } = done(
      await api.post('/webhook-subscriptions', { url: 'https://hooks.example.com/kasir' }),
    )
    id = subscription.id
    secret = shown
  })
  const paused = await left(accountId, () => api.patch(`/webhook-subscriptions/${id}`, { active: false }))
  const same = await left(accountId, () => api.patch(`/webhook-subscriptions/${id}`, { active: false }))
  const gone = await left(accountId, () => api.delete(`/webhook-subscriptions/${id}`))
  expect([made, paused, same, gone].map((entries) => entries.map(({ type }) => type))).toEqual([
    ['audit.webhook_subscription.created.v1'],
    ['audit.webhook_subscription.changed.v1'],
    [],
    ['audit.webhook_subscription.deleted.v1'],
  ])
  expect(JSON.stringify(await logOf(accountId))).not.toContain(secret)
})

test('what an assistant changes names its run and its member, beside the change itself', async () => {
  const api = await workspace()
  const owner = await memberOf(api, 'OWNER', 'Sri')
  const assistant = await delegateOf(api, owner.id, 'act', 'run-7')
  const entries = await left(api.workspace.accountId, () =>
    assistant.api.put('/settings', { businessName: 'Warung Sri' }),
  )
  const actor = { kind: 'member', id: owner.id, delegation: { mode: 'act', id: assistant.id, run: 'run-7' } }
  expect(entries.map(({ type, actor: by }) => [type, by])).toEqual([
    ['audit.settings.changed.v1', actor],
    ['audit.delegate.wrote.v1', actor],
  ])
})

test('the log calls a member by the name of today, and whoever was removed by none', async () => {
  const api = await workspace()
  const owner = await memberOf(api, 'OWNER', 'Sri')
  await owner.api.put('/settings', { businessName: 'Warung Sri' })
  const named = async () => {
    const { data } = await api.get('/events?type=audit.settings.changed.v1')
    return data.map(({ actor }: Entry) => actor)
  }
  expect(await named()).toEqual([{ kind: 'member', id: owner.id, name: 'Sri' }])
  await api.patch(`/members/${owner.id}`, { name: 'Sri Lestari' })
  expect(await named()).toEqual([{ kind: 'member', id: owner.id, name: 'Sri Lestari' }])
  await memberOf(api, 'OWNER', 'Ani')
  done(await api.delete(`/members/${owner.id}`))
  expect(await named()).toEqual([{ kind: 'member', id: owner.id, name: null }])
  const rows = await deps()
    .db.selectFrom('events')
    .select(['body', 'cause'])
    .where('accountId', '=', api.workspace.accountId)
    .execute()
  expect(JSON.stringify(rows)).not.toContain('Lestari')
})

test('nothing of it is sent to webhooks, also to an endpoint that asks for everything', async () => {
  const api = await workspace()
  done(await api.post('/webhook-subscriptions', { url: 'https://hooks.example.com/kasir' }))
  done(await api.post('/api-keys', { name: 'Till' }))
  expect(done(await api.get('/webhook-subscriptions/deliveries'))).toEqual([])
  const asked = await api.post('/webhook-subscriptions', {
    url: 'https://hooks.example.com/kasir',
    events: ['audit.api_key.created.v1'],
  })
  expect(refusalOf(asked)).toMatchObject({ status: 422, param: 'events[0]' })
})
