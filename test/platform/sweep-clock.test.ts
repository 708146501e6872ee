import { Writable } from 'node:stream'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uploadJobs } from '../../src/areas/workspace/uploads/index.ts'
import { examineDatabase } from '../../src/cli/doctor/database.ts'
import { expires } from '../../src/jobs.ts'
import { manualClock, systemClock } from '../../src/platform/clock.ts'
import { sweepJob } from '../../src/platform/jobs/sweep.ts'
import { type ClockReading, judgeClock, type SweepClock } from '../../src/platform/jobs/sweep-clock.ts'
import { startWorker } from '../../src/platform/jobs/worker.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { movableDatabaseClock } from '../support/database-clock.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { done } from '../support/expect.ts'
import { type Harness, startHarness } from '../support/service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The clock of the host. The database runs on the same one, but for `setAlone`. */
const clock = manualClock(systemClock.now())
let database: TestDatabase
let harness: Harness
let databaseClock: Awaited<ReturnType<typeof movableDatabaseClock>>
const lines: string[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  databaseClock = await movableDatabaseClock(database)
  const sink = new Writable({
    write(chunk, _encoding, written) {
      lines.push(String(chunk))
      written()
    },
  })
  const started = await startHarness({ clock, database, log: makeLog('warn', sink) })
  harness = started.harness
  return started.stop
})

const follow = () => databaseClock.moveBy(clock.ms() - systemClock.ms())
async function pass(ms: number) {
  clock.advance(ms)
  await follow()
}
const setAlone = (aheadMs: number) => clock.set(new Date(clock.ms() + aheadMs).toISOString())
async function setClocks(aheadMs: number) {
  setAlone(aheadMs)
  await follow()
}

let worker: ReturnType<typeof startWorker> | undefined
/** A process of the service that has just started, as far as jobs go; it looks every few milliseconds. */
function startProcess() {
  const jobs = [sweepJob(expires), ...uploadJobs.filter(({ name }) => name === 'uploads.unused')]
  worker = startWorker(
    harness.deps,
    jobs.map((job) => ({ ...job, everyMs: 20 })),
  )
}
async function stopProcess() {
  await worker?.stop()
  worker = undefined
}
async function restart() {
  await stopProcess()
  startProcess()
}

const rowOf = async (name: string) =>
  harness.deps.db.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirst()
/** How the next run of a job ends that begins after this call: null, or why it failed. */
async function nextEnd(name = 'sweep'): Promise<string | null> {
  const beat = (await rowOf(name))?.beat ?? 0
  // The run in hand may have looked before; the end of the one after it has not.
  await expect.poll(async () => (await rowOf(name))?.beat ?? 0, { timeout: 10_000 }).toBeGreaterThan(beat + 3)
  return (await rowOf(name))?.failure ?? null
}

const TABLES = ['events', 'webhook_deliveries', 'sessions', 'idempotency_keys', 'uploads'] as const
const counts = async () => {
  const found: Record<string, number> = {}
  for (const table of TABLES) {
    const { rows } = await harness.deps.pool.query(`select count(*)::int as count from ${table}`)
    found[table] = rows[0].count
  }
  return found
}

/** Something in each table whose rows are removed by age. */
async function fill() {
  const api = harness.acme
  done(await api.post('/webhook-subscriptions', { url: 'https://hooks.example/kasir', events: [] }))
  done(await api.post('/customers', { name: 'Ani' }, { idempotencyKey: `key-${Math.random()}` }))
  const email = `shop${Math.random()}@example.com`
  expect((await harness.as(null).post('/auth/signup', { email, password: 'sate ayam madura' })).status).toBe(
    201,
  )
  await harness.deps.pool.query(
    `insert into uploads (account_id, id, key, content_type, created_by, created_at)
      values ($1, $2, $2, 'image/png', 'key', $3)`,
    [api.workspace.accountId, `upl_${Math.random()}`, clock.now()],
  )
}
const SUBJECT = 'sweep-clock'
/** A failed sign-in that a sweep at `now` removes. */
const insertExpired = (nowMs = clock.ms()) =>
  harness.deps.db
    .insertInto('loginFailures')
    .values({
      subject: SUBJECT,
      id: String(Math.random()),
      failedAt: new Date(nowMs - 2 * HOUR).toISOString(),
    })
    .execute()
const expiredLeft = async () =>
  (await harness.deps.db.selectFrom('loginFailures').select('id').where('subject', '=', SUBJECT).execute())
    .length

beforeEach(async () => {
  await follow()
  await harness.deps.pool.query('delete from login_failures')
  await harness.deps.pool.query(
    `update sweep_clock set trusted_at = $1, candidate_at = null, confirmed_ms = 0`,
    [clock.now()],
  )
})
afterEach(stopProcess)

const doctored = async () => {
  const found: string[] = []
  await examineDatabase({ ...harness.deps.config, databaseUrl: database.url }, (finding) => {
    if (finding.name === 'jobs') found.push(`${finding.state} ${finding.found}`)
  })
  return found.join('\n')
}

test('a clock that jumps 400 days ahead removes nothing and warns; once it is set back, rows are swept again', async () => {
  await fill()
  startProcess()
  expect(await nextEnd()).toBeNull()
  const before = await counts()
  expect(Object.values(before).every((count) => count > 0)).toBe(true)
  await setClocks(400 * DAY)
  expect(await nextEnd()).toMatch(
    /^nothing was removed by age: the clock \(.*\) is 400 days ahead of the last sweep/,
  )
  expect(await nextEnd('uploads.unused')).toContain('400 days ahead')
  await insertExpired(clock.ms() - 400 * DAY)
  expect(await nextEnd()).not.toBeNull()
  expect([await counts(), await expiredLeft()]).toEqual([before, 1])
  expect(lines.join('')).toContain('400 days ahead of the last sweep')
  const { status, jobs } = (await harness.as(null).get('/health')).data
  expect(status).toBe('degraded')
  expect(jobs).toContainEqual(expect.objectContaining({ name: 'sweep', status: 'failing' }))
  expect(await doctored()).toMatch(/warn sweep failed at .*: nothing was removed by age/)
  await setClocks(-400 * DAY)
  expect([await nextEnd(), await nextEnd('uploads.unused')]).toEqual([null, null])
  expect([await counts(), await expiredLeft()]).toEqual([before, 0])
})

test('a process that starts with a clock 400 days ahead removes nothing', async () => {
  await fill()
  startProcess()
  expect(await nextEnd()).toBeNull()
  await stopProcess()
  const before = await counts()
  await setClocks(400 * DAY)
  startProcess()
  expect([await nextEnd(), await nextEnd('uploads.unused')]).toEqual(
    Array(2).fill(expect.stringContaining('400 days ahead of the last sweep')),
  )
  expect(await counts()).toEqual(before)
  await setClocks(-400 * DAY)
})

test('a host whose clock is ahead of the database server removes nothing, however long it runs', async () => {
  await fill()
  const before = await counts()
  setAlone(400 * DAY)
  startProcess()
  for (let n = 0; n < 3; n += 1) {
    expect(await nextEnd()).toContain("400 days ahead of the database server's; set both by NTP")
    clock.advance(7 * HOUR)
    await databaseClock.moveBy(clock.ms() - 400 * DAY - systemClock.ms())
  }
  expect(await counts()).toEqual(before)
  // The other host, whose clock is right, sweeps on.
  setAlone(-400 * DAY)
  await restart()
  expect(await nextEnd()).toBeNull()
})

test('a host whose clock is seven hours ahead removes no key that a till may still repeat', async () => {
  const send = () => harness.acme.post('/outlets', { name: 'Senen' }, { idempotencyKey: 'of-last-evening' })
  const first = (await send()).data.outlet.id
  await pass(18 * HOUR)
  startProcess()
  expect(await nextEnd()).toBeNull()
  setAlone(7 * HOUR)
  await insertExpired(clock.ms() - 7 * HOUR)
  expect([await nextEnd(), await expiredLeft()]).toEqual([null, 0])
  await stopProcess()
  setAlone(-7 * HOUR)
  expect((await send()).data.outlet.id).toBe(first)
})

test('a shop that was closed for three weeks sweeps again after a day of operation, nights off not counted', async () => {
  startProcess()
  expect(await nextEnd()).toBeNull()
  await stopProcess()
  await pass(21 * DAY)
  await insertExpired()
  startProcess()
  expect(await nextEnd()).toMatch(
    /21 days ahead of the last sweep .* resumes after 21 more hours of operation/,
  )
  await pass(10 * HOUR)
  expect(await nextEnd()).toContain('after 12 more hours')
  await stopProcess()
  await pass(14 * HOUR)
  startProcess()
  expect(await nextEnd()).toContain('after 12 more hours')
  await pass(11 * HOUR)
  expect(await nextEnd()).toContain('after 2 more hours')
  expect(await expiredLeft()).toBe(1)
  await pass(2 * HOUR)
  expect([await nextEnd(), await nextEnd('uploads.unused')]).toEqual([null, null])
  expect(await expiredLeft()).toBe(0)
})

test('a process that has run for three days without a sweep sweeps with the next one', async () => {
  startProcess()
  expect(await nextEnd()).toBeNull()
  await insertExpired()
  await pass(3 * DAY)
  expect([await nextEnd(), await expiredLeft()]).toEqual([null, 0])
})

test('a request that is repeated a month later runs anew, whether or not its stored reply was swept', async () => {
  const send = () => harness.acme.post('/outlets', { name: 'Pasar' }, { idempotencyKey: 'of-a-month-ago' })
  const first = (await send()).data.outlet.id
  await stopProcess()
  await pass(30 * DAY)
  startProcess()
  expect(await nextEnd()).toContain('30 days ahead of the last sweep')
  const later = (await send()).data.outlet.id
  expect(later).not.toBe(first)
  expect((await send()).data.outlet.id).toBe(later)
})

describe('the verdict about a clock', () => {
  const at = Date.parse('2026-05-04T02:00:00Z')
  const known = (more: Partial<SweepClock> = {}): SweepClock => ({
    trustedMs: at,
    candidateMs: null,
    confirmedMs: 0,
    ...more,
  })
  const reading = (wallMs: number, more: Partial<ClockReading> = {}): ClockReading => ({
    wallMs,
    databaseMs: wallMs,
    uptimeMs: 0,
    expectedMs: null,
    ...more,
  })

  test('a clock within a day of the last sweep is trusted, in both directions', () => {
    for (const wallMs of [at - DAY, at, at + DAY])
      expect(judgeClock(known(), reading(wallMs))).toEqual({
        next: known({ trustedMs: wallMs }),
        isTrusted: true,
        refusal: null,
      })
    expect(judgeClock(known(), reading(at + DAY + 1)).refusal).toContain('1 day ahead')
  })

  test('a clock that is behind may sweep, and does not lower what is known before it is confirmed', () => {
    const behind = judgeClock(known(), reading(at - 10 * DAY))
    expect(behind).toEqual({
      next: known({ candidateMs: at - 10 * DAY }),
      isTrusted: false,
      refusal: null,
    })
    const later = at - 10 * DAY + 11 * HOUR
    expect(judgeClock(behind.next, reading(later, { uptimeMs: 11 * HOUR })).next).toEqual(
      known({ trustedMs: later }),
    )
  })

  test('a host that is behind the database server never lowers what is known', () => {
    const wallMs = at - 10 * DAY
    const judged = judgeClock(
      known({ candidateMs: wallMs, confirmedMs: 99 * HOUR }),
      reading(wallMs, { databaseMs: at }),
    )
    expect(judged).toMatchObject({ next: { trustedMs: at }, refusal: null })
  })

  test('a database server that is far ahead confirms nothing, and stops no sweep of a clock that runs on', () => {
    expect(judgeClock(known(), reading(at + HOUR, { databaseMs: at + 400 * DAY })).refusal).toBeNull()
    const jumped = reading(at + 30 * DAY, { databaseMs: at + 400 * DAY, uptimeMs: 99 * HOUR })
    const judged = judgeClock(known({ candidateMs: at + 30 * DAY, confirmedMs: 99 * HOUR }), jumped)
    expect(judged).toMatchObject({ next: { trustedMs: at }, refusal: expect.stringContaining('by NTP') })
  })

  test('another jump begins to be confirmed anew, and two processes count an hour once', () => {
    const candidate = known({ candidateMs: at + 30 * DAY, confirmedMs: 5 * HOUR })
    expect(judgeClock(candidate, reading(at + 60 * DAY, { uptimeMs: HOUR })).next.confirmedMs).toBe(0)
    const half = reading(at + 30 * DAY + HOUR / 2, { uptimeMs: HOUR })
    expect(judgeClock(candidate, half).next.confirmedMs).toBe(5.5 * HOUR)
  })

  test('a jump of two days is confirmed within two hours, one of ten years within a day', () => {
    const after = (days: number, hours: number) =>
      judgeClock(
        known({ candidateMs: at + days * DAY - HOUR, confirmedMs: (hours - 1) * HOUR }),
        reading(at + days * DAY, { uptimeMs: HOUR }),
      ).isTrusted
    expect([after(2, 1), after(2, 2)]).toEqual([false, true])
    expect([after(3650, 23), after(3650, 24)]).toEqual([false, true])
  })
})
