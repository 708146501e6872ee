import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../src/cli/database.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { lockDataDir } from '../../src/platform/db/embedded/lock.ts'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { freshDataDir, kasir } from '../support/kasir.ts'
import { program } from '../support/program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SLOW = 120_000
const PATIENT = { timeout: 60_000, interval: 20 }
const isLinux = process.platform === 'linux'
/** Whether a process can be run with process ids of its own, as in another container. */
const hasNamespaces = spawnSync('unshare', ['-p', '-f', '--mount-proc', 'true']).status === 0

let made: Awaited<ReturnType<typeof freshDataDir>>
const rooms: Awaited<ReturnType<typeof freshDataDir>>[] = []
const cleanups: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  made = await freshDataDir()
  expect((await kasir(['migrate'], { DATA_DIR: made.dataDir })).code).toBe(0)
}, SLOW)
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
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

type Running = { child: ChildProcess; text: () => string; ended: Promise<number | null> }

/** Starts the command line; `inContainer` gives it process ids of its own. */
function start(args: string[], dataDir: string, { inContainer = false } = {}): Running {
  const line = [process.execPath, ...program(), ...args]
  const [file = '', ...rest] = inContainer
    ? ['unshare', '-p', '-f', '--mount-proc', '--kill-child', ...line]
    : line
  const child = spawn(file, rest, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  cleanups.push(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { child, text: () => text, ended }
}

const isReady = ({ text }: Running) => expect.poll(text, PATIENT).toContain('is ready at')
const backupIn = (dataDir: string, name = 'books.tar.gz') => path.join(dataDir, '..', name)
const postmasterFile = (dataDir: string) => path.join(dataDir, 'postgres', 'postmaster.pid')

/** Holds the data directory as `command` would, with its database. */
async function hold(dataDir: string, command: string) {
  const database = await startEmbedded({ dataDir, say: () => {}, command })
  cleanups.push(() => database.stop())
  return database
}

describe('a service and a backup on one data directory', () => {
  test(
    'a service that finds a running command names it every five seconds, and serves when it has ended',
    async () => {
      const dataDir = await aDataDir()
      const command = await hold(dataDir, 'backup')
      const service = start(['serve'], dataDir)
      const line = new RegExp(
        `^Waiting for kasir backup \\(process ${process.pid}, since \\S+Z\\) to end; Kasir starts after it$`,
        'gm',
      )
      await expect.poll(() => service.text().match(line)?.length, PATIENT).toBe(3)
      expect(service.text()).not.toContain('already running')
      await command.stop()
      await isReady(service)
    },
    SLOW,
  )

  test(
    'a service that waits for a command ends on SIGTERM with 0 and leaves nothing behind',
    async () => {
      const dataDir = await aDataDir()
      const command = await hold(dataDir, 'backup')
      const service = start(['serve'], dataDir)
      await expect.poll(service.text, PATIENT).toContain('Waiting for kasir backup')
      service.child.kill('SIGTERM')
      expect(await service.ended).toBe(0)
      expect(await readdir(path.join(dataDir, 'lock'))).toHaveLength(2)
      await command.stop()
      expect(await readdir(path.join(dataDir, 'lock'))).toEqual([])
    },
    SLOW,
  )

  test(
    'a service that waits for its recovering database ends on SIGTERM with 0, and so does its PostgreSQL',
    async () => {
      const dataDir = await aDataDir()
      const service = start(['serve'], dataDir)
      await expect
        .poll(() => readFile(postmasterFile(dataDir), 'utf8').catch(() => ''), { ...PATIENT, interval: 1 })
        .toMatch(/^\d+\n/)
      service.child.kill('SIGTERM')
      expect(await service.ended).toBe(0)
      await expect(readFile(postmasterFile(dataDir))).rejects.toThrow('ENOENT')
    },
    SLOW,
  )

  test.each([
    ['the service', 'the backup'],
    ['the backup', 'the service'],
  ])(
    'started at the same moment, %s before %s, both succeed',
    async (first) => {
      const dataDir = await aDataDir()
      const starts = [() => start(['serve'], dataDir), () => start(['backup', backupIn(dataDir)], dataDir)]
      if (first === 'the backup') starts.reverse()
      const running = starts.map((one) => one())
      const [service, backup] = (first === 'the backup' ? running.toReversed() : running) as [
        Running,
        Running,
      ]
      await isReady(service)
      expect([await backup.ended, backup.text()]).toEqual([0, expect.stringContaining('Written to ')])
      expect((await kasir(['backup', '--check', backupIn(dataDir)])).code).toBe(0)
    },
    SLOW,
  )

  test.each([
    ['the service', 'the backup'],
    ['the backup', 'the service'],
  ])(
    'after a kill -9 of the service, %s started just before %s, both succeed',
    async (first) => {
      const dataDir = await aDataDir()
      const killed = start(['serve'], dataDir)
      await isReady(killed)
      killed.child.kill('SIGKILL')
      await killed.ended
      const starts = [() => start(['serve'], dataDir), () => start(['backup', backupIn(dataDir)], dataDir)]
      if (first === 'the backup') starts.reverse()
      const running = starts.map((one) => one())
      const [service, backup] = (first === 'the backup' ? running.toReversed() : running) as [
        Running,
        Running,
      ]
      await isReady(service)
      expect([await backup.ended, backup.text()]).toEqual([0, expect.stringContaining('Written to ')])
    },
    SLOW,
  )

  test(
    'of two services started at the same moment one serves, and the other says that it is running',
    async () => {
      const dataDir = await aDataDir()
      const services = [start(['serve'], dataDir), start(['serve'], dataDir)]
      const isOver = ({ text, child }: Running) => child.exitCode !== null || text().includes('is ready at')
      await expect.poll(() => services.every(isOver), PATIENT).toBe(true)
      const [refused] = services.filter(({ child }) => child.exitCode !== null) as [Running]
      expect(services.filter(({ child }) => child.exitCode !== null)).toHaveLength(1)
      expect(refused.text()).toMatch(/^Kasir is already running on \S+ \(process \d+\): stop it first/m)
    },
    SLOW,
  )
})

describe('a command beside a service whose database does not take connections yet', () => {
  test(
    'waits for it with a line that says so, and does its work when it does',
    async () => {
      const dataDir = await aDataDir()
      await hold(dataDir, 'serve')
      const ready = await readFile(postmasterFile(dataDir), 'utf8')
      await writeFile(postmasterFile(dataDir), ready.replace('ready   ', 'starting'))
      const backup = start(['backup', backupIn(dataDir)], dataDir)
      await expect
        .poll(backup.text, PATIENT)
        .toMatch(
          /^Waiting for the database of kasir serve \(process \d+, since \S+\), which does not accept connections yet$/m,
        )
      await writeFile(postmasterFile(dataDir), ready)
      expect([await backup.ended, backup.text()]).toEqual([0, expect.stringContaining('Written to ')])
    },
    SLOW,
  )

  test(
    'starts the database itself when the service has ended',
    async () => {
      const dataDir = await aDataDir()
      const service = await lockDataDir(dataDir, 'serve')
      const backup = start(['backup', backupIn(dataDir)], dataDir)
      await expect.poll(backup.text, PATIENT).toContain('Waiting for the database of kasir serve')
      await service.release()
      expect([await backup.ended, backup.text()]).toEqual([0, expect.stringContaining('Written to ')])
    },
    SLOW,
  )

  test(
    'does not use the database that a killed service left behind, which the next one is about to stop',
    async () => {
      const dataDir = await aDataDir()
      const killed = start(['serve'], dataDir)
      await isReady(killed)
      killed.child.kill('SIGKILL')
      await killed.ended
      const service = await lockDataDir(dataDir, 'serve')
      const backup = start(['backup', backupIn(dataDir)], dataDir)
      await expect.poll(backup.text, PATIENT).toContain('Waiting for the database of kasir serve')
      await service.release()
      expect(await backup.ended).toBe(0)
    },
    SLOW,
  )

  test('gives up with a sentence that names the service', async () => {
    const dataDir = await aDataDir()
    const service = await lockDataDir(dataDir, 'serve')
    cleanups.push(service.release)
    const waiting = withDatabase(
      readConfig({ DATA_DIR: dataDir }),
      () => {},
      async () => {},
      { patienceMs: 0 },
    )
    await expect(waiting).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: expect.stringMatching(
        /^The database of kasir serve \(process \d+, since \S+\) does not accept connections: check the log of the service and \S+postgres\.log\.$/,
      ),
    })
  })

  test(
    'a backup that waits ends on SIGTERM and writes nothing',
    async () => {
      const dataDir = await aDataDir()
      const service = await lockDataDir(dataDir, 'serve')
      cleanups.push(service.release)
      const backup = start(['backup', backupIn(dataDir)], dataDir)
      await expect.poll(backup.text, PATIENT).toContain('Waiting for the database of kasir serve')
      backup.child.kill('SIGTERM')
      expect([await backup.ended, backup.text()]).toEqual([
        1,
        expect.stringContaining('Interrupted: no backup was written.'),
      ])
      await expect(readFile(backupIn(dataDir))).rejects.toThrow('ENOENT')
    },
    SLOW,
  )

  test(
    'a restore does not wait: it says that the service must be stopped',
    async () => {
      const dataDir = await aDataDir()
      expect((await kasir(['backup', backupIn(dataDir)], { DATA_DIR: dataDir })).code).toBe(0)
      const service = await lockDataDir(dataDir, 'serve')
      cleanups.push(service.release)
      const { code, err } = await kasir(['restore', backupIn(dataDir)], { DATA_DIR: dataDir })
      expect([code, err]).toEqual([2, expect.stringContaining('stop it before a restore.')])
    },
    SLOW,
  )
})

test(
  'a command that finds another command waits until it has ended, and keeps its database to the end',
  async () => {
    const dataDir = await aDataDir()
    const first = await hold(dataDir, 'demo')
    const second = start(['migrate'], dataDir)
    await expect
      .poll(second.text, PATIENT)
      .toMatch(/^Waiting for kasir demo \(process \d+, since \S+\) to end$/m)
    await first.stop()
    expect([await second.ended, second.text()]).toEqual([0, expect.stringContaining('nothing to do')])
  },
  SLOW,
)

describe('what a killed holder leaves in the data directory', () => {
  test(
    'with the id of a process that lives, keeps no service waiting',
    async () => {
      const dataDir = await aDataDir()
      const killed = start(['serve'], dataDir)
      await isReady(killed)
      killed.child.kill('SIGKILL')
      await killed.ended
      const room = path.join(dataDir, 'lock')
      const names = await readdir(room)
      expect(names.map((name) => path.extname(name)).sort()).toEqual(['.json', '.sock'])
      // Its id belongs to another process now: that of this test.
      const file = path.join(room, names.find((name) => name.endsWith('.json')) ?? '')
      const holder = JSON.parse(await readFile(file, 'utf8')) as object
      await writeFile(file, JSON.stringify({ ...holder, command: 'backup', pid: process.pid }))
      const service = start(['serve'], dataDir)
      await isReady(service)
      expect(service.text()).not.toContain('Waiting')
      expect(await readdir(room)).toHaveLength(2)
    },
    SLOW,
  )
})

describe.runIf(isLinux)('a second container on one volume', () => {
  test(
    'a claim whose process does not exist here is live while its socket answers, and is named with its container',
    async () => {
      const dataDir = await aDataDir()
      const lock = await lockDataDir(dataDir, 'serve')
      await lock.release()
      const claim = path.join(dataDir, 'lock', '999999999-000000000000')
      const server = createServer().listen(`${claim}.sock`)
      cleanups.push(async () => server.close())
      const holder = {
        command: 'serve',
        pid: 7,
        host: '3f2a9c81d2b0',
        pidNamespace: 'pid:[1]',
        startedAt: '2026-11-23T03:30:00.000Z',
        hasDatabase: false,
      }
      await writeFile(`${claim}.json`, JSON.stringify(holder))
      const { code, err } = await kasir(['serve'], { DATA_DIR: dataDir, PORT: '0' })
      expect([code, err]).toEqual([
        1,
        `Kasir is already running on ${dataDir} (process 7 in the host or container 3f2a9c81d2b0): stop it first, or set another DATA_DIR.\n`,
      ])
      await rm(`${claim}.json`)
    },
    SLOW,
  )

  test.runIf(hasNamespaces)(
    'a backup uses the database of the service in the first, and a service says where the other one runs',
    async () => {
      const dataDir = await aDataDir()
      const first = start(['serve'], dataDir)
      await isReady(first)
      const backup = start(['backup', backupIn(dataDir)], dataDir, { inContainer: true })
      expect([await backup.ended, backup.text()]).toEqual([0, expect.stringContaining('Written to ')])
      const second = start(['serve'], dataDir, { inContainer: true })
      expect([await second.ended, second.text()]).toEqual([
        1,
        expect.stringMatching(
          /^Kasir is already running on \S+ \(process \d+ in another container of \S+\): stop it first/,
        ),
      ])
    },
    SLOW,
  )

  test.runIf(hasNamespaces)(
    'a PostgreSQL that a killed service left in the first is not started a second time in the other',
    async () => {
      const dataDir = await aDataDir()
      const first = start(['serve'], dataDir)
      await isReady(first)
      first.child.kill('SIGKILL')
      await first.ended
      const second = start(['serve'], dataDir, { inContainer: true })
      expect([await second.ended, second.text()]).toEqual([
        1,
        expect.stringContaining(
          `runs a PostgreSQL on ${path.join(dataDir, 'postgres')}: stop it there, then start again.`,
        ),
      ])
      expect(await readFile(postmasterFile(dataDir), 'utf8')).toContain('ready')
      // Where its process is seen, the next start puts it right.
      const third = start(['serve'], dataDir)
      await isReady(third)
    },
    SLOW,
  )
})
