import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, stock } from '../support/build.ts'
import { kasir } from '../support/kasir.ts'
import { acme, deps, useService } from '../support/service.ts'

const SLOW = 180_000
const OWN = /^kasir-\d{8}T\d{6}Z\.tar\.gz$/
useService({ synthetic: true })

let room = ''
const folderOf = async (name: string) => {
  const folder = path.join(room, name)
  await mkdir(folder, { recursive: true })
  return folder
}
const run = (folder: string, options: string[], after = /^The next backup is due at /m) =>
  kasir(
    ['backup', folder, ...options],
    {
      DATABASE_URL: deps().pool.options.connectionString ?? '',
      DATA_DIR: path.join(room, 'data'),
      ALLOW_UNSAFE_DATABASE: '1',
    },
    { after, signal: 'SIGTERM' },
  )

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
