import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { updateProduct } from '../../../src/areas/catalogue/products/service.ts'
import { incomingUploads } from '../../../src/areas/workspace/uploads/incoming.ts'
import { removeUnused, renderStoredImages } from '../../../src/areas/workspace/uploads/jobs.ts'
import { keepReferenced, storeUpload } from '../../../src/areas/workspace/uploads/service.ts'
import { NAMING_COLUMNS } from '../../../src/areas/workspace/uploads/statements.ts'
import type { ApiError } from '../../../src/core/errors.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import type { Api } from '../../support/api.ts'
import { enableModule, makeProduct } from '../../support/build.ts'
import { scopeOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { AVIF, GIF, jpegOf, jpegOfScans, pngOf, pngOfZeros, WEBP } from '../../support/images.ts'
import { waiting } from '../../support/read.ts'
import { acme, address, deps, globex, useService, workspace } from '../../support/service.ts'
import { heldBySlowReaders } from '../../support/slow-readers.ts'
import { here, put, type Signed, signUpload, upload } from '../../support/uploads.ts'

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
  ['image/jpeg', 'jpg', await jpegOf(3, 3)],
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

test.each([
  ['cut off', (await jpegOf(400, 200)).subarray(0, 1_500), 'image/jpeg', /damaged or cut off/],
  ['a PNG with two headers', pngOfZeros(8, 8, { width: 6_000, height: 6_000 }), 'image/png', /damaged/],
  ['larger than 40 megapixels', pngOfZeros(10_000, 10_000), 'image/png', /40 megapixels/],
  ['more than 64 MiB to decode', jpegOfScans(8_000, 5_000, 1), 'image/jpeg', /64 MiB/],
] as const)(
  'an image that is %s is 422 with the reason, and its address takes another',
  async (_, bytes, type, why) => {
    const signed = await signUpload(acme(), type)
    const answer = await put(signed.url, Buffer.from(bytes), type)
    expect(refusalOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'body' })
    expect(answer.error.message).toMatch(why)
    expect((await read(signed.publicUrl)).status).toBe(404)
    const good = type === 'image/png' ? PIXEL : await jpegOf(2, 2)
    expect((await put(signed.url, good, type)).status).toBe(200)
  },
)

test('a file is decoded once, whether it is refused or kept, however often it is sent', async () => {
  const { key, contentType } = await signUpload(acme())
  const { accountId } = acme().workspace
  const ticket = { key, accountId, contentType: contentType as 'image/png' }
  let decoded = 0
  const { images, ...others } = deps()
  const counting = {
    ...others,
    images: {
      ...images,
      render: (account: string, bytes: Buffer) => {
        decoded += 1
        return images.render(account, bytes)
      },
    },
  }
  const broken = pngOf(90, 90).subarray(0, 200)
  for (let sent = 0; sent < 3; sent += 1)
    await expect(storeUpload(counting, ticket, broken)).rejects.toThrow(/damaged or cut off/)
  expect(decoded).toBe(1)
  for (let sent = 0; sent < 3; sent += 1) await storeUpload(counting, ticket, PIXEL)
  expect(decoded).toBe(2)
})

test('other requests are answered while a hostile image is decoded', async () => {
  const hostile = jpegOfScans(6_000, 4_000, 400)
  const signed = await signUpload(acme(), 'image/jpeg')
  let answered = false
  const sending = put(signed.url, hostile, 'image/jpeg').finally(() => {
    answered = true
  })
  let healthy = 0
  while (!answered) {
    const health = await fetch(`${address()}/api/v1/health`)
    if (health.ok && !answered) healthy += 1
  }
  await sending
  // A decode that holds the event loop lets through what came before it, and nothing else until it ends.
  expect(healthy).toBeGreaterThan(5)
})

test('an image has a thumbnail at the address that products, their matches and settings name', async () => {
  const shop = await workspace()
  const { publicUrl } = await upload(shop, pngOf(1_000, 500))
  const thumbnailUrl = `${publicUrl}.thumbnail.webp`
  const got = await read(thumbnailUrl)
  expect([got.status, got.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await read(`${publicUrl}.dots`)).status).toBe(404)
  const variants = [{ price: 1_000, barcode: '899', sku: 'KOPI' }]
  const made = await makeProduct(shop, { name: 'Kopi', imageUrl: publicUrl, variants })
  expect(made.thumbnailUrl).toBe(thumbnailUrl)
  const matchOf = async (query: string) => done(await shop.get(`/products/lookup?${query}`)).matches[0]
  for (const query of ['barcode=899', 'q=kopi', 'q=KOPI', 'q=kop', 'q=opi'])
    expect(await matchOf(query), query).toMatchObject({ imageUrl: publicUrl, thumbnailUrl })
  const [listed] = done(await shop.get('/products')).products
  expect([listed.imageUrl, listed.thumbnailUrl]).toEqual([publicUrl, thumbnailUrl])
  const change = async (patch: object) =>
    done(await shop.patch(`/products/${made.id}`, patch)).product.thumbnailUrl
  expect(await change({ name: 'Kopi tubruk' })).toBe(thumbnailUrl)
  expect(await change({ imageUrl: 'https://elsewhere.example/kopi.png' })).toBeNull()
  expect(await change({ imageUrl: publicUrl })).toBe(thumbnailUrl)
  expect(await change({ imageUrl: '' })).toBeNull()
})

test('a product that names an image of another workspace, or one that never came, has no thumbnail', async () => {
  const foreign = await upload(globex(), PIXEL)
  const unsent = await signUpload(acme())
  for (const { publicUrl } of [foreign, unsent])
    expect((await makeProduct(acme(), { imageUrl: publicUrl })).thumbnailUrl).toBeNull()
})

/** Uploads as a version left them that decoded nothing when a file came. */
async function asStoredBefore(shop: Api, keys: string[]) {
  const { storage, pool } = deps()
  for (const key of keys)
    for (const ending of ['.dots', '.thumbnail.webp']) await storage.remove(key + ending)
  const { accountId } = shop.workspace
  for (const table of ['products', 'settings'])
    await pool.query(`update ${table} set thumbnail_url = null where account_id = $1`, [accountId])
  await pool.query('update uploads set rendered_at = null, width = null where account_id = $1', [accountId])
}

test('images from before get thumbnails and their records name them; one that cannot be decoded is tried once', async () => {
  const shop = await workspace()
  const [whole, broken] = [await upload(shop, pngOf(40, 20)), await upload(shop, pngOf(50, 20))]
  const made = await makeProduct(shop, { imageUrl: whole.publicUrl })
  const other = await makeProduct(shop, { imageUrl: broken.publicUrl })
  done(await shop.put('/settings', { logoUrl: whole.publicUrl }))
  await asStoredBefore(shop, [whole.key, broken.key])
  await deps().storage.put(broken.key, pngOf(50, 20).subarray(0, 90), 'image/png')
  const thumbnails = async () => {
    const products = await Promise.all([made, other].map(({ id }) => shop.get(`/products/${id}`)))
    const { settings } = done(await shop.get('/settings'))
    return [...products.map((answer) => done(answer).product.thumbnailUrl), settings.thumbnailUrl]
  }
  expect(await thumbnails()).toEqual([null, null, null])
  await renderStoredImages(deps())
  const thumbnailUrl = `${whole.publicUrl}.thumbnail.webp`
  expect(await thumbnails()).toEqual([thumbnailUrl, null, thumbnailUrl])
  expect((await read(thumbnailUrl)).status).toBe(200)
  // The image itself is shown as before.
  expect((await read(broken.publicUrl)).status).toBe(200)
  const { images, ...others } = deps()
  const render = () => Promise.reject(new Error('decoded again'))
  await renderStoredImages({ ...others, images: { ...images, render } })
})

test('a product that is saved while its image is decoded by the job gets the thumbnail', async () => {
  const shop = await workspace()
  const { key, publicUrl } = await upload(shop, PIXEL)
  await asStoredBefore(shop, [key])
  const scope = scopeOf(shop)
  const made = await makeProduct(shop)
  const { running } = await inTx(deps().db, async (tx) => {
    const product = await updateProduct(tx, scope, made.id, { imageUrl: publicUrl })
    expect(product.thumbnailUrl).toBeNull()
    const job = renderStoredImages(deps())
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    return { running: job }
  })
  await running
  const { product } = done(await shop.get(`/products/${made.id}`))
  expect(product.thumbnailUrl).toBe(`${publicUrl}.thumbnail.webp`)
})

test('an image that is removed while the job decodes it leaves no file', async () => {
  const shop = await workspace()
  const { key } = await upload(shop, PIXEL)
  await asStoredBefore(shop, [key])
  const { images, ...others } = deps()
  const render: typeof images.render = async (accountId, bytes) => {
    await removeUnused(deps())
    clock.advance(7 * 86_400_000 + 1)
    await removeUnused(deps())
    return images.render(accountId, bytes)
  }
  await renderStoredImages({ ...others, images: { ...images, render } })
  const name = fileOf(key)
  expect((await files()).filter((file) => file.startsWith(name))).toEqual([])
})

test('5 MiB are kept and one byte more is 413, announced or not', async () => {
  const MAX = 5 * 1024 * 1024
  const large = (length: number) => Buffer.concat([PIXEL, Buffer.alloc(length - PIXEL.length)])
  const signed = await signUpload(acme())
  const whole = large(MAX + 1)
  const announced = await put(signed.url, whole)
  expect(refusalOf(announced)).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(whole)
      controller.close()
    },
  })
  const streamed = await put(signed.url, stream, 'image/png', { duplex: 'half' } as RequestInit)
  expect(refusalOf(streamed)).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
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

/** An upload that has sent its first bytes and waits before the next. */
async function trickle(shop: Api) {
  const signed = await signUpload(shop)
  const { hostname, port, pathname, search } = new URL(here(signed.url))
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (text) => (answer += text.toString('latin1')))
  socket.on('error', () => {})
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: ${PIXEL.length}\r\n\r\n`,
  )
  await new Promise<void>((resolve) => socket.write(PIXEL.subarray(0, 9), () => resolve()))
  return {
    finish: async () => {
      socket.write(PIXEL.subarray(9))
      await expect.poll(() => answer.slice(9, 12)).not.toBe('')
      return Number(answer.slice(9, 12))
    },
    close: () => socket.destroy(),
  }
}

test('slow senders of some workspaces keep no other workspace from uploading', async () => {
  const shops = [await workspace(), await workspace(), await workspace()]
  const slow = await Promise.all(shops.flatMap((shop) => Array.from({ length: 8 }, () => trickle(shop))))
  try {
    const other = await workspace()
    await upload(other, PIXEL)
    // Each of these has its own bound.
    const [crowded] = shops
    if (!crowded) throw new Error('there are three')
    const signed = await signUpload(crowded)
    await expect
      .poll(async () => refusalOf(await put(signed.url, PIXEL)))
      .toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(await slow[0]?.finish()).toBe(200)
    expect((await put(signed.url, PIXEL)).status).toBe(200)
  } finally {
    for (const one of slow) one.close()
  }
})

test('when memory is taken, an unfinished upload of the workspace that holds most gives way', async () => {
  const receive = incomingUploads({ maxHeld: 1_000 })
  const open = (accountId: string, work = async (bytes: Buffer) => `${accountId} ${bytes.length}`) => {
    const body = new PassThrough()
    const outcome = receive(accountId, { body, announced: undefined }, work).catch(
      (error: ApiError) => error.code,
    )
    return { body, outcome }
  }
  const [small, first, second] = [open('small'), open('many'), open('many')]
  small.body.write(Buffer.alloc(200))
  first.body.write(Buffer.alloc(300))
  second.body.write(Buffer.alloc(400))
  const last = open('small')
  last.body.write(Buffer.alloc(150))
  expect(await second.outcome).toBe('SERVICE_UNAVAILABLE')
  // What it still sends takes no memory.
  second.body.end(Buffer.alloc(5_000))
  for (const { body } of [small, first, last]) body.end(Buffer.alloc(50))
  expect(await Promise.all([small, first, last].map(({ outcome }) => outcome))).toEqual([
    'small 250',
    'many 350',
    'small 200',
  ])
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
  expect((await files()).filter((name) => name.startsWith(fileOf(unused.key)))).toEqual([])
  expect((await files()).filter((name) => name.startsWith(fileOf(named.key))).length).toBe(3)
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
    await keepReferenced(tx, scope, [publicUrl])
    const running = removeUnused(deps())
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    return { running }
  })
  await removal.running
  expect((await read(publicUrl)).status, key).toBe(200)
})

test('the clean-up job removes what a process left that died while it wrote, and no file that is still being written', async () => {
  const parts = path.join(folder(), 'parts')
  await mkdir(parts, { recursive: true })
  const written = async (name: string, agoMs: number) => {
    await writeFile(path.join(parts, name), PIXEL)
    const then = new Date(clock.ms() - agoMs)
    await utimes(path.join(parts, name), then, then)
  }
  await written('left', 3_600_001)
  await written('coming', 3_599_000)
  await removeUnused(deps())
  expect(await readdir(parts)).toEqual(['coming'])
  await unlink(path.join(parts, 'coming'))
})

/** Takes the bytes as PUT does, with a storage that does this before it writes the image itself. */
async function keepWhile(shop: Api, { key }: Signed, before: () => Promise<unknown>) {
  const { storage, ...others } = deps()
  const put: typeof storage.put = async (at, bytes, type) => {
    if (at === key) await before()
    await storage.put(at, bytes, type)
  }
  const ticket = { key, accountId: shop.workspace.accountId, contentType: 'image/png' as const }
  return storeUpload({ ...others, storage: { ...storage, put } }, ticket, PIXEL)
}

test('the clean-up job leaves an upload that began at the last moment and is still being written', async () => {
  const shop = await workspace()
  const signed = await signUpload(shop)
  clock.advance(15 * 60_000 - 1)
  await keepWhile(shop, signed, async () => {
    clock.advance(44 * 60_000)
    await removeUnused(deps())
  })
  expect((await read(signed.publicUrl)).status).toBe(200)
  expect((await read(`${signed.publicUrl}.thumbnail.webp`)).status).toBe(200)
})

test('an upload that is stored while the clean-up job is about to remove it stays', async () => {
  const shop = await workspace()
  const { key, publicUrl } = await upload(shop, PIXEL)
  const setStored = 'update uploads set stored_at = $2 where account_id = $1'
  const { accountId } = shop.workspace
  await deps().pool.query(setStored, [accountId, null])
  clock.advance(3_600_001)
  const client = await deps().pool.connect()
  try {
    await client.query('begin')
    await client.query(setStored, [accountId, clock.now()])
    const running = removeUnused(deps())
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    await client.query('commit')
    await running
  } finally {
    client.release()
  }
  expect((await read(publicUrl)).status, key).toBe(200)
})

test('an upload that took so long that its row is gone is 404 and leaves no file', async () => {
  const shop = await workspace()
  const signed = await signUpload(shop)
  const late = keepWhile(shop, signed, async () => {
    clock.advance(3_600_001)
    await removeUnused(deps())
  })
  await expect(late).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await files()).filter((name) => name.startsWith(fileOf(signed.key)))).toEqual([])
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
    expect(answer.error.message).toMatch(/^No space left for images\./)
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

test('readers who take an image slowly hold a part of it in memory, not the whole', async () => {
  const { publicUrl } = await upload(
    acme(),
    Buffer.concat([PIXEL, Buffer.alloc(5 * 1024 * 1024 - PIXEL.length)]),
  )
  expect(await heldBySlowReaders(publicUrl, 60)).toBeLessThan(40 * 1024 * 1024)
})

test('a reader who leaves in the middle of an image leaves no file open', async () => {
  const { key, publicUrl } = await upload(
    acme(),
    Buffer.concat([PIXEL, Buffer.alloc(5 * 1024 * 1024 - PIXEL.length)]),
  )
  await heldBySlowReaders(publicUrl, 5)
  const openFiles = async () => {
    const names = await readdir('/proc/self/fd')
    const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
    return paths.filter((name) => name.endsWith(fileOf(key)))
  }
  await expect.poll(openFiles).toEqual([])
})
