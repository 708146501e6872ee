import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { PartnerRoute } from '../../reference-partners/src/kit/http/route.ts'
import type { PartnerOptions } from '../../reference-partners/src/kit/options.ts'
import { replyChecker } from '../../src/platform/http/validate.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

export const PLATFORM_KEY = 'platform-key-of-these-tests'
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
type Untyped = any
export type Answer = {
  status: number
  data: Untyped
  error: Untyped
  meta: Untyped
  headers: Headers
  text: string
  bytes: Buffer
}

type Checkers = readonly { row: PartnerRoute; pattern: RegExp; check(value: unknown): void }[]
const checkersOf = (routes: readonly PartnerRoute[]): Checkers =>
  routes.map((row) => ({
    row,
    pattern: new RegExp(`^/v1${row.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    check: row.returns ? replyChecker(row.returns) : () => {},
  }))

/** Throws when a good answer is not what the document says. */
function requireDocumented(
  checkers: Checkers,
  method: string,
  path: string,
  status: number,
  json: { data: Untyped; meta: Untyped },
) {
  if (status >= 300) return
  const [bare = ''] = path.split('?')
  // A fixed word in the path goes before a placeholder: /plans/prices is no plan.
  const known = checkers.filter(({ row, pattern }) => row.method === method && pattern.test(bare))
  const found = known.toSorted((a, b) => a.row.path.split('{').length - b.row.path.split('{').length)[0]
  if (!found?.row.returns) return
  for (const value of found.row.page ? json.data : [json.data]) found.check(value)
}

/** A client of a partner with one key; null sends none. */
function clientWith(checkers: Checkers, url: string, key: string | null) {
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('utf8')
    const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
    const { data, error, meta } = json
    requireDocumented(checkers, method, path, response.status, { data, meta })
    return { status: response.status, data, error, meta, headers: response.headers, text, bytes }
  }
  return {
    key,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      send('POST', path, body, headers),
    put: (path: string, body: unknown) => send('PUT', path, body),
    patch: (path: string, body: unknown) => send('PATCH', path, body),
    delete: (path: string) => send('DELETE', path),
  }
}
export type Client = ReturnType<typeof clientWith>

type Running<Options> = {
  url: string
  database: TestDatabase
  receiver: Receiver
  platform: Client
  acme: Client
  globex: Client
  /** Another process' worth of partner on the same database. */
  start(options?: Partial<Options>): Promise<{ url: string; close(): Promise<void> }>
}

/** What tests of one partner share: its clients, and a run of it for each test file. */
export function harnessOf<Options extends PartnerOptions>(
  routes: readonly PartnerRoute[],
  startPartner: (options: Options) => Promise<{ url: string; close(): Promise<void> }>,
) {
  const checkers = checkersOf(routes)
  const clientOf = (url: string, key: string | null) => clientWith(checkers, url, key)
  let running: Running<Options> | undefined
  const partner = (): Running<Options> => {
    if (!running) throw new Error('call usePartner() at the top of the test file')
    return running
  }

  /** Runs the partner for this test file: a database of its own, a receiver of its notices, two merchants. */
  function usePartner(options: Partial<Options> = {}) {
    let stop = async () => {}
    beforeAll(async () => {
      const database = await cloneDatabase()
      const receiver = await startReceiver()
      const start: Running<Options>['start'] = (more = {}) =>
        startPartner({
          databaseUrl: database.url,
          port: 0,
          platformKey: PLATFORM_KEY,
          webhookSecret: SECRET,
          noticeUrl: receiver.url,
          log: makeLog('fatal'),
          ...options,
          ...more,
        } as Options)
      const { url, close } = await start()
      const platform = clientOf(url, PLATFORM_KEY)
      const open = async (externalId: string, name: string) =>
        clientOf(url, (await platform.post('/v1/workspaces', { externalId, name })).data.apiKey)
      const [acme, globex] = [await open('acc_acme', 'Warung Acme'), await open('acc_globex', 'Toko Globex')]
      running = { url, database, receiver, platform, acme, globex, start }
      stop = async () => {
        await close()
        receiver.stop()
        await database.drop()
      }
    })
    afterAll(() => stop())
  }

  /** Reads the partner's tables. */
  async function rowsOf(text: string, values: unknown[] = []) {
    const client = new pg.Client({ connectionString: partner().database.url })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  return { clientOf, partner, usePartner, rowsOf }
}
