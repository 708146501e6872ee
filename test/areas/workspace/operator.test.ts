import { describe, expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import { expires } from '../../../src/jobs.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { authOf } from '../../../src/platform/http/route.ts'
import { sweep } from '../../../src/platform/jobs/sweep.ts'
import { carrying } from '../../support/api.ts'
import { openShop } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { refusalOf } from '../../support/expect.ts'
import { operator, operatorCookieOf, operatorLink } from '../../support/operator.ts'
import { acme, address, alongside, as, deps, globex, useService } from '../../support/service.ts'
import { routes } from '../../table/local.ts'
import { nameOf, pathOf } from '../../table/request.ts'

const clock = manualClock('2026-07-01T01:00:00.000Z')
useService({ clock, env: { CORS_ORIGINS: 'https://app.example.com' } })

const exchange = (token: unknown, headers: Record<string, string> = {}) =>
  as(null).post('/operator/session', { token }, { headers })
const usedUp = { status: 422, code: 'VALIDATION_ERROR', param: 'token' }
const stored = () => deps().db.selectFrom('operatorTokens').selectAll().execute()

describe('a link of the operator', () => {
  test('opens a session once, in a cookie that only the routes of the operator receive', async () => {
    const token = await operatorLink()
    const first = await exchange(token)
    expect([first.status, first.data]).toEqual([200, { expiresAt: '2026-07-01T09:00:00.000Z' }])
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^kasir_operator=[\w-]{43}; Max-Age=28800; Path=\/api\/v1\/operator; HttpOnly; SameSite=Strict$/,
      ),
    ])
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(refusalOf(await exchange(token))).toMatchObject(usedUp)
  })

  test('opens one session however many browsers use it together, in any process', async () => {
    const token = await operatorLink()
    const other = await alongside()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        (n % 2 === 0 ? as(null) : other.as('')).post('/operator/session', { token }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 29 }, () => 422),
    ])
    expect(answers.flatMap((answer) => operatorCookieOf(answer) ?? [])).toHaveLength(1)
    await other.stop()
  })

  test('expires after 15 minutes, and an operator session after eight hours', async () => {
    const late = await operatorLink()
    const { api } = await operator()
    clock.advance(15 * 60_000)
    expect(refusalOf(await exchange(late))).toMatchObject(usedUp)
    clock.advance((8 * 60 - 15) * 60_000 - 1)
    expect((await api.get('/operator/overview')).status).toBe(200)
    clock.advance(1)
    expect(refusalOf(await api.get('/operator/overview'))).toMatchObject({
      status: 401,
      code: 'AUTH_REQUIRED',
    })
    clock.advance(1)
    await sweep(deps(), expires)
    expect(await stored()).toEqual([])
  })

  test('is stored only as a hash, and so is an operator session', async () => {
    const token = await operatorLink()
    const session = operatorCookieOf(await exchange(token))?.split('=')[1] ?? ''
    const text = JSON.stringify([await stored(), await operatorLink()])
    expect(text).not.toContain(token)
    expect(JSON.stringify(await stored())).not.toContain(session)
  })

  test('gives a browser a new session each time, and the one before ends', async () => {
    const { cookie, api } = await operator()
    const next = operatorCookieOf(await exchange(await operatorLink(), { cookie }))
    expect(next).toMatch(/^kasir_operator=[\w-]{43}$/)
    expect(next).not.toBe(cookie)
    expect((await api.get('/operator/overview')).status).toBe(401)
    const chosen = { cookie: `kasir_operator=${'x'.repeat(43)}` }
    expect(operatorCookieOf(await exchange(await operatorLink(), chosen))).not.toBe(chosen.cookie)
    expect((await carrying(as(null), chosen).get('/operator/overview')).status).toBe(401)
  })

  test('opens no session with an invalid token', async () => {
    const { key } = acme().workspace
    const link = await operatorLink()
    const session = (await operator()).cookie.split('=')[1] ?? ''
    const wrong: [unknown, number][] = [
      [undefined, 400],
      [null, 400],
      [42, 400],
      ['', 400],
      [['x'.repeat(43)], 400],
      [{ $ne: '' }, 400],
      ['x'.repeat(201), 400],
      ['x'.repeat(43), 422],
      [key, 422],
      [`${link}A`, 422],
      [link.slice(1), 422],
      [`${link.slice(0, 42)}\u0000`, 400],
      [`${link.slice(0, 42)}%`, 422],
      [session, 422],
    ]
    const before = (await stored()).length
    for (const [token, status] of wrong) {
      const answer = await exchange(token)
      expect([token, answer.status, operatorCookieOf(answer)]).toEqual([token, status, undefined])
    }
    expect(refusalOf(await as(null).post('/operator/session', {}))).toMatchObject({ status: 400 })
    expect((await stored()).length).toBe(before)
    expect((await exchange(link)).status).toBe(200)
  })
})

describe('the operator page', () => {
  test('is closed to members and keys of every role, and to a link that was not exchanged', async () => {
    const token = await operatorLink()
    const { cookie: ofMember } = await memberOf(acme(), 'OWNER')
    const { cookie } = await operator()
    const strangers: Record<string, [Record<string, string>, number]> = {
      nobody: [{}, 401],
      'an owner': [{ cookie: ofMember }, 401],
      'a key': [{ authorization: `Bearer ${acme().workspace.key}` }, 403],
      'a key beside an operator': [{ cookie, authorization: `Bearer ${acme().workspace.key}` }, 403],
      'a session of a member under the name of the cookie': [
        { cookie: ofMember.replace('kasir_session', 'kasir_operator') },
        401,
      ],
      'a key as the cookie': [{ cookie: `kasir_operator=${acme().workspace.key}` }, 401],
      'a link as the cookie': [{ cookie: `kasir_operator=${token}` }, 401],
      'a token as a key': [{ authorization: `Bearer ${token}` }, 403],
    }
    for (const path of ['/operator/overview', '/operator/workspaces']) {
      for (const [name, [headers, status]] of Object.entries(strangers)) {
        const answer = await as(null).get(path, { headers })
        expect([path, name, answer.status, answer.data]).toEqual([path, name, status, null])
      }
    }
  })

  test('refuses pages of other origins, also those that may call for workspaces', async () => {
    const { api } = await operator()
    for (const origin of ['https://evil.example', 'https://app.example.com', 'null']) {
      const token = await operatorLink()
      expect((await exchange(token, { origin })).status).toBe(403)
      expect((await api.get('/operator/overview', { headers: { origin } })).status).toBe(403)
      expect((await api.get('/operator/workspaces', { headers: { origin } })).status).toBe(403)
      expect((await api.delete('/operator/session', { headers: { origin } })).status).toBe(403)
    }
    expect((await api.get('/operator/overview', { headers: { origin: address() } })).status).toBe(200)
  })

  test('opens no route of a workspace with its session', async () => {
    const { cookie } = await operator()
    const token = cookie.split('=')[1] ?? ''
    const opened: unknown[] = []
    for (const row of routes.filter((one) => authOf(one) === 'credential')) {
      for (const headers of [
        { cookie },
        { cookie: `kasir_session=${token}` },
        { authorization: `Bearer ${token}` },
      ]) {
        const answer = await as(null).raw(row.method, pathOf(row, {}), undefined, headers)
        if (answer.status !== 401) opened.push([nameOf(row), answer.status])
      }
    }
    expect(opened).toEqual([])
    expect((await carrying(as(null), { cookie }).get('/auth/me')).status).toBe(401)
  })

  test('ends with a sign-out, in every process', async () => {
    const { api, cookie } = await operator()
    const left = await api.delete('/operator/session')
    expect([left.status, left.data]).toEqual([200, { signedOut: true }])
    expect(left.headers.getSetCookie()[0]).toMatch(/^kasir_operator=; .*Path=\/api\/v1\/operator/)
    const other = await alongside()
    for (const client of [as(null), other.as('')])
      expect((await client.get('/operator/overview', { headers: { cookie } })).status).toBe(401)
    await other.stop()
    expect((await as(null).delete('/operator/session')).status).toBe(200)
  })
})

describe('the overview', () => {
  const backupFinding = async () => {
    const { data } = await (await operator()).api.get('/operator/overview')
    return data.findings.find((one: { check: string }) => one.check === 'backups')
  }
  test('has health, process, database, jobs, backups, queues and findings with what to do', async () => {
    await deps()
      .db.insertInto('backups')
      .values({
        takenAt: '2026-06-28T01:00:00.000Z',
        file: 'kasir-monday.tar.gz',
        bytes: 4_000_000,
        sound: true,
        verifiedAt: '2026-06-28T01:05:00.000Z',
      })
      .execute()
    const { api } = await operator()
    const { data } = await api.get('/operator/overview')
    expect(data.health).toMatchObject({ status: 'ok', checks: { database: 'ok' } })
    expect(data.process).toMatchObject({ pid: process.pid, nodeVersion: process.versions.node })
    expect(data.database.bytes).toBeGreaterThan(1_000_000)
    expect(data.database.tables).toHaveLength(10)
    expect(data.database.connections.used).toBeGreaterThan(0)
    expect(data.queues).toMatchObject({ webhooks: { count: 0, oldestAt: null } })
    expect(data.backups).toEqual([
      {
        file: 'kasir-monday.tar.gz',
        takenAt: '2026-06-28T01:00:00.000Z',
        bytes: 4_000_000,
        isSound: true,
        verifiedAt: '2026-06-28T01:05:00.000Z',
      },
    ])
    const found = Object.fromEntries(data.findings.map((one: { check: string }) => [one.check, one]))
    expect(found['schema']).toMatchObject({ state: 'ok', remedy: null })
    expect(found['backups']).toMatchObject({ state: 'warn', remedy: expect.stringContaining('kasir backup') })
    expect(
      data.findings.every(
        (one: { state: string; remedy: string | null }) =>
          (one.remedy === null) === ['ok', 'note'].includes(one.state),
      ),
    ).toBe(true)
  })

  test('warns of backups that are no longer verified, as long as the newest verified one is older than two days', async () => {
    const { db, clock } = deps()
    const record = (hours: number, isVerified: boolean) => {
      const takenAt = addMs(clock.now(), -hours * 3_600_000)
      const verifiedAt = isVerified ? takenAt : null
      return { takenAt, file: `kasir-${hours}.tar.gz`, bytes: 1, sound: true, verifiedAt }
    }
    await db.deleteFrom('backups').execute()
    await db
      .insertInto('backups')
      .values([record(1, false), record(25, false)])
      .execute()
    expect(await backupFinding()).toMatchObject({ state: 'ok' })
    await db.insertInto('backups').values(record(73, true)).execute()
    expect(await backupFinding()).toMatchObject({
      state: 'warn',
      found: 'the newest one, kasir-1.tar.gz, is 1 hour old, but none was verified for 3 days',
      remedy: expect.stringContaining('kasir backup --every --verify'),
    })
    await db.insertInto('backups').values(record(47, true)).execute()
    expect(await backupFinding()).toMatchObject({ state: 'ok' })
    await db.deleteFrom('backups').execute()
  })

  test('warns of backups that were to be verified, if none was for two days since the first', async () => {
    const { db, clock } = deps()
    const record = (hours: number) => {
      const takenAt = addMs(clock.now(), -hours * 3_600_000)
      return { takenAt, file: `${hours}.tar.gz`, bytes: 1, sound: true, toVerify: true, verifiedAt: null }
    }
    await db.deleteFrom('backups').execute()
    await db
      .insertInto('backups')
      .values([record(1), record(47)])
      .execute()
    expect(await backupFinding()).toMatchObject({ state: 'ok' })
    await db.insertInto('backups').values(record(48)).execute()
    expect(await backupFinding()).toMatchObject({
      state: 'warn',
      found: 'the newest one, 1.tar.gz, is 1 hour old, but none was verified for 2 days',
    })
    await db.deleteFrom('backups').execute()
  })

  test('lists jobs with last run, duration, failure and next run', async () => {
    const { db } = deps()
    const run = { dueAt: '2026-07-01T02:00:00.000Z', startedAt: '2026-07-01T00:00:00.000Z' }
    await db
      .insertInto('jobs')
      .values([
        { ...run, name: 'a good one', finishedAt: '2026-07-01T00:00:01.500Z' },
        { ...run, name: 'a bad one', failedAt: '2026-07-01T00:00:02.000Z', failure: 'no route to host' },
        { ...run, name: 'a running one', running: true, finishedAt: '2026-06-30T00:00:00.000Z' },
      ])
      .execute()
    const { data } = await (await operator()).api.get('/operator/overview')
    const of = (name: string) => data.jobs.find((one: { name: string }) => one.name === name)
    expect(of('a good one')).toMatchObject({ durationMs: 1_500, failure: null, dueAt: run.dueAt })
    expect(of('a bad one')).toMatchObject({ durationMs: 2_000, failure: 'no route to host' })
    expect(of('a running one')).toMatchObject({ isRunning: true, durationMs: null })
    expect(data.findings).toContainEqual({
      check: 'jobs',
      state: 'warn',
      found: 'a bad one failed at 2026-07-01T00:00:02.000Z: no route to host',
      remedy: expect.stringContaining('log'),
    })
    await db.deleteFrom('jobs').where('name', 'like', 'a %').execute()
  })

  test('shows no name, address or amount of any workspace', async () => {
    await openShop(acme())
    await memberOf(acme(), 'OWNER', 'Sari')
    const { text } = await (await operator()).api.get('/operator/overview')
    for (const secret of [acme().workspace.accountId, globex().workspace.accountId, 'Sari', '@example.com'])
      expect(text).not.toContain(secret)
  })
})

describe('the list of workspaces', () => {
  test('has name, members, sales of 30 days and last use, newest first, in pages', async () => {
    const { accountId } = acme().workspace
    const figures = { outletId: 'out_1', lens: 'DAY', key: '', ...zeros } as const
    await deps()
      .db.insertInto('reportFigures')
      .values([
        { ...figures, accountId, day: clock.now().slice(0, 10), salesCount: 7 },
        { ...figures, accountId, day: '2026-05-01', salesCount: 100 },
        { ...figures, accountId, day: clock.now().slice(0, 10), lens: 'HOUR', key: '08', salesCount: 7 },
      ])
      .execute()
    await acme().get('/outlets')
    const { api } = await operator()
    const seen: { id: string; salesLast30Days: number; members: number; lastActiveAt: string | null }[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const { data } = await api.get(`/operator/workspaces?limit=1${query}`)
      expect(data.workspaces).toHaveLength(1)
      expect(data.hasMore).toBe(data.cursor !== null)
      seen.push(...data.workspaces)
      cursor = data.cursor
    } while (cursor !== null)
    const ids = seen.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(ids).toContain(globex().workspace.accountId)
    const own = seen.find(({ id }) => id === accountId)
    expect(own).toMatchObject({ salesLast30Days: 7, members: 2 })
    expect(own?.lastActiveAt).not.toBeNull()
    expect(Object.keys(own ?? {}).sort()).toEqual([
      'createdAt',
      'id',
      'lastActiveAt',
      'members',
      'name',
      'salesLast30Days',
    ])
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'cursor=',
    'q=Acme',
    `cursor=${'a'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    const { api } = await operator()
    expect((await api.get(`/operator/workspaces?${query}`)).status).toBe(400)
  })
})

const zeros = {
  gross: 0,
  discounts: 0,
  tax: 0,
  includedTax: 0,
  deliveryFees: 0,
  total: 0,
  refundCount: 0,
  refundedGoods: 0,
  refundedTax: 0,
  refundedDeliveryFees: 0,
  voidCount: 0,
}
