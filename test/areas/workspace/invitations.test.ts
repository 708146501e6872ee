import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameForMail } from '../../../src/core/mail-names.ts'
import { expires } from '../../../src/jobs.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { sweep } from '../../../src/platform/jobs/sweep.ts'
import type { Answer, Api } from '../../support/api.ts'
import { ownerOf } from '../../support/clients.ts'
import { refusalOf } from '../../support/expect.ts'
import { mailsTo } from '../../support/mails.ts'
import { acme, alongside, as, deps, useService, workspace } from '../../support/service.ts'

const clock = manualClock('2026-04-01T02:00:00.000Z')
useService({ clock, env: { PUBLIC_URL: 'http://kasir.example.com/' } })

const HOUR = 3_600_000
const PASSWORD = 'sate ayam madura'
let count = 0
const address = () => `guest${(count += 1)}@example.com`
const invite = (api: Api, email = address(), body: object = {}) =>
  api.post('/members', { email, name: 'Siti', role: 'CASHIER', ...body })
const accept = (token: string) =>
  as(null).post('/auth/invitations/accept', { token, password: 'rendang padang' })
const statusesOf = (answers: Answer[]) => answers.map((answer) => answer.status).sort((a, b) => a - b)

const tokenIn = (mail: string | undefined) => /invitation#(\S+)/.exec(mail ?? '')?.[1] ?? ''

test('a workspace sends 20 invitations a day; the next is 429 with Retry-After, and members with a password go on', async () => {
  const fresh = await workspace()
  const first = await invite(fresh)
  clock.advance(HOUR)
  const others = await Promise.all(Array.from({ length: 19 }, () => invite(fresh)))
  expect(statusesOf([first, ...others])).toEqual(Array(20).fill(201))
  // A place is spent by the mail, not held by the member.
  await fresh.delete(`/members/${first.data.member.id}`)
  const email = address()
  const refused = await invite(fresh, email)
  expect([
    refused.status,
    refused.error.code,
    refused.error.param,
    refused.headers.get('retry-after'),
  ]).toEqual([429, 'RATE_LIMITED', undefined, String(23 * 3_600)])
  expect(await mailsTo(email)).toEqual([])
  expect((await invite(fresh, email, { password: PASSWORD })).status).toBe(201)
  expect((await invite(acme())).status).toBe(201)
  clock.advance(23 * HOUR)
  expect(statusesOf([await invite(fresh), await invite(fresh)])).toEqual([201, 429])
  clock.advance(24 * HOUR)
})

test('of 50 clients that invite at once through two processes 20 are served', async () => {
  const fresh = await workspace()
  const there = await alongside()
  try {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => invite(n % 2 === 0 ? fresh : there.as(fresh.workspace.key))),
    )
    expect(statusesOf(answers)).toEqual([...Array(20).fill(201), ...Array(30).fill(429)])
    expect((await fresh.get('/members')).data.members).toHaveLength(20)
  } finally {
    await there.stop()
  }
})

test('an address is invited three times a day, whoever invites and however it is spelt', async () => {
  const spelt = ['Victim@example.com', 'victim+a@example.com', 'VICTIM+b@example.com']
  for (const email of spelt) {
    const fresh = await workspace()
    const invited = await invite(fresh, email)
    expect(invited.status).toBe(201)
    await fresh.delete(`/members/${invited.data.member.id}`)
  }
  const refused = await invite(acme(), 'victim@example.com')
  expect(refusalOf(refused)).toEqual({ status: 429, code: 'RATE_LIMITED', param: 'email' })
  clock.advance(24 * HOUR)
  expect((await invite(acme(), 'victim@example.com')).status).toBe(201)
})

test('where workspace and mailbox have had their invitations, Retry-After names the later of the two', async () => {
  const [fresh, email] = [await workspace(), address()]
  await Promise.all(Array.from({ length: 20 }, () => invite(fresh)))
  clock.advance(HOUR)
  for (let n = 1; n <= 3; n += 1) {
    const other = await workspace()
    const { id } = (await invite(other, email.replace('@', `+${n}@`))).data.member
    await other.delete(`/members/${id}`)
  }
  const refused = await invite(fresh, email)
  expect([refused.status, refused.error.param, refused.headers.get('retry-after')]).toEqual([
    429,
    'email',
    String(24 * 3_600),
  ])
  clock.advance(24 * HOUR)
  expect((await invite(fresh, email)).status).toBe(201)
})

test('of ten workspaces that write to one mailbox at once three are served', async () => {
  const ten = await Promise.all(Array.from({ length: 10 }, () => workspace()))
  const answers = await Promise.all(ten.map((api, n) => invite(api, `crowd+${n}@example.com`)))
  expect(statusesOf(answers)).toEqual([201, 201, 201, ...Array(7).fill(429)])
})

test('an invitation whose address is corrected ends, and the right address gets its own', async () => {
  const [wrong, right] = [address(), address()]
  const { id } = (await invite(acme(), wrong)).data.member
  const old = tokenIn((await mailsTo(wrong))[0])
  clock.advance(HOUR)
  const moved = await (await ownerOf(acme())).patch(`/members/${id}`, { email: right })
  expect(moved.data.member).toMatchObject({
    email: right,
    status: 'INVITED',
    inviteExpiresAt: new Date(clock.ms() + 7 * 24 * HOUR).toISOString(),
  })
  expect((await accept(old)).status).toBe(422)
  const [mail] = await mailsTo(right)
  expect(tokenIn(mail)).not.toBe(old)
  expect((await accept(tokenIn(mail))).data.user).toMatchObject({ id, email: right })
  expect(await mailsTo(wrong)).toHaveLength(1)
})

test('accepting while the address is corrected either succeeds or finds the link dead', async () => {
  for (let round = 0; round < 8; round += 1) {
    const fresh = await workspace()
    const owner = await ownerOf(fresh)
    const [wrong, right] = [address(), address()]
    const { id } = (await invite(fresh, wrong)).data.member
    const token = tokenIn((await mailsTo(wrong))[0])
    const [entered, moved] = await Promise.all([
      accept(token),
      owner.patch(`/members/${id}`, { email: right }),
    ])
    expect(moved.status).toBe(200)
    const [, member] = (await fresh.get('/members')).data.members
    expect([entered.status, member.status]).toEqual(
      entered.status === 200 ? [200, 'ACTIVE'] : [422, 'INVITED'],
    )
    // Someone who came in first gets a notice of the new address, and no link.
    const links = (await mailsTo(right)).filter((mail) => tokenIn(mail) !== '')
    expect(links).toHaveLength(entered.status === 200 ? 0 : 1)
  }
})

test('a name or a role changes nothing about the link; the same address renews one that has expired', async () => {
  const fresh = await workspace()
  const email = address()
  const { id } = (await invite(fresh, email)).data.member
  await fresh.patch(`/members/${id}`, { name: 'Siti Aminah', role: 'MANAGER', email })
  expect(await mailsTo(email)).toHaveLength(1)
  clock.advance(7 * 24 * HOUR)
  const renewed = await fresh.patch(`/members/${id}`, { email })
  expect(renewed.data.member.inviteExpiresAt).toBe(new Date(clock.ms() + 7 * 24 * HOUR).toISOString())
  const mails = await mailsTo(email)
  expect((await accept(tokenIn(mails[0]))).status).toBe(422)
  expect((await accept(tokenIn(mails[1]))).status).toBe(200)
})

test('an address is corrected as seldom as it is invited, and a refusal changes nothing', async () => {
  const fresh = await workspace()
  const owner = await ownerOf(fresh)
  const { id } = (await invite(fresh)).data.member
  await Promise.all(Array.from({ length: 18 }, () => invite(fresh)))
  const [moved, refused] = [
    await owner.patch(`/members/${id}`, { email: 'moved@example.com' }),
    await owner.patch(`/members/${id}`, { email: 'moved.again@example.com' }),
  ]
  expect([moved.status, refused.status]).toEqual([200, 429])
  expect((await fresh.get('/members')).data.members[1].email).toBe('moved@example.com')
  expect((await accept(tokenIn((await mailsTo('moved@example.com'))[0]))).status).toBe(200)
})

test('the names in an invitation are one line without links', async () => {
  const fresh = await workspace(
    'Bank BCA\r\nBcc: all@example.com\r\n\r\nhttps://evil.example/login \u202Eelbissop',
  )
  const email = address()
  const name = 'Siti\u2028Your account is locked: evil.example/x www.evil.example help@evil.example'
  await invite(fresh, email, { name })
  const [mail = ''] = await mailsTo(email)
  const [head = '', ...paragraphs] = mail.split('\r\n\r\n')
  const body = paragraphs.join('\r\n\r\n')
  expect(head).toMatch(/^Subject: Bank BCA Bcc: elbissop invites you to Kasir\r$/m)
  expect(head.split('\r\n').filter((line) => line.startsWith('Bcc'))).toEqual([])
  const lines = body.split('\r\n')
  expect(lines[0]).toBe('Hello Siti Your account is locked: evil. example/x www. evil. example,')
  expect(lines[2]).toContain('invites you to work in Bank BCA Bcc: elbissop. Choose your password')
  expect(body.match(/https?:\/\/\S+/g)).toEqual([
    expect.stringMatching(/^http:\/\/kasir\.example\.com\/invitation#/),
    expect.stringMatching(/^http:\/\/kasir\.example\.com\/api\//),
  ])
})

test.each([
  ['Warung Bu Siti ☕', 'Warung Bu Siti ☕'],
  ['PT. Maju Jaya', 'PT. Maju Jaya'],
  ['Kopi 2.0', 'Kopi 2.0'],
  ['Toko.com', 'Toko. com'],
  ['bit.ly/abc', 'bit. ly/abc'],
  ['evil．example', 'evil. example'],
  ['https：／／evil.example', 'Someone'],
  ['  \u200B\u2066 ', 'Someone'],
  ['javascript:alert(1)', 'javascript: alert(1)'],
  ['a\tb\u0085c\u2029d', 'a b c d'],
])('%j is mailed as %j', (name, mailed) => expect(nameForMail(name, 'Someone')).toBe(mailed))

test('no name whatever puts a line break, a control or a link into a mail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (name) => {
      const mailed = nameForMail(name, 'Someone')
      expect(mailed).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\/\/|\S@\S|[.。:]\p{L}/u)
      expect(mailed.trim()).not.toBe('')
    }),
    { numRuns: 2_000 },
  )
})

test('what counts the mails is swept after a day', async () => {
  await invite(acme())
  await sweep(deps(), expires)
  const counted = async () => (await deps().db.selectFrom('sentMails').select('id').execute()).length
  expect(await counted()).toBeGreaterThan(0)
  clock.advance(24 * HOUR + 1)
  await sweep(deps(), expires)
  expect(await counted()).toBe(0)
})
