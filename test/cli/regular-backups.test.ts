import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readArchiveHeader } from '../../src/platform/backup/read.ts'
import { openShop, stock } from '../support/build.ts'
import { kasir } from '../support/kasir.ts'
import { program } from '../support/program.ts'
import { acme, deps, useService } from '../support/service.ts'
import { openSmallDisk } from '../support/small-disk.ts'

const SLOW = 180_000
const OWN = /^kasir-\d{8}T\d{6}Z\.tar\.gz$/
useService({ synthetic: true })

let room = ''
const folderOf = async (name: string) => {
  const folder = path.join(room, name)
  await mkdir(folder, { recursive: true })
  return folder
}
const env = (more: Record<string, string> = {}) => ({
  DATABASE_URL: deps().pool.options.connectionString ?? '',
  DATA_DIR: path.join(room, 'data'),
  ALLOW_UNSAFE_DATABASE: '1',
  ...more,
})
const DUE = /^The next backup is due at /m
const run = (folder: string, options: string[], after = DUE, more: Record<string, string> = {}) =>
  kasir(['backup', folder, ...options], env(more), { after, signal: 'SIGTERM' })

/** The backups in a folder after a run that ended between a backup and its verification. */
async function interrupted(folder: string, options: string[]): Promise<string[]> {
  const { out } = await run(folder, options, /^Written to /m)
  expect(out).not.toContain('Verified: ')
  return (await readdir(folder)).filter((name) => OWN.test(name)).sort()
}

beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-regular-'))
  await chmod(room, 0o711)
  const shop = await openShop(acme())
  await stock(acme(), shop.outletId, shop.latte, 5)
}, SLOW)
afterAll(() => rm(room, { recursive: true, force: true }))

test(
  'the first backup follows immediately and is verified by a restore; older ones beyond the number go, other files stay',
  async () => {
    const folder = await folderOf('kept')
    const older = ['kasir-20200101T000000Z.tar.gz', 'kasir-20200102T000000Z.tar.gz']
    const others = ['kasir-monday.tar.gz', 'notes.txt']
    for (const name of [...older, ...others]) await writeFile(path.join(folder, name), 'x')
    const { code, out, err } = await run(folder, ['--every', '24h', '--keep', '2', '--verify'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Verified: the backup was restored into a temporary database')
    expect(out).toContain('Removed: kasir-20200101T000000Z.tar.gz.\n')
    const names = (await readdir(folder)).sort()
    expect(names.filter((name) => !OWN.test(name))).toEqual(others)
    const own = names.filter((name) => OWN.test(name))
    expect(own).toHaveLength(2)
    expect(own[0]).toBe(older[1])
  },
  SLOW,
)

test(
  'a backup that was not verified is not counted among the kept ones, and the same file is verified again',
  async () => {
    const folder = await folderOf('unverified')
    const older = 'kasir-20200101T000000Z.tar.gz'
    await writeFile(path.join(folder, older), 'x')
    const options = ['--every', '24h', '--keep', '1', '--verify']
    const files = await interrupted(folder, options)
    expect(files).toEqual([older, expect.stringMatching(OWN)])
    const { out } = await run(folder, options)
    expect(out).toContain('Verified: the backup was restored into a temporary database')
    expect(await readdir(folder)).toEqual(files.slice(1))
  },
  SLOW,
)

test(
  'a backup that cannot be restored removes no older file, and is removed if it is damaged',
  async () => {
    const folder = await folderOf('damaged')
    const older = 'kasir-20200101T000000Z.tar.gz'
    await writeFile(path.join(folder, older), 'x')
    const options = ['--every', '24h', '--keep', '1', '--verify']
    const [, damaged = ''] = await interrupted(folder, options)
    await writeFile(path.join(folder, damaged), 'x')
    const { code, out } = await run(folder, options)
    expect(code).toBe(0)
    expect(out).toContain('The backup failed: ')
    expect(out).toContain(`Removed: ${damaged}.\n`)
    expect(await readdir(folder)).toEqual([older])
  },
  SLOW,
)

const VERIFIED = ['--every', '24h', '--keep', '2', '--verify']

const copiesIn = async (temporary: string) =>
  (await readdir(temporary)).filter((name) => name.startsWith('kasir-verify-'))

/** Starts a run with this temporary folder, and waits until it restores a backup there, beside the copy `left`. */
async function verifyingIn(folder: string, temporary: string, left = '') {
  const child = spawn(process.execPath, [...program(), 'backup', folder, ...VERIFIED], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env({ TMPDIR: temporary }) },
    stdio: 'ignore',
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let postgres = 0
  const isReady = async () => {
    const copy = (await copiesIn(temporary)).find((name) => name !== left) ?? 'none'
    const file = path.join(temporary, copy, 'data/postgres/postmaster.pid')
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.includes('ready')) postgres = Number.parseInt(text, 10)
    return postgres > 0
  }
  await expect.poll(isReady, { timeout: 60_000, interval: 20 }).toBe(true)
  return { child, ended, postgres }
}

/** The fields of /proc/<pid>/stat behind the name: first the state, as the 17th the priority. Empty without a process. */
const statOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ') ?? []
/** A killed parent leaves a zombie (Z) until the system collects it. */
const isRunning = async (pid: number) => !['Z', undefined].includes((await statOf(pid))[0])

test(
  'a verification that is ended stops its database and leaves no copy of the books',
  async () => {
    const [folder, temporary] = [await folderOf('ended'), await folderOf('ended-tmp')]
    await chmod(temporary, 0o711)
    const { child, ended, postgres } = await verifyingIn(folder, temporary)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await copiesIn(temporary)).toEqual([])
    expect(await isRunning(postgres)).toBe(false)
  },
  SLOW,
)

test(
  'the next verification removes the copy of the books that a killed one left, stops its database and runs at low priority',
  async () => {
    const [folder, temporary] = [await folderOf('killed'), await folderOf('killed-tmp')]
    await chmod(temporary, 0o711)
    const killed = await verifyingIn(folder, temporary)
    killed.child.kill('SIGKILL')
    await killed.ended
    const [left = ''] = await copiesIn(temporary)
    expect(left).not.toBe('')
    expect(await isRunning(killed.postgres)).toBe(true)
    const again = await verifyingIn(folder, temporary, left)
    expect((await statOf(again.postgres))[16]).toBe('19')
    expect(await copiesIn(temporary)).not.toContain(left)
    expect(await isRunning(killed.postgres)).toBe(false)
    again.child.kill('SIGTERM')
    await again.ended
    expect(await copiesIn(temporary)).toEqual([])
  },
  SLOW,
)

test(
  'a verification that would fill its disk does not begin: it says how much space it needs, and the backup stays',
  async ({ skip }) => {
    const disk = await openSmallDisk(64)
    if (disk === null) return skip('this machine mounts no file system for a test')
    try {
      const folder = await folderOf('small')
      const { code, out } = await run(folder, VERIFIED, DUE, { TMPDIR: disk.folder })
      expect(code).toBe(0)
      expect(out).toMatch(
        new RegExp(
          `^The backup failed: The backup was not verified: that needs \\d+ MiB in ${disk.folder}, where \\d+ MiB are free\\.`,
          'm',
        ),
      )
      expect(out).toContain('set TMPDIR')
      const [name = ''] = (await readdir(folder)).filter((file) => OWN.test(file))
      expect(await readdir(folder)).toEqual([name, `${name}.unverified`])
    } finally {
      await disk.close()
    }
  },
  SLOW,
)

test(
  'a file that is dated in the future goes before the backup that was just taken',
  async () => {
    const folder = await folderOf('future')
    const future = 'kasir-20990101T000000Z.tar.gz'
    await writeFile(path.join(folder, future), 'x')
    const { out } = await run(folder, ['--every', '24h', '--keep', '1'])
    expect(out).toContain(`Removed: ${future}.\n`)
    const left = await readdir(folder)
    expect(left).toEqual([expect.stringMatching(OWN)])
    expect(left).not.toContain(future)
  },
  SLOW,
)

test(
  'while the books are inconsistent, the good backups stay and only the newest inconsistent ones are kept',
  async () => {
    const folder = await folderOf('inconsistent')
    const good = ['kasir-20200101T000000Z.tar.gz', 'kasir-20200104T000000Z.tar.gz']
    const inconsistent = ['kasir-20200102T000000Z.tar.gz', 'kasir-20200103T000000Z.tar.gz']
    for (const name of [...good, ...inconsistent]) await writeFile(path.join(folder, name), 'x')
    for (const name of inconsistent) await writeFile(path.join(folder, `${name}.inconsistent`), '')
    const level = (change: string) =>
      deps().pool.query(
        `update stock_levels set quantity = quantity ${change} where ctid = (select ctid from stock_levels limit 1)`,
      )
    await level('+ 1')
    const { out } = await run(folder, ['--every', '24h', '--keep', '2'])
    await level('- 1')
    expect(out).toContain('No good backup is removed while the books are inconsistent.')
    expect(out).toContain(`Removed: ${inconsistent[0]}.\n`)
    const left = (await readdir(folder)).filter((name) => OWN.test(name)).sort()
    expect(left).toEqual([good[0], inconsistent[1], good[1], expect.stringMatching(OWN)])
  },
  SLOW,
)

test(
  'a restart within the interval waits for the rest of it and adds no backup',
  async () => {
    const folder = await folderOf('waiting')
    await run(folder, ['--every', '24h'])
    const before = await readdir(folder)
    expect(before).toHaveLength(1)
    const { code, out } = await run(folder, ['--every', '24h'])
    expect(code).toBe(0)
    expect(out).toMatch(/^The next backup is due at \S+Z\.\n$/)
    expect(await readdir(folder)).toEqual(before)
  },
  SLOW,
)

test(
  'the next backup is due one interval after the last one was taken, however long its verification took',
  async () => {
    const folder = await folderOf('steady')
    const { out } = await run(folder, VERIFIED)
    const [name = ''] = (await readdir(folder)).filter((file) => OWN.test(file))
    const { createdAt } = await readArchiveHeader(createReadStream(path.join(folder, name)))
    const due = /^The next backup is due at (\S+Z)\.$/m.exec(out)?.[1] ?? ''
    expect(Math.abs(Date.parse(due) - Date.parse(createdAt) - 24 * 3_600_000)).toBeLessThan(500)
  },
  SLOW,
)

test(
  'a backup that fails says why, removes no older file and is tried again',
  async () => {
    const folder = await folderOf('failing')
    await writeFile(path.join(folder, 'kasir-20200101T000000Z.tar.gz'), 'x')
    const failing = kasir(
      ['backup', folder, '--every', '24h', '--keep', '1'],
      { DATABASE_URL: 'postgres://kasir@127.0.0.1:1/kasir', DATA_DIR: path.join(room, 'data') },
      { after: /^The next backup is due at /m, signal: 'SIGTERM' },
    )
    const { code, out } = await failing
    expect(code).toBe(0)
    expect(out).toContain('The backup failed: ')
    expect(await readdir(folder)).toEqual(['kasir-20200101T000000Z.tar.gz'])
  },
  SLOW,
)

test.each([
  [['x', '--keep', '7'], '--keep and --verify belong to --every'],
  [['x', '--every', '24h', '--check'], '--every writes backups'],
  [['x', '--every', 'daily'], '--every takes minutes, hours or days, such as 90m, 26h or 8d'],
  [['.', '--every', '24h', '--keep', '0'], '--keep takes a number of backups from 1 to 9999'],
  [['no-such-directory', '--every', '24h'], 'no-such-directory is not a directory: create it first.'],
])('kasir backup %j is refused with a sentence and exit code 2', async (args, sentence) => {
  const { code, err } = await kasir(['backup', ...args])
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
})
