import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backUpRegularly } from '../../src/cli/regular-backups.ts'
import { BackupError } from '../../src/platform/backup/error.ts'
import { FORMAT, HEADER_ENTRY } from '../../src/platform/backup/format.ts'
import { VERSION } from '../../src/platform/version.ts'

let folder = ''
let stop = new AbortController()
let said: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kasir-schedule-'))
  stop = new AbortController()
  said = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

/** Runs until the next backup is due, or until `save` was called. */
async function backUp(save: (file: string) => Promise<boolean>, verifies = false) {
  const running = backUpRegularly({
    folder,
    everyMs: 86_400_000,
    keep: null,
    verifies,
    save,
    onVerified: async () => {},
    signal: stop.signal,
  })
  await expect.poll(() => said.join('')).toContain('The next backup is due at')
  stop.abort()
  await running
}

/** The first entry of a backup, which is all that is read of one to know when it was taken. */
async function writeHeader(name: string, createdAt: string) {
  const books = [{ schema: 'public', migrations: [] }]
  const tar = pack()
  tar.entry(
    { name: HEADER_ENTRY },
    JSON.stringify({ format: FORMAT, version: VERSION, createdAt, keyId: null, books }),
  )
  tar.finalize()
  await pipeline(tar, createGzip(), createWriteStream(path.join(folder, name)))
}

test('a backup dated in the future delays no backup', async () => {
  await writeHeader('kasir-20990101T000000Z.tar.gz', '2099-01-01T00:00:00.000Z')
  const saved: string[] = []
  await backUp(async (file) => {
    saved.push(file)
    return false
  })
  expect(saved).toHaveLength(1)
})

test('a backup of the last interval is not taken again', async () => {
  await writeHeader('kasir-20260101T000000Z.tar.gz', new Date(Date.now() - 60_000).toISOString())
  const saved: string[] = []
  await backUp(async (file) => {
    saved.push(file)
    return false
  })
  expect(saved).toEqual([])
})

test('a backup whose command fails after its file was written stays marked as not verified', async () => {
  let written = ''
  await backUp(async (file) => {
    written = path.basename(file)
    await writeFile(file, 'x')
    throw new BackupError('The disk is full.')
  }, true)
  expect(said.join('')).toContain('The backup failed: The disk is full.')
  expect(await readdir(folder)).toEqual([written, `${written}.unverified`])
})

test('a backup that fails without a file leaves no mark', async () => {
  await backUp(async () => {
    throw new BackupError('The database is away.')
  }, true)
  expect(await readdir(folder)).toEqual([])
})

test('until it is known that its books are consistent, a backup is not counted, also where none is verified', async () => {
  const during: string[][] = []
  await backUp(async (file) => {
    await writeFile(file, 'x')
    during.push(await readdir(folder))
    return false
  })
  const [name = ''] = await readdir(folder)
  expect(during).toEqual([[name, `${name}.unverified`]])
  expect(await readdir(folder)).toEqual([name])
})
