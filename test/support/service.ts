import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { createApp, type RouteTable } from '../../src/app.ts'
import { newId } from '../../src/core/ids.ts'
import { makeDeps } from '../../src/main.ts'
import { newKey } from '../../src/platform/auth/tokens.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { LiveTuning } from '../../src/platform/live/live.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import type { PartnerTuning } from '../../src/platform/partners/client.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import { sha256 } from '../../src/platform/secrets/secrets.ts'
import { type Api, clientOf, type Workspace } from './api.ts'
import { startBalancer } from './balancer.ts'
import { cloneDatabase, type TestDatabase } from './db.ts'
import { assertEvents, assertInvariants } from './expect.ts'
import { settingsOf, startPartner } from './partner.ts'
import { program } from './program.ts'
import { noteRefusals } from './refusals.ts'

export type Harness = {
  deps: Deps
  address: string
  server: Server
  acme: Api
  globex: Api
  workspace(name?: string): Promise<Api>
  /** A client with another credential; null sends none. */
  as(key: string | null): Api
  /** Serves a second process' worth of service on the same database. */
  alongside(options?: Tuned): Promise<Neighbour>
}
export type Neighbour = { deps: Deps; address: string; as(key: string): Api; stop(): Promise<void> }
type Tuned = Pick<HarnessOptions, 'live' | 'partnerTuning'>
export type HarnessOptions = {
  env?: Record<string, string>
  clock?: Clock
  live?: Partial<LiveTuning>
  partnerTuning?: Partial<PartnerTuning>
  /** Rows that are mounted instead of the route table. */
  served?: RouteTable
  /** Served instead of a clone of the template. */
  database?: TestDatabase
  /** Where the service logs; nowhere by default. */
  log?: Deps['log']
  /** The file writes rows that no sale made, so the books as a whole need not add up at its end. */
  synthetic?: boolean
}

let harness: Harness | undefined
const running = (): Harness => {
  if (!harness) throw new Error('call useService() at the top of the test file')
  return harness
}

/** Serves this test file: a cloned database, a listening server, two workspaces that must never see each other. */
export function useService(options: HarnessOptions = {}) {
  let stop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const started = await startHarness(options)
    harness = started.harness
    stop = started.stop
  })
  afterAll(async () => {
    try {
      if (harness && !options.synthetic) {
        await assertInvariants(harness.deps.db)
        await assertEvents(harness.deps.db)
      }
    } finally {
      await stop?.()
    }
    harness = undefined
  })
}

export const deps = () => running().deps
export const address = () => running().address
export const server = () => running().server
export const acme = () => running().acme
export const globex = () => running().globex
export const workspace = (name?: string) => running().workspace(name)
/** A client with another credential; null sends none. */
export const as = (key: string | null) => running().as(key)
export const alongside = (options?: Tuned) => running().alongside(options)

/** `SALES_TOGETHER=0` in the environment of a test run tests the other way of a plain sale, in every file. */
const sentAlone = process.env['SALES_TOGETHER']
const wayOfSales = sentAlone === undefined ? {} : { SALES_TOGETHER: sentAlone }

/** With TEST_BALANCER=1 clients reach three services through haproxy; the first of them is the one that tests look into. */
const isBalanced = process.env['TEST_BALANCER'] !== undefined

type Serving = { address: string; stop(): Promise<void> }
async function balancedWith(first: string, serve: () => Promise<Serving>): Promise<Serving> {
  const [second, third] = [await serve(), await serve()]
  const balancer = await startBalancer([first, second.address, third.address])
  const stop = async () => {
    await balancer.stop()
    await Promise.all([second.stop(), third.stop()])
  }
  return { address: balancer.address, stop }
}

export async function startHarness({
  env = {},
  clock = systemClock,
  live,
  partnerTuning,
  database: given,
  log: givenLog,
  served,
}: HarnessOptions) {
  const database = given ?? (await cloneDatabase())
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-data-'))
  const partner = await startPartner()
  const url = database.pooledUrl ?? database.url
  const config = readConfig({
    NODE_ENV: 'test',
    ...(url === database.url ? {} : { DATABASE_URL: url, LISTEN_URL: database.url }),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    DATABASE_POOL_SIZE: '10',
    RATE_LIMIT_PER_MINUTE: '0',
    DEFAULT_TIER: 'business',
    PRINTER_NETWORKS: '127.0.0.0/8,192.168.0.0/16',
    ...settingsOf(partner),
    ...wayOfSales,
    ...env,
  })
  const serve = async ({ live: tuning = {}, partnerTuning: patience = {} }: Tuned) => {
    const log = givenLog ?? makeLog(config.logLevel)
    const made = await makeDeps({
      config,
      url,
      clock,
      log,
      live: tuning,
      partnerTuning: patience,
    })
    const app = await createApp(made, served)
    if (served === undefined) noteRefusals(app)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const stop = async () => {
      await app.close()
      await made.close()
    }
    return { deps: made, address, server: app.server, stop }
  }
  const tuned = { ...(live && { live }), ...(partnerTuning && { partnerTuning }) }
  const { deps: made, address: first, server, stop: stopFirst } = await serve(tuned)
  const balanced = isBalanced ? await balancedWith(first, () => serve(tuned)) : null
  const address = balanced?.address ?? first
  const stopServing = async () => {
    await balanced?.stop()
    await stopFirst()
  }
  const nobody = { accountId: '' as AccountId, keyId: '' }
  const open = async (name = 'Workspace') => clientOf(made, address, await makeWorkspace(made, name))
  const harness: Harness = {
    deps: made,
    address,
    server,
    acme: await open('Acme'),
    globex: await open('Globex'),
    workspace: open,
    as: (key) => clientOf(made, address, { ...nobody, key: key ?? '' }),
    alongside: async (options) => {
      const other = await serve(options ?? {})
      return { ...other, as: (key) => clientOf(other.deps, other.address, { ...nobody, key }) }
    },
  }
  const stop = async () => {
    await stopServing()
    await partner.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { harness, stop }
}

/** A workspace as signup leaves it, with an API key; written directly because hashing a password takes a while. */
export async function makeWorkspace(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  name: string,
): Promise<Workspace> {
  const accountId = newId('account') as unknown as AccountId
  const key = newKey(accountId)
  const keyId = newId('apiKey')
  const stamps = { createdAt: clock.now(), updatedAt: clock.now() }
  await db
    .insertInto('accounts')
    .values({ accountId, name, ...stamps })
    .execute()
  await db
    .insertInto('apiKeys')
    .values({
      accountId,
      id: keyId,
      name: `${name} till`,
      prefix: 'kasir_sk_',
      hash: sha256(key),
      ...stamps,
    })
    .execute()
  return { accountId, key, keyId }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY = /is ready at (http:\S+)/
const START_MS = 60_000

/** The real service as a process of its own, with an embedded database in a temporary directory. */
export type OwnService = {
  dataDir: string
  address(): string
  /** What it has printed since its last start. */
  output(): string
  start(args?: readonly string[]): Promise<void>
  end(): Promise<void>
} & {
  /** kill -9, of the service alone or of its database as well. */
  kill(what: 'service' | 'both'): Promise<void>
}

export async function ownService(
  more: Record<string, string> = {},
  home: string = tmpdir(),
): Promise<OwnService> {
  const room = await mkdtemp(path.join(home, 'kasir-kill-'))
  // Under root PostgreSQL runs as another user and must be let through to its directory.
  await chmod(room, 0o711)
  const dataDir = path.join(room, 'data')
  let child: ChildProcess | undefined
  let address = ''
  let told: string[] = []

  const start = async (args: readonly string[] = []) => {
    told = []
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      NODE_ENV: 'production',
      ...more,
    }
    const started = spawn(process.execPath, [...program(), 'serve', ...args], {
      cwd: ROOT,
      env,
    })
    child = started
    address = await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}: ${told.join('')}`))
      const timer = setTimeout(() => fail('the service is not ready in time'), START_MS)
      started.once('close', (code) => fail(`the service ended with ${code}`))
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          told.push(text)
          const found = READY.exec(told.join(''))?.[1]
          if (found === undefined) return
          clearTimeout(timer)
          resolve(found)
        })
      }
    })
  }

  const ended = (which: ChildProcess) =>
    which.exitCode !== null || which.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((resolve) => which.once('exit', () => resolve()))

  return {
    dataDir,
    address: () => address,
    output: () => told.join(''),
    start,
    kill: async (what) => {
      const postmaster = Number(
        (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
      )
      child?.kill('SIGKILL')
      if (what === 'both' && postmaster > 1) process.kill(postmaster, 'SIGKILL')
      if (child) await ended(child)
    },
    end: async () => {
      if (child && child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await ended(child)
      }
      await rm(room, { recursive: true, force: true })
    },
  }
}
