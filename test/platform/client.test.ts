import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { prepareSchema } from '../../reference-partners/src/kit/db.ts'
import { BOOKS } from '../../reference-partners/src/payment/books.ts'
import { examineDatabase } from '../../src/cli/doctor/database.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { durabilityFaults, migrate } from '../../src/platform/db/migrate.ts'
import type { Finding } from '../../src/platform/doctor/finding.ts'
import { findEngine } from '../../src/platform/sharding/engine.ts'
import { shardDatabase } from '../../src/platform/sharding/place.ts'
import { hasManyMoments } from '../../src/platform/sharding/services.ts'
import { freshDataDir, kasir } from '../support/kasir.ts'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const LET_IN = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])

/** A database that lets a client in and is gone with a reset at its first question, as in a fail-over. */
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => {
    socket.write(LET_IN)
    socket.once('data', () => socket.resetAndDestroy())
  })
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `postgres://kasir@127.0.0.1:${(server.address() as AddressInfo).port}/kasir?sslmode=disable`
})
afterAll(() => void server.close())

test.each<[string, () => Promise<unknown>]>([
  ['the look at the settings', () => durabilityFaults(url)],
  ['a migration', () => migrate(url, [])],
  ['the look at the engine', () => findEngine(url)],
  ['the look for services', () => hasManyMoments(url)],
  ['the placing of tables', () => shardDatabase(url)],
  ['the schema of a partner', () => prepareSchema(url, BOOKS)],
])('%s on a connection that is reset fails with the reason, and the process lives', async (_what, work) => {
  const uncaught: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error))
  try {
    await expect(work()).rejects.toThrow('read ECONNRESET')
    expect(uncaught).toEqual([])
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const one of others) process.on('uncaughtException', one)
  }
})

test.each(['shard', 'migrate', 'backup'])(
  'kasir %s on such a connection ends with a sentence',
  async (name) => {
    const { dataDir, remove } = await freshDataDir()
    const args = name === 'backup' ? [name, `${dataDir}.tar.gz`] : [name]
    const ran = await kasir(args, { DATABASE_URL: url, DATA_DIR: dataDir })
    expect(ran).toEqual({
      code: 1,
      out: '',
      err: 'The database at DATABASE_URL does not answer: read ECONNRESET\n',
    })
    await remove()
  },
)

test('the doctor asks for PostgreSQL where LISTEN_URL does not answer', async () => {
  const config = readConfig({ DATABASE_URL: inject('databaseUrl'), LISTEN_URL: url })
  const findings: Finding[] = []
  await examineDatabase(config, (finding) => void findings.push(finding))
  expect(findings).toEqual([
    {
      name: 'database',
      state: 'fault',
      found: 'The database at LISTEN_URL does not answer: read ECONNRESET',
      remedy: 'Is PostgreSQL running, and is DATABASE_URL right?',
    },
  ])
})

test('whoever makes a connection of the driver listens for its end', async () => {
  const names = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const makers: string[] = []
  for (const name of names)
    if ((await readFile(path.join(SRC, name), 'utf8')).includes('new pg.Client(')) makers.push(name)
  expect(makers.toSorted()).toEqual([
    'platform/db/client.ts',
    'platform/db/kept-client.ts',
    'platform/live/listener.ts',
  ])
})
