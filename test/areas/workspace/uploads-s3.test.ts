import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, expect, test } from 'vitest'
import { removeUnused } from '../../../src/areas/workspace/uploads/jobs.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { openStorage } from '../../../src/platform/files/storage.ts'
import { refusalOf } from '../../support/expect.ts'
import { pngOf } from '../../support/images.ts'
import { acme, deps, useService } from '../../support/service.ts'
import { heldBySlowReaders } from '../../support/slow-readers.ts'
import { here, put, signUpload, upload } from '../../support/uploads.ts'

const directory = await mkdtemp(path.join(tmpdir(), 'kasir-s3-'))
const bucket = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: 'images', configs: [] }],
})
const { port } = await bucket.run()
const endpoint = `http://127.0.0.1:${port}`
let isUp = true
afterAll(async () => {
  if (isUp) await bucket.close()
  await rm(directory, { recursive: true, force: true })
})

const clock = manualClock(new Date().toISOString())
const env = {
  S3_ENDPOINT: endpoint,
  S3_BUCKET: 'images',
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
}
useService({ clock, env })

const PIXEL = pngOf(2, 2)
const read = (url: string) => fetch(here(url))

test('an image lies in the bucket with its type, and the service passes it on', async () => {
  const { key, publicUrl } = await upload(acme(), PIXEL)
  const got = await read(publicUrl)
  expect([got.status, got.headers.get('content-type'), got.headers.get('x-content-type-options')]).toEqual([
    200,
    'image/png',
    'nosniff',
  ])
  expect(sha(Buffer.from(await got.arrayBuffer()))).toBe(sha(PIXEL))
  expect(await deps().storage.get(key)).toEqual(PIXEL)
  expect((await read(publicUrl.replace(/[0-9A-Z]{4}\.png$/, 'ZZZZ.png'))).status).toBe(404)
})

test('readers who take an image of the bucket slowly hold a part of it in memory, not the whole', async () => {
  const { publicUrl } = await upload(
    acme(),
    Buffer.concat([PIXEL, Buffer.alloc(5 * 1024 * 1024 - PIXEL.length)]),
  )
  expect(await heldBySlowReaders(publicUrl, 60)).toBeLessThan(60 * 1024 * 1024)
})

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('what is unused goes from the bucket too', async () => {
  const { key } = await upload(acme(), PIXEL)
  await removeUnused(deps())
  clock.advance(7 * 86_400_000 + 1)
  await removeUnused(deps())
  expect(await deps().storage.get(key)).toBeNull()
})

test('with S3_PUBLIC_URL everybody reads the bucket there', () => {
  const { config } = deps()
  const storage = openStorage({ ...config, s3PublicUrl: 'https://cdn.example/images/' })
  expect(storage.publicUrl('acc/x/y.png')).toBe('https://cdn.example/images/acc/x/y.png')
  return storage.close()
})

test('a wrong secret is refused by the bucket, and the sender hears that the storage does not work', async () => {
  const wrong = openStorage({ ...deps().config, s3SecretAccessKey: 'wrong' })
  await expect(wrong.put('acc/x/y.png', PIXEL, 'image/png')).rejects.toThrow(/The bucket answered 403 to PUT/)
  await wrong.close()
})

test('a bucket that is away is 503, and the file may come again', async () => {
  const signed = await signUpload(acme())
  const kept = await upload(acme(), PIXEL)
  await bucket.close()
  isUp = false
  const answer = await put(signed.url, PIXEL)
  expect(refusalOf(answer)).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  const shown = await read(kept.publicUrl)
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([503, 'no-store'])
})
