import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createApp, type Served } from '../../src/app.ts'
import { newId } from '../../src/core/ids.ts'
import { makeDeps } from '../../src/main.ts'
import { newKey } from '../../src/platform/auth/tokens.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { LiveTuning } from '../../src/platform/live.ts'
import { makeLog } from '../../src/platform/log.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import { sha256 } from '../../src/platform/secrets.ts'
import { cloneDatabase, type TestDatabase } from './db.ts'
import { departures } from './document.ts'
import { assertEvents } from './events.ts'
import { assertInvariants } from './invariants.ts'

/** What a test reads of an answer. `data` is untyped on purpose: the test states what it expects. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
export type Answer = { status: number; data: any; error: any; meta: any; headers: Headers; text: string }
export type Options = { headers?: Record<string, string>; idempotencyKey?: string }
export type Api = {
  get(path: string, options?: Options): Promise<Answer>
  post(path: string, body?: unknown, options?: Options): Promise<Answer>
  put(path: string, body?: unknown, options?: Options): Promise<Answer>
  patch(path: string, body?: unknown, options?: Options): Promise<Answer>
  delete(path: string, options?: Options): Promise<Answer>
  /** Sends any bytes as the body. */
  raw(
    method: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Answer>
  /** Types of the events of this workspace, in the order they were written. */
  events(): Promise<string[]>
  workspace: Workspace
}

export type Workspace = { accountId: AccountId; key: string; keyId: string }
export type Harness = {
  deps: Deps
  address: string
  server: Server
  acme: Api
  globex: Api
  workspace(name?: string): Promise<Api>
  as(key: string | null): Api
  /** Serves a second process' worth of service on the same database. */
  alongside(options?: Pick<HarnessOptions, 'live'>): Promise<Neighbour>
}
export type Neighbour = { deps: Deps; address: string; as(key: string): Api; stop(): Promise<void> }
export type HarnessOptions = {
  env?: Record<string, string>
  clock?: Clock
  live?: Partial<LiveTuning>
  /** Rows that are mounted instead of the route table. */
  served?: Served
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
export const alongside = (options?: Pick<HarnessOptions, 'live'>) => running().alongside(options)

export async function startHarness({
  env = {},
  clock = systemClock,
  live = {},
  database: given,
  log: givenLog,
  served,
}: HarnessOptions) {
  const database = given ?? (await cloneDatabase())
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-data-'))
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    DATABASE_POOL_SIZE: '10',
    RATE_LIMIT_PER_MINUTE: '0',
    DEFAULT_TIER: 'business',
    ...env,
  })
  const serve = async (tuning: Partial<LiveTuning>) => {
    const log = givenLog ?? makeLog(config.logLevel)
    const made = await makeDeps({ config, url: database.url, clock, log, live: tuning })
    const app = await createApp(made, served)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const stop = async () => {
      await app.close()
      await made.close()
    }
    return { deps: made, address, server: app.server, stop }
  }
  const { deps: made, address, server, stop: stopServing } = await serve(live)
  const nobody = { accountId: '' as AccountId, keyId: '' }
  const open = async (name = 'Workspace') => client(made, address, await makeWorkspace(made, name))
  const harness: Harness = {
    deps: made,
    address,
    server,
    acme: await open('Acme'),
    globex: await open('Globex'),
    workspace: open,
    as: (key) => client(made, address, { ...nobody, key: key ?? '' }),
    alongside: async (options) => {
      const other = await serve(options?.live ?? {})
      return { ...other, as: (key) => client(other.deps, other.address, { ...nobody, key }) }
    },
  }
  const stop = async () => {
    await stopServing()
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

function client({ db }: Pick<Deps, 'db'>, address: string, workspace: Workspace): Api {
  const send = async (
    method: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const url = path.startsWith('http:')
      ? path
      : path.startsWith('/api/') || path.startsWith('/docs')
        ? `${address}${path}`
        : `${address}/api/v1${path}`
    const authorization = workspace.key === '' ? {} : { authorization: `Bearer ${workspace.key}` }
    const response = await fetch(url, {
      method,
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      redirect: 'manual',
    })
    const text = await response.text()
    const { status, headers: sent } = response
    // A replay is what was answered then, by an older version too; the first answer was held to the document.
    const isReplay = sent.has('idempotent-replayed')
    const strange = isReplay
      ? []
      : departures({ method, path: new URL(url).pathname, status, headers: sent, text })
    if (strange.length > 0)
      throw new Error(`${method} ${path} is not what the document says: ${strange.join('; ')}`)
    const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
    return {
      status: response.status,
      data: json.data,
      error: json.error,
      meta: json.meta,
      headers: response.headers,
      text,
    }
  }
  const json = (
    method: string,
    path: string,
    body: unknown,
    { headers = {}, idempotencyKey }: Options = {},
  ) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    })
  return {
    get: (path, options) => json('GET', path, undefined, options),
    post: (path, body, options) => json('POST', path, body, options),
    put: (path, body, options) => json('PUT', path, body, options),
    patch: (path, body, options) => json('PATCH', path, body, options),
    delete: (path, options) => json('DELETE', path, undefined, options),
    raw: send,
    events: async () => {
      const rows = await db
        .selectFrom('events')
        .select('type')
        .where('accountId', '=', workspace.accountId)
        .orderBy('id')
        .execute()
      return rows.map((row) => row.type)
    },
    workspace,
  }
}
