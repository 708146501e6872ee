import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../src/platform/db/client.ts'
import { MIGRATION_LOCK } from '../../src/platform/db/migrate.ts'
import { cloneDatabase } from '../support/db.ts'
import { freshDataDir, kasir } from '../support/kasir.ts'
import { program } from '../support/program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SLOW = 120_000
/** What `docker stop` and systemd wait at most before they kill. */
const STOP_MS = 10_000

let made: Awaited<ReturnType<typeof freshDataDir>>
const rooms: Awaited<ReturnType<typeof freshDataDir>>[] = []
beforeAll(async () => {
  made = await freshDataDir()
  expect((await kasir(['migrate'], { DATA_DIR: made.dataDir })).code).toBe(0)
}, SLOW)
/** What a test that failed has left running. */
const running = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
afterAll(async () => {
  for (const room of [made, ...rooms]) await room.remove()
})

/** A data directory that has its schema, of its own. */
async function aDataDir(): Promise<string> {
  const room = await freshDataDir()
  rooms.push(room)
  await promisify(execFile)('cp', ['-a', made.dataDir, room.dataDir])
  return room.dataDir
}

const linesOf = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).split('\n')
const postmasterIn = async (dataDir: string) =>
  Number((await linesOf(path.join(dataDir, 'postgres', 'postmaster.pid')))[0])
const hasEnded = async (pid: number) => {
  const [, state = 'Z'] = /\) (\w)/.exec((await linesOf(`/proc/${pid}/stat`)).join('\n')) ?? []
  return state === 'Z'
}

type Stdout = 'pipe' | number
function start(args: string[], dataDir: string, stdout: Stdout = 'pipe', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...program(), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', ...env },
    stdio: ['ignore', stdout, 'ignore'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]> }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function aPostmaster(dataDir: string): Promise<number> {
  await expect.poll(() => postmasterIn(dataDir), { interval: 5 }).toBeGreaterThan(0)
  return postmasterIn(dataDir)
}

describe.runIf(process.platform === 'linux')('a signal to a command', () => {
  test.each([
    ['migrate', 'SIGHUP', 129],
    ['migrate', 'SIGINT', 130],
    ['doctor', 'SIGTERM', 143],
  ] as const)(
    'kasir %s ends on %s with %i and leaves no PostgreSQL behind',
    async (name, signal, code) => {
      const room = await freshDataDir()
      rooms.push(room)
      const dataDir = name === 'migrate' ? room.dataDir : await aDataDir()
      const { child, ended } = start([name], dataDir)
      const postmaster = await aPostmaster(dataDir)
      child.kill(signal)
      expect(await ended).toEqual([code, null])
      await expect.poll(() => hasEnded(postmaster)).toBe(true)
      expect((await kasir(['doctor'], { DATA_DIR: dataDir })).code).toBe(0)
    },
    SLOW,
  )

  test(
    'a service ends its requests and its PostgreSQL when its terminal is closed (SIGHUP)',
    async () => {
      const dataDir = await aDataDir()
      const { child, ended } = start(['serve'], dataDir)
      await addressOf(child)
      const postmaster = await postmasterIn(dataDir)
      child.kill('SIGHUP')
      expect(await ended).toEqual([0, null])
      expect(await hasEnded(postmaster)).toBe(true)
    },
    SLOW,
  )

  test(
    'a service that waits for the migration lock ends on SIGTERM with 0',
    async () => {
      const { url, drop } = await cloneDatabase()
      try {
        await withClient({ connectionString: url }, async (client) => {
          await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
          await client.query(
            'delete from schema_migrations where name = (select max(name) from schema_migrations)',
          )
          const room = await freshDataDir()
          rooms.push(room)
          const env = { DATABASE_URL: url, ALLOW_UNSAFE_DATABASE: '1' }
          const { child, ended } = start(['serve'], room.dataDir, 'pipe', env)
          let text = ''
          child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part))
          await expect.poll(() => text, { timeout: 30_000 }).toContain('The schema needs an update')
          child.kill('SIGTERM')
          expect(await ended).toEqual([0, null])
        })
      } finally {
        await drop()
      }
    },
    SLOW,
  )
})

async function addressOf(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const part of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    text += part
    const address = /ready at (http:\S+)/.exec(text)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`the service ended: ${text}`)
}

describe.runIf(process.platform === 'linux')('a log that cannot be written', () => {
  /** Enough lines to fill a pipe many times. */
  const ask = async (address: string) => {
    for (let count = 0; count < 40; count += 1) {
      const answers = Array.from({ length: 25 }, () => fetch(`${address}/api/v1/unknown/${'x'.repeat(200)}`))
      for (const answer of await Promise.all(answers)) await answer.arrayBuffer()
    }
  }
  const expectHealthyAndStopping = async (
    { child, ended }: ReturnType<typeof start>,
    { address, dataDir }: { address: string; dataDir: string },
  ) => {
    await ask(address)
    expect((await fetch(`${address}/api/v1/health`)).status).toBe(200)
    const postmaster = await postmasterIn(dataDir)
    const began = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(performance.now() - began).toBeLessThan(STOP_MS)
    expect(await hasEnded(postmaster)).toBe(true)
  }
  const env = { LOG_REQUESTS: 'all', RATE_LIMIT_PER_MINUTE: '0' }

  test(
    'because its reader has stalled: the service answers, and stops in time',
    async () => {
      const dataDir = await aDataDir()
      const service = start(['serve'], dataDir, 'pipe', env)
      const address = await addressOf(service.child)
      service.child.stdout?.pause()
      await expectHealthyAndStopping(service, { address, dataDir })
    },
    SLOW,
  )

  test(
    'because its reader has gone: the service answers, and stops in time',
    async () => {
      const dataDir = await aDataDir()
      const service = start(['serve'], dataDir, 'pipe', env)
      const address = await addressOf(service.child)
      service.child.stdout?.destroy()
      await expectHealthyAndStopping(service, { address, dataDir })
    },
    SLOW,
  )

  test(
    'because the disk under it is full: the service starts, answers, and stops in time',
    async () => {
      const dataDir = await aDataDir()
      const full = openSync('/dev/full', 'w')
      const port = await freePort()
      const service = start(['serve'], dataDir, full, { ...env, PORT: String(port) })
      closeSync(full)
      const address = `http://127.0.0.1:${port}`
      await expect
        .poll(() =>
          fetch(`${address}/api/v1/health`).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200)
      await expectHealthyAndStopping(service, { address, dataDir })
    },
    SLOW,
  )
})
