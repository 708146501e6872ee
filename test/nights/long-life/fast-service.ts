import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findRunning } from '../../../src/platform/db/embedded.ts'
import { createInstallation, type Installation } from '../installation.ts'
import { INSPECTABLE, type Inspector, openInspector } from './inspector.ts'

const run = promisify(execFile)

/**
 * A wall clock that a process can be given: real until `run` is called, then faster. faketime reads its file again every
 * second. The monotonic clock stays real, and with it timers and time limits: 24 times as fast, a time limit of ten
 * seconds would end after 0.4, and a busy machine would refuse what no shop refuses.
 */
export type FastClock = {
  env: Record<string, string>
  run(speed: number): Promise<void>
  remove(): Promise<void>
}

/** Null without Debian's command faketime. */
export async function createFastClock(): Promise<FastClock | null> {
  const printed = await run('faketime', ['-f', '+0', 'env']).catch(() => null)
  const library = /^LD_PRELOAD=(.+)$/m.exec(printed?.stdout ?? '')?.[1]
  if (library === undefined) return null
  const folder = await mkdtemp(path.join(tmpdir(), 'kasir-clock-'))
  const file = path.join(folder, 'clock')
  await writeFile(file, '+0 x1\n')
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    run: (speed) => writeFile(file, `+0 x${speed}\n`),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The role that the cluster is created with: it may read what the service's own role may not. */
const adminUrlFrom = (url: string) => url.replace('//kasir_service', '//kasir')

/** Settings of PostgreSQL to compare, such as `LONG_LIFE_POSTGRES='autovacuum_naptime=1min'`, apart by semicolons. */
const settingsToTry = () =>
  (process.env['LONG_LIFE_POSTGRES'] ?? '').split(';').flatMap((line) => {
    const [name = '', value = ''] = line.split('=').map((word) => word.trim())
    return name === '' ? [] : [[name, value] as const]
  })

export type FastService = {
  house: Installation
  inspector: Inspector
  /** The superuser's connection, on the clock of PostgreSQL's machine. */
  admin: pg.Client
  /** Simulated milliseconds since the epoch, as the service's clock shows them. */
  nowMs(): number
  /** Until then the clock is real. */
  speedUp(): Promise<void>
  remove(): Promise<void>
}

/**
 * One installation whose service lives `speed` times as fast, by the wall clock. The service starts PostgreSQL with a bare
 * environment, so PostgreSQL's own clock stays real: only `now()`, as the service's statements call it, follows the
 * service's clock. Autovacuum and all time limits keep real time. Jobs run every so many real minutes, and each run finds
 * `speed` times as many expired rows: the sweep removes four hours of keys at once.
 */
export async function openFastService(clock: FastClock, speed: number): Promise<FastService> {
  const house = await createInstallation({
    NODE_ENV: 'development',
    WEBHOOK_ALLOW_PRIVATE_URLS: '1',
    LOG_LEVEL: 'warn',
  })
  await house.serve()
  const connect = async () => {
    const url = (await findRunning(house.dataDir)) ?? ''
    const client = new pg.Client({ connectionString: adminUrlFrom(url) })
    await client.connect()
    return client
  }
  const first = await connect()
  await first.query('create extension if not exists pgstattuple')
  await setDatabaseClock(first, { fromMs: Date.now(), toMs: Date.now(), speed: 1 })
  await first.query('alter database kasir set search_path = public, pg_catalog')
  for (const [name, value] of settingsToTry())
    await first.query(`alter system set ${first.escapeIdentifier(name)} = ${first.escapeLiteral(value)}`)
  await first.end()
  await house.stop()
  await house.serve({ ...clock.env, NODE_OPTIONS: INSPECTABLE })
  const inspector = await openInspector(house.service().output())
  const admin = await connect()
  let [fromMs, toMs] = [Date.now(), Date.now()]
  return {
    house,
    inspector,
    admin,
    nowMs: () => toMs + (Date.now() - fromMs) * speed,
    speedUp: async () => {
      await clock.run(speed)
      await untilFast(inspector, speed)
      const before = Date.now()
      toMs = await inspector.evaluate<number>('Date.now()')
      fromMs = (before + Date.now()) / 2
      await setDatabaseClock(admin, { fromMs, toMs, speed })
    },
    remove: async () => {
      inspector.close()
      await admin.end()
      await house.remove()
    },
  }
}

async function untilFast(inspector: Inspector, speed: number) {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const before = await inspector.evaluate<number>('Date.now()')
    await sleep(500)
    if ((await inspector.evaluate<number>('Date.now()')) - before > 400 * speed) return
  }
  throw new Error('faketime does not speed up the clock of the service')
}

/** The real instant `fromMs` is shown as `toMs`, and from there the clock runs `speed` times as fast. */
async function setDatabaseClock(
  admin: pg.Client,
  { fromMs, toMs, speed }: { fromMs: number; toMs: number; speed: number },
) {
  await admin.query(
    `create or replace function public.now() returns timestamptz stable language sql as
      $$ select pg_catalog.to_timestamp(${toMs / 1000}::float8)
        + (pg_catalog.now() - pg_catalog.to_timestamp(${fromMs / 1000}::float8)) * ${speed} $$`,
  )
}
