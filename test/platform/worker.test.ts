import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { examineDatabase } from '../../src/cli/doctor/database.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { Finding } from '../../src/platform/doctor/finding.ts'
import { jobs } from '../../src/platform/doctor/server.ts'
import { createJobBoard, LONG_RUN_MS } from '../../src/platform/jobs/board.ts'
import { type Job, startWorker, type WorkerTuning, waitOf } from '../../src/platform/jobs/worker.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { cloneDatabase } from '../support/db.ts'
import { type Harness, startHarness } from '../support/service.ts'

const FIXTURE = fileURLToPath(new URL('./fixtures/worker-service.ts', import.meta.url))
const LEASE_MS = 3_000

let harness: Harness
let url: string
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const database = await cloneDatabase()
  url = database.url
  const started = await startHarness({ database })
  harness = started.harness
  return started.stop
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

let count = 0
const fresh = () => `probe ${(count += 1)}`

/** A worker of this process; of another one where it is given the tools of a neighbour. */
function start(jobs: readonly Job[], tuning: Partial<WorkerTuning> = {}, tools: Deps = harness.deps) {
  const worker = startWorker(tools, jobs, { leaseMs: LEASE_MS, stopMs: 500, ...tuning })
  ends.push(worker.stop)
  return worker
}
async function neighbour(): Promise<Deps> {
  const { deps, stop } = await harness.alongside()
  ends.push(stop)
  return deps
}
/** A job that counts its runs. */
function counting(more: Partial<Job> = {}) {
  const runs = { done: 0 }
  const one: Job = {
    name: fresh(),
    everyMs: 20,
    run: async () => {
      runs.done += 1
    },
    ...more,
  }
  return { one, runs }
}
const rowOf = (name: string) =>
  harness.deps.db.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirst()
const health = async () => (await harness.as(null).get('/health')).data
const jobOf = async (name: string) => (await health()).jobs.find((job: { name: string }) => job.name === name)

/** What doctor says of this database. */
async function doctored(): Promise<Finding[]> {
  const findings: Finding[] = []
  await examineDatabase({ ...harness.deps.config, databaseUrl: url }, (finding) => findings.push(finding))
  return findings
}

describe('of several processes one runs a job at a time', () => {
  test('however many there are and however often it is due', async () => {
    const name = fresh()
    const seen = { running: 0, most: 0, by: new Set<string>(), runs: 0 }
    const by = (who: string): Job => ({
      name,
      everyMs: 10,
      run: async () => {
        seen.running += 1
        seen.most = Math.max(seen.most, seen.running)
        seen.by.add(who)
        seen.runs += 1
        await sleep(5)
        seen.running -= 1
      },
    })
    start([by('a')])
    start([by('b')], {}, await neighbour())
    start([by('c')], {}, await neighbour())
    await expect.poll(() => [seen.runs > 40, seen.by.size], { timeout: 30_000 }).toEqual([true, 3])
    expect(seen.most).toBe(1)
  })

  test('a job that takes longer than the lease stays with the process that runs it', async () => {
    const name = fresh()
    let letGo = () => {}
    const gone = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const mine = { runs: 0, wasStopped: false }
    start([
      {
        name,
        everyMs: 20,
        run: async (_, stop) => {
          mine.runs += 1
          await gone
          mine.wasStopped = stop.aborted
        },
      },
    ])
    await expect.poll(() => mine.runs, { timeout: 10_000 }).toBe(1)
    const { one, runs } = counting({ name })
    start([one], {}, await neighbour())
    const beat = (await rowOf(name))?.beat ?? 0
    await expect.poll(async () => (await rowOf(name))?.beat, { timeout: 20_000 }).toBeGreaterThan(beat + 6)
    expect(runs.done).toBe(0)
    letGo()
    await expect.poll(() => runs.done, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(mine.wasStopped).toBe(false)
  })
})

describe('a process that is gone', () => {
  const lines: string[] = []
  async function startProcess(name: string): Promise<ChildProcess> {
    lines.length = 0
    const { dataDir } = harness.deps.config
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', FIXTURE, url, name, String(LEASE_MS), dataDir],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    const ended = once(child, 'exit')
    ends.push(async () => {
      child.kill('SIGKILL')
      await ended
    })
    await expect.poll(() => lines, { timeout: 30_000 }).toEqual(['running'])
    return child
  }

  test('because it was killed in the middle of a job leaves it to another, once its lease has run out', async () => {
    const { one, runs } = counting()
    const child = await startProcess(one.name)
    start([one])
    // It gives signs of life while this process looks.
    await expect.poll(async () => (await rowOf(one.name))?.beat, { timeout: 20_000 }).toBeGreaterThan(2)
    expect(runs.done).toBe(0)
    child.kill('SIGKILL')
    const killed = performance.now()
    await expect.poll(() => runs.done, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0)
    // Its last sign of life was up to a third of the lease before.
    expect(performance.now() - killed).toBeGreaterThan(LEASE_MS / 3)
  })

  test('in the middle of the same job again and again makes the job fail in health and doctor until a run ends', async () => {
    const name = fresh()
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const dead = { name, running: true, beat: 1, dueAt: harness.deps.clock.now(), unfinishedRuns: 1 }
    await harness.deps.db.insertInto('jobs').values(dead).execute()
    start([{ name, everyMs: 20, run: () => finished }])
    await expect
      .poll(() => jobOf(name), { timeout: 20_000 })
      .toMatchObject({ status: 'failing', unfinishedRuns: 2, runningSince: expect.any(String) })
    expect(await doctored()).toContainEqual(
      expect.objectContaining({
        state: 'warn',
        found: expect.stringMatching(`^${name} began 2 times in a row`),
      }),
    )
    finish()
    await expect
      .poll(() => jobOf(name), { timeout: 20_000 })
      .toMatchObject({ status: 'ok', unfinishedRuns: 0 })
  })

  test('because it was frozen gives up its run when it wakes and somebody else has the job', async () => {
    const { one, runs } = counting()
    const child = await startProcess(one.name)
    child.kill('SIGSTOP')
    start([one])
    await expect.poll(() => runs.done, { timeout: 20_000 }).toBeGreaterThan(0)
    child.kill('SIGCONT')
    await expect.poll(() => lines.slice(0, 2), { timeout: 20_000 }).toEqual(['running', 'stopped'])
  })

  test('because it was stopped hands the job over at once', async () => {
    const { one, runs } = counting()
    const child = await startProcess(one.name)
    child.kill('SIGTERM')
    await expect.poll(() => lines, { timeout: 20_000 }).toEqual(['running', 'stopped', 'gone'])
    expect(await rowOf(one.name)).toMatchObject({ running: false, failure: null })
    start([one], { leaseMs: 600_000 })
    await expect.poll(() => runs.done, { timeout: 10_000 }).toBeGreaterThan(0)
  })
})

describe('a stop', () => {
  test('waits for the run in hand, which is told of it, and starts no other', async () => {
    const steps: string[] = []
    const worker = start(
      [
        {
          name: fresh(),
          everyMs: 10,
          run: async (_, stop) => {
            steps.push('begins')
            await once(stop, 'abort')
            await sleep(100)
            steps.push('ends')
          },
        },
      ],
      { stopMs: 10_000 },
    )
    await expect.poll(() => steps, { timeout: 10_000 }).toEqual(['begins'])
    await worker.stop()
    expect(steps).toEqual(['begins', 'ends'])
  })

  test('gives up a run that hangs, within its bound, so that the next process goes on at once', async () => {
    const name = fresh()
    let begun = false
    const worker = start([
      {
        name,
        everyMs: 10,
        run: () => {
          begun = true
          return new Promise(() => {})
        },
      },
    ])
    await expect.poll(() => begun, { timeout: 10_000 }).toBe(true)
    const began = performance.now()
    await worker.stop()
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(await rowOf(name)).toMatchObject({ running: false })
  })
})

describe('a job that fails', () => {
  test('stops none of the others, is shown by health and doctor, and is well again after a good run', async () => {
    let isBroken = true
    const broken = counting({
      run: async () => {
        if (isBroken) throw new Error('no paper')
      },
    })
    const { one, runs } = counting()
    start([broken.one, one])
    await expect.poll(async () => (await jobOf(broken.one.name))?.status, { timeout: 10_000 }).toBe('failing')
    const before = runs.done
    await expect.poll(() => runs.done, { timeout: 10_000 }).toBeGreaterThan(before + 3)
    expect(await health()).toMatchObject({ status: 'degraded' })
    expect(await jobOf(one.name)).toMatchObject({ status: 'ok', lastFailureAt: null })
    expect((await rowOf(broken.one.name))?.failure).toBe('no paper')
    expect(JSON.stringify(await health())).not.toContain('no paper')
    expect(await told()).toMatchObject([
      { state: 'warn', found: expect.stringMatching(`^${broken.one.name} failed at 20.*Z: no paper$`) },
    ])
    isBroken = false
    await expect.poll(async () => (await jobOf(broken.one.name))?.status, { timeout: 10_000 }).toBe('ok')
    expect(await health()).toMatchObject({ status: 'ok' })
    expect((await jobOf(broken.one.name)).lastFailureAt).toMatch(/^\d{4}-.*Z$/)
    expect(await told()).toMatchObject([{ state: 'ok' }])
  })

  const told = async () => (await doctored()).filter(({ name }) => name === 'jobs')

  test('runs again although it sees nothing to do, so that it does not read as failing for good', async () => {
    let fails = true
    const { one } = counting({
      hasWork: async () => fails,
      run: async () => {
        if (!fails) return
        fails = false
        throw new Error('once')
      },
    })
    start([one])
    await expect
      .poll(async () => (await rowOf(one.name))?.finishedAt ?? null, { timeout: 10_000 })
      .not.toBeNull()
    expect(await rowOf(one.name)).toMatchObject({ failure: null })
  })
})

test('a job that hangs holds up none of the others', async () => {
  const { one, runs } = counting()
  start([{ name: fresh(), everyMs: 10, run: () => new Promise(() => {}) }, one])
  await expect.poll(() => runs.done, { timeout: 10_000 }).toBeGreaterThan(3)
})

test('a job is failing once a run has not ended for ten minutes, in the process that runs it and in others', async () => {
  const hangs: Job = { name: fresh(), everyMs: 10, run: () => new Promise(() => {}) }
  let nowMs = 0
  const boards = [createJobBoard(() => nowMs), createJobBoard(() => nowMs)] as const
  start([hangs], {}, { ...harness.deps, jobs: boards[0] })
  await expect.poll(async () => (await rowOf(hangs.name))?.running, { timeout: 10_000 }).toBe(true)
  start([hangs], {}, { ...(await neighbour()), jobs: boards[1] })
  for (const board of boards) {
    await expect.poll(() => board.list()[0]?.runningSince, { timeout: 10_000 }).toEqual(expect.any(String))
    expect(board.list()[0]?.status).toBe('ok')
  }
  nowMs = LONG_RUN_MS + 1
  for (const board of boards) expect(board.list()[0]?.status).toBe('failing')
})

test('doctor names a run that has lasted for more than ten minutes, and says to restart the services', async () => {
  const name = fresh()
  start([{ name, everyMs: 10, run: () => new Promise(() => {}) }])
  await expect.poll(async () => (await rowOf(name))?.running, { timeout: 10_000 }).toBe(true)
  await harness.deps.pool.query(
    `update jobs set started_at = now() - interval '11 minutes' where name = $1`,
    [name],
  )
  expect(await doctored()).toContainEqual({
    name: 'jobs',
    state: 'warn',
    found: `${name} has been running for 11 minutes`,
    remedy: expect.stringContaining('restart the services'),
  })
})

test('doctor tells a run whose process died from one that still runs', async () => {
  const [dead, hanging] = [fresh(), fresh()]
  start([{ name: hanging, everyMs: 10, run: () => new Promise(() => {}) }])
  await expect.poll(async () => (await rowOf(hanging))?.running, { timeout: 10_000 }).toBe(true)
  const { pool } = harness.deps
  await pool.query(`insert into jobs (name, due_at, running) values ($1, now(), true)`, [dead])
  await pool.query(`update jobs set started_at = now() - interval '11 minutes' where name = any($1)`, [
    [dead, hanging],
  ])
  const client = await pool.connect()
  const findings = await jobs(client, 2 * LEASE_MS).finally(() => client.release())
  await pool.query('delete from jobs where name = $1', [dead])
  expect(findings).toContainEqual({
    name: 'jobs',
    state: 'warn',
    found: `${dead} began 11 minutes ago, but its process no longer runs`,
    remedy: 'The service runs it again within a minute of its next start.',
  })
  expect(findings).toContainEqual(
    expect.objectContaining({ found: `${hanging} has been running for 11 minutes` }),
  )
})

test('a job without work is not run and writes nothing', async () => {
  let looks = 0
  const { one, runs } = counting({
    hasWork: async () => {
      looks += 1
      return false
    },
  })
  start([one])
  await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(5)
  expect([runs.done, (await rowOf(one.name))?.beat]).toEqual([0, 0])
})

test('a job runs again once its table can be read again', async () => {
  const { one, runs } = counting()
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  await harness.deps.pool.query('alter table jobs rename to jobs_gone')
  try {
    start([one], {}, { ...harness.deps, log: makeLog('trace', sink) })
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(1)
    expect(lines[0]).toContain('could not look at a job; trying again later')
    expect(runs.done).toBe(0)
  } finally {
    await harness.deps.pool.query('alter table jobs_gone rename to jobs')
  }
  await expect.poll(() => runs.done, { timeout: 10_000 }).toBeGreaterThan(0)
})

describe('a clock that jumps', () => {
  test('back by a day delays no job by a day', async () => {
    const { one, runs } = counting()
    start([one])
    await expect.poll(() => runs.done, { timeout: 10_000 }).toBeGreaterThan(0)
    await harness.deps.pool.query(
      `update jobs set due_at = now() + interval '1 day', beat = beat + 1 where name = $1`,
      [one.name],
    )
    const before = runs.done
    await expect.poll(() => runs.done, { timeout: 10_000 }).toBeGreaterThan(before + 1)
  })

  const at = { nowMs: 100_000, everyMs: 5_000, leaseMs: 30_000 }
  const running = { beat: 7, running: true, waitMs: 0 }
  test.each([
    ['a job that is due is taken', { ...running, running: false, waitMs: -1 }, undefined, 0],
    ['one that is not waits', { ...running, running: false, waitMs: 4_000 }, undefined, 4_000],
    ['one due later than can be is taken', { ...running, running: false, waitMs: 10_001 }, undefined, 0],
    [
      'a run seen for the first time is left alone, however old',
      { ...running, waitMs: -9e9 },
      undefined,
      5_000,
    ],
    ['a run whose beat moves is left alone', running, { beat: 6, sinceMs: 0 }, 5_000],
    ['a run whose beat stands still is waited for', running, { beat: 7, sinceMs: 72_000 }, 2_000],
    ['and has died when it has for a lease', running, { beat: 7, sinceMs: 70_000 }, 0],
  ])('%s', (_, row, seen, wait) => expect(waitOf(row, seen, at)).toBe(wait))
})
