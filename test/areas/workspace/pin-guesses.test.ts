import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/core/errors.ts'
import { addMs } from '../../../src/core/time.ts'
import { expires } from '../../../src/jobs.ts'
import { checkPin } from '../../../src/platform/auth/pins.ts'
import { sweep } from '../../../src/platform/jobs/sweep.ts'
import type { TillRef } from '../../../src/platform/scope.ts'
import { fresh } from '../../support/build.ts'
import { browser } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import {
  cookieNamed,
  enrolAgain,
  enrolTill,
  lockedTill,
  memberWithPin,
  refOfTill,
  signedInAt,
} from '../../support/pins.ts'
import { as, deps, useService, workspace } from '../../support/service.ts'

useService()

const SLOW = 240_000
/** Guesses that are on their way at the same moment. */
const AT_A_TIME = 20
/** Wrong PINs of one member at one till until it closes (B-pin-3). */
const MOST = 5
const PASSWORD = 'nasi goreng pedas'

/** A workspace of each test: what it may hash at once is not used up by the tests before. */
let api: Awaited<ReturnType<typeof workspace>>
/** A manager with a password and the last PIN of four digits. */
const manager = { id: '', pin: '9999', email: '' }
beforeEach(async () => {
  api = await workspace()
  manager.email = `${fresh('manajer').replaceAll(' ', '.')}@example.com`
  const { email, pin } = manager
  const body = { email, name: 'Manajer', role: 'MANAGER', password: PASSWORD }
  const { member } = done(await api.post('/members', body))
  done(await api.patch(`/members/${member.id}`, { pin }))
  manager.id = member.id
})

type Guess = { till: TillRef; memberId: string; pin: string }
const pinOf = (n: number) => String(n).padStart(4, '0')

/** Checks the guesses in order as a sign-in and an approval do, and counts the answers by status; 200 is a right PIN. */
async function guess(guesses: Iterable<Guess>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  // Shared on purpose: each worker takes the next guess from the same iterator.
  const left = guesses[Symbol.iterator]()
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      const { till, memberId, pin } = next.value
      const status = await checkPin(deps(), till, { memberId, pin, now: deps().clock.now() }).then(
        () => 200,
        (error: unknown) => (error instanceof ApiError ? error.status : 500),
      )
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return statuses
}

/** The password opens a session, and so does the PIN at a till where no PIN was guessed. */
async function expectManagerGetsIn() {
  const entered = await as(null).post('/auth/login', { email: manager.email, password: PASSWORD })
  done(entered)
  done(await browser(cookieNamed(entered, 'kasir_session')).get('/products'))
  done(await (await signedInAt(await enrolTill(api), manager)).get('/products'))
}

describe('guesses of PINs', () => {
  test(
    'at one till: all 10,000 PINs of four digits in turn open no session, and the manager is not locked out',
    async () => {
      const enrolled = await enrolTill(api)
      const till = refOfTill(enrolled)
      const all = Array.from({ length: 10_000 }, (_, n) => ({ till, memberId: manager.id, pin: pinOf(n) }))
      expect(await guess(all)).toEqual({ 401: MOST, 429: 10_000 - MOST })
      const right = { memberId: manager.id, pin: manager.pin }
      expect(refusalOf(await lockedTill(enrolled).post('/auth/pin', right))).toMatchObject({ status: 429 })
      await expectManagerGetsIn()
    },
    SLOW,
  )

  test(
    'at ten tills: 1,000 wrong PINs at each open no session, and the manager is not locked out',
    async () => {
      const tills: TillRef[] = []
      for (let n = 0; n < 10; n += 1) tills.push(refOfTill(await enrolTill(api)))
      const all = Array.from({ length: 10_000 }, (_, n) => ({
        till: tills[n % tills.length] as TillRef,
        memberId: manager.id,
        pin: pinOf(Math.floor(n / tills.length)),
      }))
      const statuses = await guess(all)
      expect(statuses).toEqual({ 401: MOST * 10, 429: 10_000 - MOST * 10 })
      await expectManagerGetsIn()
    },
    SLOW,
  )

  test(
    'against ten members: 1,000 wrong PINs of each open no session, and no member is locked out elsewhere',
    async () => {
      const enrolled = await enrolTill(api)
      const till = refOfTill(enrolled)
      const members: { id: string; pin: string }[] = [manager]
      for (let n = 1; n < 10; n += 1) members.push(await memberWithPin(api, 'CASHIER', pinOf(9_000 + n)))
      const all = Array.from({ length: 10_000 }, (_, n) => ({
        till,
        memberId: members[n % members.length]?.id ?? '',
        pin: pinOf(Math.floor(n / members.length)),
      }))
      // A workspace checks 60 PINs in a burst; what is refused for that counts as no guess.
      const { 401: wrong = 0, ...others } = await guess(all)
      expect(wrong).toBe(MOST * 10)
      expect(others).toEqual({ 429: 10_000 - MOST * 10 })
      await expectManagerGetsIn()
      const elsewhere = await enrolTill(api)
      for (const member of members.slice(1, 4)) await signedInAt(elsewhere, member)
    },
    SLOW,
  )

  test('a till enrolled again and again tries at most 500 PINs of a member in a day, until the member has a new PIN', async () => {
    const { id } = await memberWithPin(api, 'MANAGER', '7001')
    const { accountId } = api.workspace
    const now = deps().clock.now()
    // What 97 tills guessed within the day and before it, and what was swept since.
    const before = (count: number, hours: number) =>
      deps().pool.query(
        `insert into login_failures (subject, id, failed_at) select $1, i::text || $2::text, $2::text::timestamptz from generate_series(1, $3::int) i`,
        [`pins of ${accountId} ${id}`, addMs(now, -hours * 3_600_000), count],
      )
    await before(485, 23)
    await before(100, 26)
    await sweep(deps(), expires)
    let till = await enrolTill(api)
    const statuses: number[] = []
    for (let round = 0; round < 4; round += 1) {
      for (let n = 0; n < MOST; n += 1)
        statuses.push((await lockedTill(till).post('/auth/pin', { memberId: id, pin: '0000' })).status)
      till = await enrolAgain(api, till)
    }
    expect(statuses).toEqual([...Array(15).fill(401), ...Array(5).fill(429)])
    const closed = await lockedTill(till).post('/auth/pin', { memberId: id, pin: '7001' })
    expect(refusalOf(closed)).toEqual({ status: 429, code: 'RATE_LIMITED' })
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(1_800)
    await signedInAt(till, await memberWithPin(api, 'CASHIER', '7002'))
    done(await api.patch(`/members/${id}`, { pin: '7003' }))
    await signedInAt(till, { id, pin: '7003' })
  })

  test('a new PIN opens the till again where the one before was guessed wrong too often, and no till to another member', async () => {
    const till = await enrolTill(api)
    const { id } = await memberWithPin(api, 'CASHIER', '6001')
    const other = await memberWithPin(api, 'CASHIER', '6002')
    const enter = (memberId: string, pin: string) => lockedTill(till).post('/auth/pin', { memberId, pin })
    for (let n = 0; n < MOST; n += 1) for (const each of [id, other.id]) await enter(each, '0000')
    expect(refusalOf(await enter(id, '6001'))).toEqual({ status: 429, code: 'RATE_LIMITED' })
    done(await api.patch(`/members/${id}`, { pin: '6003' }))
    await signedInAt(till, { id, pin: '6003' })
    expect(refusalOf(await enter(other.id, other.pin))).toEqual({ status: 429, code: 'RATE_LIMITED' })
  })

  test('the limit is the same for a sign-in and an approval, in whichever order they come', async () => {
    const till = await enrolTill(api)
    const cashier = await signedInAt(till, await memberWithPin(api, 'CASHIER', '8001'))
    const approve = (pin: string) => cashier.post('/approvals', { memberId: manager.id, pin, action: 'void' })
    const enter = (pin: string) => lockedTill(till).post('/auth/pin', { memberId: manager.id, pin })
    for (const send of [approve, enter, approve, enter, approve])
      expect(refusalOf(await send('0000'))).toEqual({ status: 401, code: 'INVALID_CREDENTIALS' })
    for (const send of [approve, enter]) {
      const closed = await send(manager.pin)
      expect(refusalOf(closed)).toEqual({ status: 429, code: 'RATE_LIMITED' })
      expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})
