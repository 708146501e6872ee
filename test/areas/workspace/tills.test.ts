import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { makeOutlet } from '../../support/build.ts'
import { browser, memberOf, ownerOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { mailsTo } from '../../support/mails.ts'
import {
  cookieNamed,
  enrolTill,
  freshPin,
  lockedTill,
  memberWithPin,
  signedInAt,
} from '../../support/pins.ts'
import { waiting } from '../../support/read.ts'
import { acme, address, alongside, as, deps, globex, useService, workspace } from '../../support/service.ts'
import { openStream } from '../../support/stream.ts'

useService()

describe('a till', () => {
  test('is a browser that a manager enrols, and the cookie is signed and closed to scripts', async () => {
    const outletId = await makeOutlet(acme())
    const manager = await memberOf(acme(), 'MANAGER')
    const answer = await manager.api.post('/tills', { outletId, name: 'Front counter' })
    expect(done(answer).till).toMatchObject({ outletId, name: 'Front counter', enrolledBy: manager.id })
    const line = answer.headers.getSetCookie().find((one) => one.startsWith('kasir_till='))
    expect(line).toMatch(/Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
    const { tills } = done(await manager.api.get('/tills'))
    expect(tills[0]).toMatchObject({ id: done(answer).till.id, lastSeenAt: expect.any(String) })
  })

  test('is announced by mail to the owners and to the manager who enrolled it, and to nobody else', async () => {
    const cafe = await workspace('Kopi Sari')
    const addressOf = async (id: string): Promise<string> =>
      done(await cafe.get('/members')).members.find((one: { id: string }) => one.id === id).email
    const [owner, manager, cashier] = [
      await memberOf(cafe, 'OWNER'),
      await memberOf(cafe, 'MANAGER', 'Wayan'),
      await memberOf(cafe, 'CASHIER'),
    ]
    const outletId = await makeOutlet(cafe)
    done(await manager.api.post('/tills', { outletId, name: 'Front\r\nBcc: all@example.com' }))
    for (const { id } of [owner, manager]) {
      const [mail = '', ...others] = await mailsTo(await addressOf(id))
      expect(others).toEqual([])
      expect(mail).toContain('A new till')
      expect(mail.replaceAll('\r\n', ' ')).toContain('enrolled as the till "Front Bcc:" by Wayan at ')
    }
    expect(await mailsTo(await addressOf(cashier.id))).toEqual([])
  })

  test('is enrolled by nobody else', async () => {
    const outletId = await makeOutlet(acme())
    const body = { outletId, name: 'Front' }
    const cashier = await memberOf(acme(), 'CASHIER')
    expect(refusalOf(await cashier.api.post('/tills', body))).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(refusalOf(await acme().post('/tills', body))).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(refusalOf(await as(null).post('/tills', body))).toEqual({ status: 401, code: 'AUTH_REQUIRED' })
    const till = await enrolTill(acme())
    const atPin = await signedInAt(till, await memberWithPin(acme(), 'OWNER'))
    expect(refusalOf(await atPin.post('/tills', body))).toEqual({ status: 403, code: 'FORBIDDEN' })
  })

  test('belongs to an active outlet of the workspace', async () => {
    const owner = await ownerOf(acme())
    const foreign = await makeOutlet(globex())
    expect(refusalOf(await owner.post('/tills', { outletId: foreign, name: 'A' }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'outletId',
    })
    const closed = await makeOutlet(acme())
    await acme().patch(`/outlets/${closed}`, { isActive: false })
    expect(refusalOf(await owner.post('/tills', { outletId: closed, name: 'A' }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'outletId',
    })
    expect(refusalOf(await owner.post('/tills', { outletId: closed, name: '' }))).toMatchObject({
      status: 400,
      param: 'name',
    })
  })

  test('that is enrolled again takes the place of the one before', async () => {
    const till = await enrolTill(acme())
    const { cookie } = await memberOf(acme(), 'MANAGER')
    const again = await browser(`${till.cookie}; ${cookie}`).post('/tills', {
      outletId: till.outletId,
      name: 'Second',
    })
    const { tills } = done(await acme().get('/tills'))
    const ids = tills.map(({ id }: { id: string }) => id)
    expect(ids).toContain(done(again).till.id)
    expect(ids).not.toContain(till.id)
  })

  test('shows who may sign in there, and nothing else, before anyone has', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'CASHIER')
    const { till: shown, members } = done(await lockedTill(till).get('/tills/current'))
    expect(shown.id).toBe(till.id)
    expect(members).toContainEqual({ id: member.id, name: 'cashier', role: 'CASHIER' })
    expect(refusalOf(await as(null).get('/tills/current'))).toEqual({ status: 403, code: 'FORBIDDEN' })
  })

  test('that is revoked in mid-shift signs its cashier out, and no PIN works there any more', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'CASHIER')
    const cashier = await signedInAt(till, member)
    const elsewhere = await signedInAt(await enrolTill(acme()), member)
    done(await cashier.get('/products'))
    expect(done(await acme().delete(`/tills/${till.id}`))).toEqual({ id: till.id, revoked: true })
    expect(refusalOf(await cashier.get('/products'))).toEqual({ status: 401, code: 'AUTH_REQUIRED' })
    const { id: memberId, pin } = member
    expect(refusalOf(await lockedTill(till).post('/auth/pin', { memberId, pin }))).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    })
    expect(refusalOf(await lockedTill(till).get('/tills/current'))).toMatchObject({ status: 403 })
    done(await elsewhere.get('/products'))
    done(await member.api.get('/products'))
  })

  test('that is revoked ends the live stream of its cashier within a second, in every process, and no other', async () => {
    const till = await enrolTill(acme())
    const cashier = await memberWithPin(acme(), 'CASHIER')
    const entered = await lockedTill(till).post('/auth/pin', { memberId: cashier.id, pin: cashier.pin })
    const cookie = `${till.cookie}; ${cookieNamed(entered, 'kasir_session')}`
    const neighbour = await alongside()
    const here = await openStream(address(), '', { headers: { cookie } })
    const there = await openStream(neighbour.address, '', { headers: { cookie } })
    const calm = await openStream(address(), '', { headers: { cookie: cashier.cookie } })
    try {
      expect([here.status, there.status, calm.status]).toEqual([200, 200, 200])
      done(await acme().delete(`/tills/${till.id}`))
      // Without the notice a stream is looked at every 30 seconds only.
      await here.until(({ isEnded }) => isEnded(), 10_000)
      await there.until(({ isEnded }) => isEnded(), 10_000)
      expect(calm.isEnded()).toBe(false)
      expect(calm.frames()).toEqual([])
    } finally {
      for (const stream of [here, there, calm]) stream.close()
      await neighbour.stop()
    }
  })

  test('of another workspace is not found, and a revoked one neither', async () => {
    const till = await enrolTill(acme())
    expect(refusalOf(await globex().delete(`/tills/${till.id}`))).toEqual({ status: 404, code: 'NOT_FOUND' })
    const cashier = await memberOf(acme(), 'CASHIER')
    expect(refusalOf(await cashier.api.delete(`/tills/${till.id}`))).toMatchObject({ status: 403 })
    expect(refusalOf(await cashier.api.get('/tills'))).toMatchObject({ status: 403 })
    done(await acme().delete(`/tills/${till.id}`))
    expect(refusalOf(await acme().delete(`/tills/${till.id}`))).toEqual({ status: 404, code: 'NOT_FOUND' })
  })

  test.each([
    ['another secret', ([, ...rest]: string[]) => [`${'A'.repeat(43)}`, ...rest]],
    ['another signature', (parts: string[]) => [...parts.slice(0, 3), 'A'.repeat(43)]],
    ['another till', (parts: string[]) => [...parts.slice(0, 2), `til_${'0'.repeat(26)}`, parts[3] ?? '']],
    ['no signature', (parts: string[]) => parts.slice(0, 3)],
    ['more than a signature', (parts: string[]) => [...parts, 'x']],
    ['nothing', () => ['']],
  ])('does not exist by a cookie with %s', async (_, forge) => {
    const till = await enrolTill(acme())
    const parts = till.cookie.replace('kasir_till=', '').split('.')
    const cookie = `kasir_till=${forge(parts).join('.')}`
    expect(refusalOf(await browser(cookie).get('/tills/current'))).toEqual({ status: 403, code: 'FORBIDDEN' })
  })
})

describe('a PIN', () => {
  test('opens a session of 12 hours at an enrolled till', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'CASHIER')
    const answer = await lockedTill(till).post('/auth/pin', { memberId: member.id, pin: member.pin })
    expect(done(answer).user).toMatchObject({ id: member.id, role: 'CASHIER' })
    const lines = answer.headers.getSetCookie()
    expect(lines.find((one) => one.startsWith('kasir_session='))).toMatch(/Max-Age=43200;/)
    const cashier = browser(`${till.cookie}; ${cookieNamed(answer, 'kasir_session')}`)
    const { sessions } = done(await cashier.get('/auth/sessions'))
    const session = sessions.find(({ tillId }: { tillId: string | null }) => tillId === till.id)
    const lastsMs = Date.parse(session.expiresAt) - Date.parse(session.createdAt)
    expect(lastsMs).toBe(12 * 3_600_000)
  })

  test('session works with the cookie of its own till only', async () => {
    const till = await enrolTill(acme())
    const other = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'CASHIER')
    const answer = await lockedTill(till).post('/auth/pin', { memberId: member.id, pin: member.pin })
    const session = cookieNamed(answer, 'kasir_session')
    done(await browser(`${till.cookie}; ${session}`).get('/products'))
    const alone = { status: 401, code: 'AUTH_REQUIRED' }
    expect(refusalOf(await browser(session).get('/products'))).toEqual(alone)
    expect(refusalOf(await browser(`${other.cookie}; ${session}`).get('/products'))).toEqual(alone)
    expect(refusalOf(await browser(session).get('/auth/sessions'))).toEqual(alone)
  })

  test('opens nothing outside an enrolled till, nor at one of another workspace', async () => {
    const { id: memberId, pin } = await memberWithPin(acme(), 'CASHIER')
    expect(refusalOf(await as(null).post('/auth/pin', { memberId, pin }))).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    })
    const foreign = await enrolTill(globex())
    expect(refusalOf(await lockedTill(foreign).post('/auth/pin', { memberId, pin }))).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    })
  })

  test.each(['123', '123456789', '12a4', ' 12 34', '', '１２３４'])(
    'is four to eight digits, not "%s"',
    async (pin) => {
      const till = await enrolTill(acme())
      const member = await memberOf(acme(), 'CASHIER')
      const wrong = { status: 400, code: 'VALIDATION_ERROR', param: 'pin' }
      expect(refusalOf(await acme().patch(`/members/${member.id}`, { pin }))).toEqual(wrong)
      expect(refusalOf(await lockedTill(till).post('/auth/pin', { memberId: member.id, pin }))).toEqual(wrong)
    },
  )

  test('that another member has is 409, without saying whose; in another workspace it is free', async () => {
    const first = await memberWithPin(acme(), 'MANAGER', '90210')
    const second = await memberOf(acme(), 'CASHIER', 'Budi')
    const answer = await acme().patch(`/members/${second.id}`, { pin: '90210' })
    expect(refusalOf(answer)).toEqual({ status: 409, code: 'CONFLICT', param: 'pin' })
    expect(answer.text).not.toContain(first.id)
    expect(answer.text).not.toContain('manager')
    await memberWithPin(globex(), 'CASHIER', '90210')
    done(await acme().patch(`/members/${first.id}`, { pin: '90210' }))
    done(await acme().patch(`/members/${first.id}`, { pin: null }))
    done(await acme().patch(`/members/${second.id}`, { pin: '90210' }))
  })

  test('of two members who choose the same one concurrently, one gets it', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, () => memberOf(acme(), 'CASHIER')))
    const answers = await Promise.all(
      members.map(({ id }) => acme().patch(`/members/${id}`, { pin: '77777' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  })

  test('is stored by Argon2id under a key of the workspace, and appears in no answer', async () => {
    const { id, pin } = await memberWithPin(acme(), 'CASHIER')
    const row = await deps()
      .db.selectFrom('memberPins')
      .select(['pinHash', 'pinMac'])
      .where('memberId', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.pinHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(row.pinMac).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const list = await acme().get('/members')
    expect(list.text).not.toContain(pin)
    expect(list.text).not.toContain('argon2')
    expect(done(list).members.find((one: { id: string }) => one.id === id)).toMatchObject({ hasPin: true })
  })

  test('shows in the answer to the owner who sets or removes it', async () => {
    const { id } = await memberOf(acme(), 'CASHIER')
    const patched = async (pin: string | null) => done(await acme().patch(`/members/${id}`, { pin })).member
    expect(await patched(freshPin())).toMatchObject({ id, hasPin: true })
    expect(await patched(null)).toMatchObject({ id, hasPin: false })
  })

  test('is changed by an owner only, and by members themselves with their password', async () => {
    const password = 'nasi goreng pedas'
    const email = 'pin-sendiri@example.com'
    const { member } = done(await acme().post('/members', { email, name: 'Sri', role: 'CASHIER', password }))
    const entered = await as(null).post('/auth/login', { email, password })
    const self = browser(cookieNamed(entered, 'kasir_session'))
    const manager = await memberOf(acme(), 'MANAGER')
    expect(refusalOf(await manager.api.patch(`/members/${member.id}`, { pin: '5555' }))).toMatchObject({
      status: 403,
    })
    expect(refusalOf(await self.put('/auth/pin', { pin: '5555' }))).toMatchObject({
      status: 422,
      param: 'currentPassword',
    })
    expect(
      refusalOf(await self.put('/auth/pin', { pin: '5555', currentPassword: 'wrong one' })),
    ).toMatchObject({
      status: 422,
      param: 'currentPassword',
    })
    expect(
      refusalOf(await acme().put('/auth/pin', { pin: '5555', currentPassword: password })),
    ).toMatchObject({
      status: 403,
    })
    expect(refusalOf(await as(null).put('/auth/pin', { pin: '5555' }))).toEqual({
      status: 401,
      code: 'AUTH_REQUIRED',
    })
    expect(done(await self.put('/auth/pin', { pin: '5555', currentPassword: password }))).toEqual({
      hasPin: true,
    })
    const till = await enrolTill(acme())
    const inside = await signedInAt(till, { id: member.id, pin: '5555' })
    expect(done(await self.put('/auth/pin', { pin: null, currentPassword: password }))).toEqual({
      hasPin: false,
    })
    expect(refusalOf(await inside.get('/products'))).toMatchObject({ status: 401 })
    const taken = (await memberWithPin(acme(), 'CASHIER')).pin
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => self.put('/auth/pin', { pin: taken, currentPassword: password })),
    )
    // Five in 15 minutes, two of which were used above.
    expect(tries.map(({ status }) => status).toSorted()).toEqual([409, 409, 409, 429, 429, 429, 429, 429])
  })

  test('that changes ends the PIN sessions of the member and no other', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'CASHIER')
    const inside = await signedInAt(till, member)
    const other = await signedInAt(await enrolTill(acme()), await memberWithPin(acme(), 'CASHIER'))
    done(await acme().patch(`/members/${member.id}`, { pin: freshPin() }))
    expect(refusalOf(await inside.get('/products'))).toEqual({ status: 401, code: 'AUTH_REQUIRED' })
    done(await member.api.get('/products'))
    done(await other.get('/products'))
    expect(
      refusalOf(await lockedTill(till).post('/auth/pin', { memberId: member.id, pin: member.pin })),
    ).toEqual({ status: 401, code: 'INVALID_CREDENTIALS' })
  })

  test('that changes while it is being checked opens no session', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'CASHIER')
    const { accountId } = acme().workspace
    const client = new pg.Client({ connectionString: deps().pool.options.connectionString })
    await client.connect()
    try {
      // A change of the PIN that has locked the member and is not committed yet.
      await client.query('begin')
      await client.query('select from members where account_id = $1 and id = $2 for update', [
        accountId,
        member.id,
      ])
      await client.query(
        `update member_pins set pin_hash = 'another' where account_id = $1 and member_id = $2`,
        [accountId, member.id],
      )
      const entering = lockedTill(till).post('/auth/pin', { memberId: member.id, pin: member.pin })
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
      await client.query('commit')
      expect(refusalOf(await entering)).toEqual({ status: 401, code: 'INVALID_CREDENTIALS' })
    } finally {
      await client.end()
    }
    const sessions = await deps()
      .db.selectFrom('sessions')
      .select('id')
      .where('memberId', '=', member.id)
      .where('tillId', 'is not', null)
      .execute()
    expect(sessions).toEqual([])
  })

  test('session ends with a changed password of its member', async () => {
    const till = await enrolTill(acme())
    const email = 'ganti-sandi@example.com'
    const password = 'nasi goreng pedas'
    const { member } = done(await acme().post('/members', { email, name: 'Ani', role: 'CASHIER', password }))
    done(await acme().patch(`/members/${member.id}`, { pin: '60606' }))
    const inside = await signedInAt(till, { id: member.id, pin: '60606' })
    const owner = await ownerOf(acme())
    done(await owner.patch(`/members/${member.id}`, { password: 'gado gado siang' }))
    expect(refusalOf(await inside.get('/products'))).toEqual({ status: 401, code: 'AUTH_REQUIRED' })
    // The PIN itself is another secret, and stays.
    await signedInAt(till, { id: member.id, pin: '60606' })
  })

  test('that is set, changed or removed is announced by mail to its member, without the PIN', async () => {
    const cafe = await workspace('Kopi Sari')
    const { id } = await memberOf(cafe, 'CASHIER', 'Putu')
    const { email } = done(await cafe.get('/members')).members.find((one: { id: string }) => one.id === id)
    for (const pin of ['483920', '583921', null]) done(await cafe.patch(`/members/${id}`, { pin }))
    const mails = (await mailsTo(email)).map((mail) => mail.replaceAll('\r\n', ' '))
    const subjects = mails.map(
      (mail) => /Subject: Kopi Sari: ([^.]*?) (?:From|To|Date|Message-ID|MIME)/.exec(mail)?.[1],
    )
    expect(subjects.toSorted()).toEqual(['You have a new PIN', 'You have a new PIN', 'Your PIN was removed'])
    for (const mail of mails) {
      expect(mail).toContain('with the API key "')
      expect(mail).not.toMatch(/483920|583921/)
    }
  })

  test('is known and counted by every process on the same database', async () => {
    const neighbour = await alongside()
    try {
      const till = await enrolTill(acme())
      const member = await memberWithPin(acme(), 'CASHIER')
      const sides = [address(), neighbour.address]
      const enter = (n: number, pin: string) =>
        lockedTill(till).post(`${sides[n % 2]}/api/v1/auth/pin`, { memberId: member.id, pin })
      const entered = await enter(1, member.pin)
      done(entered)
      done(await browser(`${till.cookie}; ${cookieNamed(entered, 'kasir_session')}`).get('/products'))
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => enter(n, '0000')))
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
      for (const n of [0, 1]) expect(refusalOf(await enter(n, member.pin))).toMatchObject({ status: 429 })
    } finally {
      await neighbour.stop()
    }
  })

  test('session acts with the present role, and ends with the member', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'MANAGER')
    const inside = await signedInAt(till, member)
    done(await inside.get('/tills'))
    done(await acme().patch(`/members/${member.id}`, { role: 'CASHIER' }))
    expect(refusalOf(await inside.get('/tills'))).toMatchObject({ status: 403 })
    done(await acme().delete(`/members/${member.id}`))
    expect(refusalOf(await inside.get('/products'))).toMatchObject({ status: 401 })
  })

  test('session changes nothing about how people sign in', async () => {
    const till = await enrolTill(acme())
    const owner = await memberWithPin(acme(), 'OWNER')
    const other = await memberOf(acme(), 'CASHIER')
    const inside = await signedInAt(till, owner)
    const password = 'nasi goreng pedas'
    const answers = await Promise.all([
      inside.post('/api-keys', { name: 'Key' }),
      inside.post('/members', { email: 'baru@example.com', name: 'Baru', role: 'OWNER', password }),
      inside.patch(`/members/${other.id}`, { password }),
      inside.patch(`/members/${other.id}`, { pin: freshPin() }),
      inside.delete(`/members/${other.id}`),
      inside.delete(`/members/${other.id}/second-factor`),
      inside.post('/auth/password', { currentPassword: password, password: 'gado gado siang' }),
      inside.post('/auth/second-factor', {}),
      inside.post('/auth/second-factor/confirm', { code: '123456' }),
      inside.post('/auth/second-factor/off', { currentPassword: password, code: '123456' }),
      inside.post('/auth/second-factor/recovery-codes', { currentPassword: password, code: '123456' }),
      inside.put('/settings', { secondFactorRequired: true }),
      inside.put('/settings', { approvals: { void: true } }),
    ])
    expect(answers.map((answer) => refusalOf(answer))).toMatchObject(
      answers.map(() => ({ status: 403, code: 'FORBIDDEN' })),
    )
    done(await inside.get('/members'))
    done(await inside.put('/settings', { receiptThanks: 'Terima kasih' }))
  })

  test('five wrong ones close one member at one till, and nothing else', async () => {
    const till = await enrolTill(acme())
    const other = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'MANAGER')
    const colleague = await memberWithPin(acme(), 'CASHIER')
    const wrong = { memberId: member.id, pin: '0000' }
    for (let tried = 0; tried < 5; tried += 1) {
      expect(refusalOf(await lockedTill(till).post('/auth/pin', wrong))).toEqual({
        status: 401,
        code: 'INVALID_CREDENTIALS',
      })
    }
    const right = { memberId: member.id, pin: member.pin }
    const closed = await lockedTill(till).post('/auth/pin', right)
    expect(refusalOf(closed)).toEqual({ status: 429, code: 'RATE_LIMITED' })
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0)
    await signedInAt(till, colleague)
    await signedInAt(other, member)
  })

  test('many tries at one moment are never more than five', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'MANAGER')
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        lockedTill(till).post('/auth/pin', { memberId: member.id, pin: '0000' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
  })

  test('a right one forgives the slips before it', async () => {
    const till = await enrolTill(acme())
    const member = await memberWithPin(acme(), 'CASHIER')
    const slip = () => lockedTill(till).post('/auth/pin', { memberId: member.id, pin: '0000' })
    for (let tried = 0; tried < 4; tried += 1) await slip()
    await signedInAt(till, member)
    expect(refusalOf(await slip())).toMatchObject({ status: 401 })
  })

  test('of a member who has none, or who does not exist, is simply wrong', async () => {
    const till = await enrolTill(acme())
    const { id } = await memberOf(acme(), 'CASHIER')
    for (const memberId of [id, 'usr_nobody']) {
      expect(refusalOf(await lockedTill(till).post('/auth/pin', { memberId, pin: '1234' }))).toEqual({
        status: 401,
        code: 'INVALID_CREDENTIALS',
      })
    }
  })

  test('of a manager works where a second factor is required, once they have one', async () => {
    const till = await enrolTill(acme())
    const manager = await memberWithPin(acme(), 'MANAGER')
    const owner = await ownerOf(acme())
    done(await owner.put('/settings', { secondFactorRequired: true }))
    const inside = await signedInAt(till, manager)
    const refused = await inside.get('/products')
    const enrolling = await manager.api.post('/tills', { outletId: till.outletId, name: 'Second' })
    const at = deps().clock.now()
    await deps()
      .db.insertInto('secondFactors')
      .values({
        accountId: acme().workspace.accountId,
        memberId: manager.id,
        secret: 'x',
        confirmedAt: at,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    const allowed = await (await signedInAt(till, manager)).get('/products')
    await deps().db.updateTable('settings').set({ secondFactorRequired: false }).execute()
    for (const answer of [refused, enrolling])
      expect(refusalOf(answer)).toEqual({ status: 403, code: 'SECOND_FACTOR_NOT_SET_UP' })
    done(allowed)
  })
})
