import { execFileSync } from 'node:child_process'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { removeUnused } from '../../../src/areas/workspace/uploads/jobs.ts'
import { keepNamed } from '../../../src/areas/workspace/uploads/service.ts'
import { NAMING_COLUMNS } from '../../../src/areas/workspace/uploads/statements.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import { enableModule, makeProduct } from '../../support/build.ts'
import { scopeOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { AVIF, GIF, jpegOf, pngOf, WEBP } from '../../support/images.ts'
import { waiting } from '../../support/read.ts'
import { acme, address, deps, globex, useService, workspace } from '../../support/service.ts'
import { here, put, signUpload, upload } from '../../support/uploads.ts'

const clock = manualClock('2026-03-01T05:00:00.000Z')
useService({ clock, env: { UPLOADS_MAX_MB: '100', PUBLIC_URL: 'https://shop.example' } })

const PIXEL = pngOf(2, 2)
const folder = () => path.join(deps().config.dataDir, 'uploads')
const read = (url: string, init: RequestInit = {}) => fetch(here(url), init)
/** The files that lie in the storage, whoever they belong to. */
const files = async () =>
  (await readdir(folder(), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
const fileOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)

test('an image is announced, sent with PUT and then read by anybody, to the byte', async () => {
  const signed = await signUpload(acme())
  const ulid = '[0-9A-HJKMNP-TV-Z]{26}'
  expect(signed).toEqual({
    key: expect.stringMatching(new RegExp(`^acc/${acme().workspace.accountId}/${ulid}\\.png$`)),
    url: expect.stringMatching(
      /^https:\/\/shop\.example\/uploads\/acc\/.*\?expires=2026-03-01T05%3A15%3A00\.000Z&signature=[\w-]{43}$/,
    ),
    publicUrl: `https://shop.example/uploads/${signed.key}`,
    contentType: 'image/png',
  })
  expect((await read(signed.publicUrl)).status).toBe(404)
  const sent = await put(signed.url, PIXEL)
  expect([sent.status, sent.data, sent.error]).toEqual([
    200,
    { key: signed.key, publicUrl: signed.publicUrl, contentType: 'image/png', size: PIXEL.length },
    null,
  ])
  const got = await read(signed.publicUrl)
  expect(got.status).toBe(200)
  expect(Buffer.from(await got.arrayBuffer())).toEqual(PIXEL)
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const etag = got.headers.get('etag') ?? ''
  const again = await read(signed.publicUrl, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const head = await read(signed.publicUrl, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PIXEL.length)])
})

test.each([
  ['image/jpeg', 'jpg', jpegOf(3, 3)],
  ['image/webp', 'webp', WEBP],
  ['image/gif', 'gif', GIF],
  ['image/avif', 'avif', AVIF],
])('%s is kept as .%s and served as what it is', async (contentType, ending, bytes) => {
  const { key, publicUrl } = await upload(acme(), bytes, contentType)
  expect(key.endsWith(`.${ending}`)).toBe(true)
  const got = await read(publicUrl)
  expect([got.status, got.headers.get('content-type')]).toEqual([200, contentType])
})

test('an ending of the type may be chosen; a media type is read whatever its case', async () => {
  const { status, data } = await acme().post('/uploads/sign', { contentType: 'IMAGE/JPEG', ext: 'JPEG' })
  expect([status, data.contentType, data.key.endsWith('.jpeg')]).toEqual([200, 'image/jpeg', true])
})

test.each([
  [{ contentType: 'image/svg+xml' }, 'contentType'],
  [{ contentType: 'text/html' }, 'contentType'],
  [{ contentType: 'image/*' }, 'contentType'],
  [{ contentType: 'image/png; charset=utf-8' }, 'contentType'],
  [{ contentType: 'image/png\r\nx: y' }, 'contentType'],
  [{}, 'contentType'],
  [{ contentType: 'constructor' }, 'contentType'],
  [{ contentType: 'image/png', ext: 'html' }, 'ext'],
  [{ contentType: 'image/png', ext: 'svg' }, 'ext'],
  [{ contentType: 'image/png', ext: 'jpg' }, 'ext'],
  [{ contentType: 'image/png', ext: '../x' }, 'ext'],
  [{ contentType: 'image/png', ext: '%2e' }, 'ext'],
  [{ contentType: 'image/png', ext: 'p'.repeat(300) }, 'ext'],
])('%j is announced in vain', async (body, param) => {
  const answer = await acme().post('/uploads/sign', body)
  expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('every part of a signed address is held to its signature', async () => {
  const signed = await signUpload(acme())
  const other = await signUpload(acme())
  const foreign = await signUpload(globex())
  const url = new URL(signed.url)
  const altered = (change: (url: URL) => void) => {
    const copy = new URL(url)
    change(copy)
    return copy.href
  }
  const set = (name: string, value: string) => altered((one) => one.searchParams.set(name, value))
  const signature = url.searchParams.get('signature') ?? ''
  const spoilt = [
    altered((one) => one.searchParams.delete('signature')),
    altered((one) => one.searchParams.delete('expires')),
    set('signature', ''),
    set('signature', signature.slice(0, -1)),
    set('signature', `${signature.slice(0, -1)}é`),
    set('signature', signature.slice(0, -1) + (signature.endsWith('A') ? 'B' : 'A')),
    set('signature', new URL(other.url).searchParams.get('signature') ?? ''),
    set('expires', '2030-01-01T00:00:00.000Z'),
    set('expires', '1e99'),
    set('expires', ` ${url.searchParams.get('expires')}`),
    `${url.href}&expires=9999999999`,
    altered((one) => void (one.pathname = new URL(other.url).pathname)),
    altered((one) => void (one.pathname = new URL(foreign.url).pathname)),
    altered((one) => void (one.pathname = one.pathname.replace('.png', '.gif'))),
    altered((one) => void (one.pathname = one.pathname.toLowerCase())),
  ]
  for (const one of spoilt) {
    expect(refusalOf(await put(one, PIXEL)), one).toEqual({ status: 403, code: 'FORBIDDEN' })
  }
  const typed = await put(signed.url, GIF, 'image/gif')
  expect(refusalOf(typed)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'content-type' })
  expect(refusalOf(await put(signed.url, PIXEL, null))).toMatchObject({ status: 400, param: 'content-type' })
  expect((await put(signed.url, PIXEL)).status).toBe(200)
})

test('an address works for 15 minutes', async () => {
  const signed = await signUpload(acme())
  const late = await signUpload(acme())
  clock.advance(15 * 60_000 - 1)
  expect((await put(signed.url, PIXEL)).status).toBe(200)
  clock.advance(1)
  expect(refusalOf(await put(late.url, PIXEL))).toEqual({ status: 403, code: 'FORBIDDEN' })
})

test('no path leads out of the storage, and none to what is no image', async () => {
  await mkdir(folder(), { recursive: true })
  await writeFile(path.join(folder(), 'secret.png'), PIXEL)
  const { accountId } = acme().workspace
  const paths = [
    '/uploads/acc/../secret.png',
    '/uploads/acc/%2e%2e/secret.png',
    '/uploads/acc/..%2f/secret.png',
    `/uploads/acc/${accountId}/..%2f..%2fsecret.png`,
    `/uploads/acc/${accountId}/%2e%2e%2fsecret.png`,
    `/uploads/acc/${accountId}/%00.png`,
    `/uploads/acc/${accountId}/x.html`,
    `/uploads/acc/${accountId}/01ARZ3NDEKTSV4RRFFQ69G5FAV.svg`,
    '/uploads/secret.png',
    '/uploads/',
    '/uploads/parts/x',
  ]
  for (const one of paths) {
    // As it is written: fetch would tidy it up.
    const answer = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(address())
      const socket = connect(Number(port), hostname, () =>
        socket.end(`GET ${one} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      )
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString('latin1')))
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer.slice(9, 12), one).toMatch(/^(404|400)$/)
  }
})

test.each([
  ['a page', Buffer.from('<html><script>alert(1)</script></html>'.padEnd(64))],
  ['a drawing with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['another type of image', GIF],
  ['three bytes', Buffer.from([1, 2, 3])],
  ['nothing', Buffer.alloc(0)],
])('%s that was announced as a PNG is not kept', async (_, bytes) => {
  const signed = await signUpload(acme())
  const answer = await put(signed.url, bytes)
  expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'body' })
  expect((await read(signed.publicUrl)).status).toBe(404)
  expect((await put(signed.url, PIXEL)).status).toBe(200)
})

test('5 MiB are kept and one byte more is 413, announced or not', async () => {
  const MAX = 5 * 1024 * 1024
  const large = (length: number) => Buffer.concat([PIXEL, Buffer.alloc(length - PIXEL.length)])
  const signed = await signUpload(acme())
  const whole = large(MAX + 1)
  const announced = await put(signed.url, whole).catch(() => null)
  // The answer may come before the body is out, and the connection ends with it.
  if (announced) expect(refusalOf(announced)).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(whole)
      controller.close()
    },
  })
  const streamed = await put(signed.url, stream, 'image/png', { duplex: 'half' } as RequestInit).catch(
    () => null,
  )
  if (streamed) expect(refusalOf(streamed)).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  expect((await read(signed.publicUrl)).status).toBe(404)
  expect((await put(signed.url, large(MAX))).status).toBe(200)
})

test('of two files that come for one address at once one is kept, and its bytes may come again', async () => {
  const signed = await signUpload(acme())
  const [one, other] = [pngOf(20, 20), pngOf(30, 30)]
  const answers = await Promise.all([one, other, one, other].map((bytes) => put(signed.url, bytes)))
  const statuses = answers.map(({ status }) => status)
  expect([statuses[0] === statuses[2], statuses[1] === statuses[3]]).toEqual([true, true])
  expect([...statuses].sort()).toEqual([200, 200, 409, 409])
  const kept = Buffer.from(await (await read(signed.publicUrl)).arrayBuffer())
  expect(kept).toEqual(statuses[0] === 200 ? one : other)
})

test('a body that breaks off leaves nothing, and the address still takes the file', async () => {
  const signed = await signUpload(acme())
  const before = await files()
  const { hostname, port, pathname, search } = new URL(here(signed.url))
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 5000\r\n\r\n`,
      )
      socket.write(PIXEL, () => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
  expect(await files()).toEqual(before)
  expect((await put(signed.url, PIXEL)).status).toBe(200)
})

test('a credential signs 60 addresses a minute', async () => {
  const shop = await workspace()
  const asked = await Promise.all(
    Array.from({ length: 61 }, () => shop.post('/uploads/sign', { contentType: 'image/gif' })),
  )
  const refused = asked.filter(({ status }) => status !== 200)
  // A hundred megabytes are twenty of the largest images.
  expect(refused.map(refusalOf)).toEqual(
    Array(41).fill({ status: 403, code: 'LIMIT_REACHED', param: 'uploads' }),
  )
  await deps().db.deleteFrom('uploads').where('accountId', '=', shop.workspace.accountId).execute()
  const rows = Array.from({ length: 60 }, (_, n) => ({
    accountId: shop.workspace.accountId,
    id: `upl_${n}`,
    key: `k${n}`,
    contentType: 'image/gif' as const,
    createdBy: shop.workspace.keyId,
    size: 1,
    sha256: 'x',
    createdAt: clock.now(),
  }))
  await deps().db.insertInto('uploads').values(rows).execute()
  clock.advance(59_000)
  const flood = await shop.post('/uploads/sign', { contentType: 'image/gif' })
  expect(refusalOf(flood)).toEqual({ status: 429, code: 'RATE_LIMITED' })
  expect(flood.headers.get('retry-after')).toBe('1')
  clock.advance(1_001)
  expect((await shop.post('/uploads/sign', { contentType: 'image/gif' })).status).toBe(200)
})

test('an image that nothing names goes after a week; one that is named stays, also when it was unused for a while', async () => {
  const shop = await workspace()
  const [unused, named, late, unsent] = [
    await upload(shop, PIXEL),
    await upload(shop, PIXEL),
    await upload(shop, PIXEL),
    await signUpload(shop),
  ]
  await makeProduct(shop, { imageUrl: named.publicUrl })
  const left = async () => {
    const rows = await deps()
      .db.selectFrom('uploads')
      .select('key')
      .where('accountId', '=', shop.workspace.accountId)
      .orderBy('id')
      .execute()
    return rows.map(({ key }) => key)
  }
  clock.advance(3_600_001)
  await removeUnused(deps())
  expect(await left()).toEqual([unused.key, named.key, late.key])
  expect(unsent.key).not.toBe('')
  await makeProduct(shop, { imageUrl: late.publicUrl })
  clock.advance(7 * 86_400_000 - 1)
  await removeUnused(deps())
  expect((await read(unused.publicUrl)).status).toBe(200)
  clock.advance(2)
  await removeUnused(deps())
  expect(await left()).toEqual([named.key, late.key])
  expect((await read(unused.publicUrl)).status).toBe(404)
  expect(await files()).not.toContain(fileOf(unused.key))
  expect((await read(named.publicUrl)).status).toBe(200)
})

test('an image that is named while others are removed stays; one that is being removed is no logo any more', async () => {
  const shop = await workspace()
  const [first, product, cover, text, logo] = [
    await upload(shop, PIXEL),
    await upload(shop, PIXEL),
    await upload(shop, PIXEL),
    await upload(shop, PIXEL),
    await upload(shop, PIXEL),
  ]
  await enableModule(shop, 'marketing')
  const made = await makeProduct(shop)
  const post = done(await shop.post('/account/blog/posts', { title: 'Baru', body: 'Besok.' })).post
  await removeUnused(deps())
  clock.advance(7 * 86_400_000 + 1)
  const refused: unknown[] = []
  const { storage } = deps()
  await removeUnused({
    ...deps(),
    storage: {
      ...storage,
      remove: async (key) => {
        if (key === first.key) {
          refused.push(refusalOf(await shop.put('/settings', { logoUrl: first.publicUrl })))
          done(await shop.patch(`/products/${made.id}`, { imageUrl: product.publicUrl }))
          done(
            await shop.patch(`/account/blog/posts/${post.id}`, {
              coverImage: cover.publicUrl,
              body: `<img src="${text.publicUrl}">`,
            }),
          )
          done(await shop.put('/settings', { logoUrl: logo.publicUrl }))
        }
        await storage.remove(key)
      },
    },
  })
  expect(refused).toEqual([{ status: 422, code: 'VALIDATION_ERROR', param: 'logoUrl' }])
  const statuses = await Promise.all(
    [first, product, cover, text, logo].map(async ({ publicUrl }) => (await read(publicUrl)).status),
  )
  expect(statuses).toEqual([404, 200, 200, 200, 200])
})

test('the removal of an image waits for whoever is naming it', async () => {
  const shop = await workspace()
  const { key, publicUrl } = await upload(shop, PIXEL)
  await removeUnused(deps())
  clock.advance(7 * 86_400_000 + 1)
  const scope = scopeOf(shop)
  const removal = await inTx(deps().db, async (tx) => {
    await keepNamed(tx, scope, [publicUrl])
    const running = removeUnused(deps())
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    return { running }
  })
  await removal.running
  expect((await read(publicUrl)).status, key).toBe(200)
})

test('what a process left that died while it wrote is removed', async () => {
  const part = path.join(folder(), 'parts', 'left')
  await mkdir(path.dirname(part), { recursive: true })
  await writeFile(part, PIXEL)
  const then = new Date(clock.ms() - 3_600_001)
  await utimes(part, then, then)
  await removeUnused(deps())
  await expect(stat(part)).rejects.toThrow('ENOENT')
})

test('every column that looks as if it named an image is known to the job that removes unused ones', async () => {
  const { rows } = await deps().pool.query(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'text'
        and column_name ~ '(image|logo|cover|photo|avatar|picture|banner|html|content$|^body$)' order by 1`,
  )
  // Texts that the service writes for itself, and a picture that lies at the payment partner.
  const others = ['events.body', 'mails.body', 'idempotency_keys.body', 'payment_sessions.qr_image_url']
  const known = [...NAMING_COLUMNS.map(([table, column]) => `${table}.${column}`), ...others]
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

test('a full disk is 503 in words for a person, leaves nothing, and the file may come again', async ({
  skip,
}) => {
  const signed = await signUpload(await workspace())
  const large = Buffer.concat([PIXEL, Buffer.alloc(200_000, 7)])
  const parts = path.join(folder(), 'parts')
  await mkdir(parts, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', parts], { stdio: 'ignore' })
  } catch {
    return skip('needs to mount a small disk')
  }
  try {
    const answer = await put(signed.url, large)
    expect(refusalOf(answer)).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(answer.error.message).toMatch(/no room left for images/)
    expect(await readdir(parts)).toEqual([])
  } finally {
    execFileSync('umount', [parts])
  }
  expect((await put(signed.url, large)).status).toBe(200)
  expect((await read(signed.publicUrl)).headers.get('content-length')).toBe(String(large.length))
})

test('a page of two hundred images gets every one of them', async () => {
  const { publicUrl } = await upload(acme(), PIXEL)
  const answers = await Promise.all(Array.from({ length: 200 }, () => read(publicUrl)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
})
