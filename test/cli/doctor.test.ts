import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueCertificate, openAuthority } from '../../src/cli/authority.ts'
import { cluster } from '../../src/cli/doctor/cluster.ts'
import { books, examineDatabase } from '../../src/cli/doctor/database.ts'
import { port } from '../../src/cli/doctor/port.ts'
import { providers } from '../../src/cli/doctor/providers.ts'
import { recordBackup } from '../../src/platform/backup/record.ts'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import type { Finding } from '../../src/platform/doctor/finding.ts'
import { dataDirectory, interruptedRestore, secretsKey } from '../../src/platform/doctor/machine.ts'
import { movableDatabaseClock } from '../support/database-clock.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'

let room: string
beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-doctor-'))
})
afterAll(() => rm(room, { recursive: true, force: true }))

const config = (env: Record<string, string>) => readConfig({ DATA_DIR: room, ...env })
const KEY = Buffer.alloc(32, 7).toString('base64')

describe('the data directory', () => {
  test('that is there, or could be made, is no fault', async () => {
    expect((await dataDirectory(config({}))).state).toBe('ok')
    const later = await dataDirectory(config({ DATA_DIR: path.join(room, 'a', 'b') }))
    expect([later.state, later.found]).toEqual(['note', expect.stringContaining('does not exist yet')])
  })

  test('below a file, or that is one, is a fault and no crash', async () => {
    const file = path.join(room, 'file')
    await writeFile(file, '', { mode: 0o600 })
    for (const dataDir of [file, path.join(file, 'data'), path.join(file, 'data', 'more')]) {
      const found = await dataDirectory(config({ DATA_DIR: dataDir }))
      expect([found.state, found.found]).toEqual(['fault', `${file} cannot be written (EACCES)`])
    }
  })
})

test('files of a restore that was cut off are a warning until they are gone', async () => {
  const staging = path.join(room, 'restoring')
  expect(await interruptedRestore(config({}))).toEqual([])
  await mkdir(path.join(staging, 'uploads'), { recursive: true })
  expect(await interruptedRestore(config({}))).toMatchObject([
    { state: 'warn', found: expect.stringContaining(staging) },
  ])
  await rm(staging, { recursive: true })
  expect(await interruptedRestore(config({}))).toEqual([])
})

describe('the secrets key', () => {
  const kept = async (text: string, mode: number) => {
    await writeFile(path.join(room, 'secrets.key'), text)
    await chmod(path.join(room, 'secrets.key'), mode)
    return (await secretsKey(config({}))).finding
  }

  test('in the environment needs no file', async () => {
    expect((await secretsKey(config({ SECRETS_KEY: KEY }))).finding.state).toBe('ok')
  })

  test.each([
    [0o600, 'ok'],
    [0o400, 'ok'],
    [0o640, 'fault'],
    [0o604, 'fault'],
    [0o610, 'fault'],
  ])('of mode %o is %s', async (mode, state) => {
    expect((await kept(KEY, mode)).state).toBe(state)
  })

  test.each([
    ['', 'damaged'],
    [Buffer.alloc(31).toString('base64'), 'damaged'],
    [Buffer.alloc(33).toString('base64'), 'damaged'],
  ])('%j is told as damaged', async (text, word) => {
    expect(await kept(text, 0o600)).toMatchObject({ state: 'fault', found: expect.stringContaining(word) })
  })
})

describe('the port', () => {
  const on = (server: Server) => {
    const { port: number } = server.address() as AddressInfo
    return config({ PORT: String(number) })
  }
  const listening = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    return server
  }
  const answering = (body: string) =>
    listening(createHttp((_request, response) => response.end(body)) as unknown as Server)
  const ended = (server: Server) => new Promise((resolve) => server.close(resolve))

  test.each([
    ['{"data":{"status":"ok","version":"9.9.9"}}', 'ok', /version 9\.9\.9 is running at .* and is healthy/],
    ['{"data":{"status":"degraded","version":"9.9.9"}}', 'fault', /reports degraded/],
    ['{"data":{"status":"down","version":"9.9.9"}}', 'fault', /reports down/],
    ['{"data":{"status":"ok"}}', 'fault', /in use by another program/],
    ['<h1>hello</h1>', 'fault', /in use by another program/],
    ['null', 'fault', /in use by another program/],
  ])('where %s answers is %s', async (body, state, found) => {
    const server = await answering(body)
    try {
      expect(await port(on(server))).toMatchObject({ state, found: expect.stringMatching(found) })
    } finally {
      await ended(server)
    }
  })

  test('where a service answers over https is healthy, although nobody here trusts its certificate', async () => {
    const authority = await openAuthority(null)
    const { cert, key } = await issueCertificate(authority, ['pos.example'])
    const server = await listening(
      createHttps({ cert, key }, (_request, response) =>
        response.end('{"data":{"status":"ok","version":"9.9.9"}}'),
      ) as unknown as Server,
    )
    const secure = { TLS_CERT: 'service.crt', TLS_KEY: 'service.key', PUBLIC_URL: 'https://pos.example' }
    try {
      const { port: number } = server.address() as AddressInfo
      expect(await port(config({ PORT: String(number), ...secure }))).toMatchObject({
        state: 'ok',
        found: expect.stringContaining('version 9.9.9 is running'),
      })
    } finally {
      await ended(server)
    }
  })

  test('that hangs up is in use by another program', async () => {
    const server = await listening(createServer((socket) => socket.destroy()))
    try {
      expect((await port(on(server))).found).toContain('in use by another program')
    } finally {
      await ended(server)
    }
  })

  test('that nobody holds is free, and an address that is not ours cannot be opened', async () => {
    expect((await port(config({ PORT: '0' }))).state).toBe('ok')
    expect(await port(config({ HOST: '203.0.113.7', PORT: '0' }))).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('cannot be opened (EADDRNOTAVAIL)'),
    })
  })
})

describe('the providers that sign people in', () => {
  let server: Server
  let provider: string
  let reply = { status: 200, body: '' }
  beforeAll(async () => {
    server = createHttp((_request, response) => {
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      response.end(reply.body)
    }) as unknown as Server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    provider = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const jwks = (url: string) =>
    config({
      IDP_ISSUER: 'https://id.example.com',
      IDP_AUDIENCE: 'kasir',
      IDP_JWKS_URL: `${url}/?token=hidden`,
    })
  const oidc = (issuer: string) =>
    config({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'kasir', PUBLIC_URL: 'https://pos.example.com' })
  const NOBODY = 'http://127.0.0.1:1'

  const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  test.each([
    ['a key', 200, { keys: [ed25519] }, 'ok', 'publishes one key'],
    ['no key', 200, { keys: [] }, 'fault', 'it publishes no key for RS256, ES256 or EdDSA'],
    [
      'keys of no use',
      200,
      {
        keys: [
          { ...ed25519, use: 'enc' },
          { kty: 'RSA' },
          null,
          { kty: 'oct', k: 'c2VjcmV0' },
          { ...ed25519, x: 'AA' },
        ],
      },
      'fault',
      'it publishes no key for RS256, ES256 or EdDSA',
    ],
    ['something else', 200, null, 'fault', 'its response is not a set of keys (RFC 7517)'],
    ['a page', 200, '<h1>Sign in</h1>', 'fault', 'its response is not JSON'],
    ['nothing there', 404, '', 'fault', 'it answers 404'],
  ])('IDP_JWKS_URL that answers %s', async (_, status, body, state, found) => {
    reply = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
    const [finding, ...more] = await providers(jwks(provider))
    expect([finding?.name, finding?.state, finding?.found, more]).toEqual(['IDP_JWKS_URL', state, found, []])
    expect(JSON.stringify(finding)).not.toContain('hidden')
  })

  test.each([
    ['itself', 200, (issuer: string) => ({ issuer }), 'ok', 'answers'],
    ['another issuer', 200, () => ({ issuer: 'https://id.example.com' }), 'fault', 'names another issuer'],
    ['nothing of use', 200, () => [], 'fault', 'its discovery document cannot be read'],
    [
      'nothing there',
      404,
      () => ({}),
      'fault',
      'it has no discovery document (/.well-known/openid-configuration)',
    ],
    ['its own trouble', 503, () => ({}), 'fault', 'the provider answered 503'],
  ])('OIDC_ISSUER that answers %s', async (_, status, body, state, found) => {
    reply = { status, body: JSON.stringify(body(provider)) }
    const findings = await providers(oidc(provider))
    expect(findings).toMatchObject([{ name: 'OIDC_ISSUER', state, found: expect.stringContaining(found) }])
  })

  test('that cannot be reached are faults, and without any there is nothing to say', async () => {
    expect(await providers(jwks(NOBODY))).toMatchObject([
      { state: 'fault', found: 'The connection was refused or lost' },
    ])
    expect(await providers(oidc(NOBODY))).toMatchObject([
      { state: 'fault', found: `${NOBODY}/: The connection was refused or lost` },
    ])
    expect(await providers(config({}))).toEqual([])
  })
})

describe('the database', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await cloneDatabase()
  })
  afterAll(() => database.drop())

  const ask = async (statement: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      return (await client.query(statement, values)).rows
    } finally {
      await client.end()
    }
  }
  const examineAll = async (more: Partial<Config> = {}) => {
    const found: Finding[] = []
    const settings = { ...config({ DATABASE_URL: database.url }), ...more }
    await examineDatabase(settings, (finding) => found.push(finding), null)
    return found
  }
  const examined = async (more: Partial<Config> = {}) => {
    const found = await examineAll(more)
    return (name: string) => found.find((finding) => finding.name === name)
  }

  test('may be given all connections but the seventeen that a process with all reference partners opens beside its pool', async () => {
    const [row] = await ask(`select setting::int as most from pg_settings where name = 'max_connections'`)
    const most = Number(row?.most)
    expect((await examined({ databasePoolSize: most - 17 }))('connections')?.state).toBe('ok')
    expect((await examined({ databasePoolSize: most - 16 }))('connections')).toMatchObject({
      state: 'fault',
      found: `${most - 16} and up to 17 more wanted, only ${most} allowed`,
    })
  })

  test('is asked for five connections less for each partner of the operator', async () => {
    const [row] = await ask(`select setting::int as most from pg_settings where name = 'max_connections'`)
    const partnerOf = (module: string) => ({
      [`${module}_PARTNER_URL`]: 'https://partner.example.com',
      [`${module}_PARTNER_KEY`]: 'key',
      [`${module}_PARTNER_WEBHOOK_SECRET`]: `whsec_${KEY}`,
    })
    const own = config({ ...partnerOf('PAYMENT'), ...partnerOf('FULFILLMENT') })
    const { paymentPartnerUrl, fulfillmentPartnerUrl } = own
    const databasePoolSize = Number(row?.most) - 7
    const found = await examined({ paymentPartnerUrl, fulfillmentPartnerUrl, databasePoolSize })
    expect(found('connections')?.state).toBe('ok')
  })

  test('with a backup dated in the future goes by the newest one of the past, and names the other while that is late', async () => {
    const record = (age: string, file: string) =>
      ask(`insert into backups (taken_at, file, sound) values (now() - interval '${age}', $1, true)`, [file])
    await record('30 hours', 'past.tar.gz')
    await record('-30 days', 'future.tar.gz')
    const findings = await examineAll()
    expect(findings.filter(({ name }) => name === 'backups')).toMatchObject([
      { state: 'warn', found: 'future.tar.gz is dated in the future' },
      { state: 'warn', found: 'the newest one, past.tar.gz, is 30 hours old' },
    ])
    const takenAt = new Date().toISOString()
    await recordBackup(database.url, {
      takenAt,
      file: 'next.tar.gz',
      bytes: 1,
      isSound: true,
      toVerify: false,
    })
    expect((await examineAll()).filter(({ name }) => name === 'backups')).toMatchObject([
      { state: 'ok', found: expect.stringContaining('next.tar.gz') },
    ])
  })

  test('whose clock is more than two seconds off is a fault', async () => {
    const own = await cloneDatabase()
    try {
      const { moveBy } = await movableDatabaseClock(own)
      const clock = async () => (await examined({ databaseUrl: own.url }))('clock')
      expect((await clock())?.state).toBe('ok')
      await moveBy(-3_500)
      expect(await clock()).toMatchObject({
        state: 'fault',
        found: expect.stringMatching(/^3\.\d s apart from the database's$/),
      })
    } finally {
      await own.drop()
    }
  })

  test('whose books could not be checked whole is a warning, for an error and for a lack of time', async () => {
    await ask('alter table shifts rename to shifts_away')
    try {
      const findings = await examineAll()
      expect(findings.filter(({ name }) => name === 'books: shifts')).not.toEqual([])
      for (const finding of findings.filter(({ found }) => found.startsWith('not checked')))
        expect(finding).toMatchObject({ state: 'warn', remedy: expect.stringContaining('--verify') })
      expect(findings.some(({ found }) => found.includes('relation "shifts" does not exist'))).toBe(true)
    } finally {
      await ask('alter table shifts_away rename to shifts')
    }
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      const findings: object[] = []
      for await (const finding of books(client, 0)) findings.push(finding)
      expect(findings.length).toBeGreaterThan(0)
      for (const finding of findings)
        expect(finding).toMatchObject({ state: 'warn', found: expect.stringContaining('no time left') })
    } finally {
      await client.end()
    }
  })

  test('whose rows on the workers take too long to count has them unknown, and the other checks go on', async () => {
    const table = { table: 'accounts', placement: 'account', column: 'account_id', colocation: 1 }
    const answers: [string, object[]][] = [
      ['pg_extension', [{ isThere: true }]],
      ['pg_dist_partition', [table]],
      ['pg_dist_node', [{ name: 'worker', port: 1, group: 1, isActive: true, takesShards: true }]],
      ['pg_dist_placement p\n  join', [{ group: 1, shards: 32 }]],
      ['citus_check_connection', [{ isThere: true }]],
      ['run_command_on_workers', []],
    ]
    const query = async (text: string) => {
      const answer = answers.find(([part]) => text.includes(part))
      if (answer) return { rows: answer[1] }
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    }
    const findings = await cluster({ query } as unknown as pg.Client)
    expect(findings[0]).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('32 shards, unknown workspaces, unknown sales, unknown events'),
    })
  })

  test('that takes no writes is a fault', async () => {
    const url = new URL(database.url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    expect((await examined())('database')?.state).toBe('ok')
    expect((await examined({ databaseUrl: url.href }))('database')).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('is read-only'),
      remedy: 'If it is a standby, promote it or correct DATABASE_URL.',
    })
  })

  test('of which gift cards cannot be read is still examined: it warns that they are not checked, and the books are', async () => {
    await ask('alter table gift_card_moves rename to gift_card_moves_away')
    const found = await examined()
    await ask('alter table gift_card_moves_away rename to gift_card_moves')
    expect(found('gift cards')).toMatchObject({
      state: 'warn',
      found: expect.stringMatching(/^not checked: .*gift_card_moves/),
    })
    expect([found('database')?.state, found('books: sales')?.state]).toEqual(['ok', 'ok'])
  })

  test('of a newer version, or with an edited migration, is reported as such and its books are not read', async () => {
    expect((await examined())('schema')?.state).toBe('ok')
    const [last] = await ask('select name, checksum from schema_migrations order by name desc limit 1')
    await ask(`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`)
    const newer = await examined()
    expect(newer('schema')).toMatchObject({
      state: 'fault',
      found: '9999_future.sql is unknown to this version',
    })
    expect(newer('books: sales')).toBeUndefined()
    await ask(`delete from schema_migrations where name = '9999_future.sql'`)
    await ask('update schema_migrations set checksum = $2 where name = $1', [last?.name, 'x'])
    expect((await examined())('schema')?.found).toBe(`${last?.name} was edited after it was applied`)
    await ask('delete from schema_migrations where name = $1', [last?.name])
    expect((await examined())('schema')).toMatchObject({
      state: 'note',
      found: '1 migrations pending; the next start applies them, or run kasir migrate now',
    })
  })

  test('that is not there is a fault with a remedy, not a stack', async () => {
    const gone = await examined({ databaseUrl: 'postgres://kasir@127.0.0.1:1/kasir' })
    expect(gone('database')).toMatchObject({
      state: 'fault',
      remedy: 'Is PostgreSQL running, and is DATABASE_URL right?',
    })
  })
})
