import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { kasir } from '../support/kasir.ts'

let database: TestDatabase
let room: string
/** A read-only mount; without the right to mount one, a directory that no user can make: it lies below a file. */
let dataDir: string
let unwritable: string
let isMounted = false
beforeAll(async () => {
  database = await cloneDatabase()
  room = await mkdtemp(path.join(tmpdir(), 'kasir-unwritable-'))
  dataDir = path.join(room, 'data')
  await mkdir(dataDir)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'none', dataDir], { stdio: 'ignore' })
    isMounted = true
    unwritable = `${dataDir} cannot be written (EROFS)`
  } catch {
    const file = path.join(room, 'file')
    await writeFile(file, '', { mode: 0o600 })
    dataDir = path.join(file, 'data')
    unwritable = `${file} cannot be written (EACCES)`
  }
})
afterAll(async () => {
  if (isMounted) execFileSync('umount', [dataDir])
  await rm(room, { recursive: true, force: true })
  await database.drop()
})

const settings = (more: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  ALLOW_UNSAFE_DATABASE: '1',
  DATA_DIR: dataDir,
  PORT: '0',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  ...more,
})
const S3 = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'kasir',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  S3_PUBLIC_URL: 'https://files.example',
}
const SMTP = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'kasir@example.com' }
const serve = (more?: Record<string, string>) =>
  kasir(['serve'], settings(more), { after: /is ready at/, signal: 'SIGTERM' })

test('a service with DATABASE_URL that cannot write its data directory does not start, and says which settings replace it', async () => {
  const { code, out, err } = await serve()
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(
    `${unwritable}, and uploaded images and mails are stored there: make DATA_DIR writable for the user that runs Kasir, or set S3_ENDPOINT and SMTP_URL.`,
  )
})

test('the refusal names only what the settings still leave to the data directory', async () => {
  const [mails, images] = await Promise.all([serve(S3), serve(SMTP)])
  expect(mails.err).toContain(`${unwritable}, and mails are stored there:`)
  expect(mails.err).toContain('or set SMTP_URL.')
  expect(images.err).toContain(`${unwritable}, and uploaded images are stored there:`)
  expect(images.err).toContain('or set S3_ENDPOINT.')
  expect([mails.code, images.code]).toEqual([1, 1])
})

test('a service whose settings leave nothing to the data directory starts without one, and kasir doctor finds no fault in it', async () => {
  const elsewhere = { ...S3, ...SMTP }
  const { code, out } = await serve(elsewhere)
  expect(out).toContain('is ready at')
  expect(code).toBe(0)
  const examined = await kasir(['doctor'], settings(elsewhere))
  expect(examined.out).toContain(`${unwritable}; these settings store nothing in it`)
})
