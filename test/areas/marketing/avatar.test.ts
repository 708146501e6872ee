import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { refusalOf } from '../../support/expect.ts'
import { pngOf } from '../../support/images.ts'
import { marketer } from '../../support/marketing.ts'
import { keyAtPartner, sendJson, startPartner } from '../../support/partner.ts'
import { globex, useService } from '../../support/service.ts'

const clock = manualClock('2026-03-01T05:00:00.000Z')
const partner = await startPartner()
useService({
  clock,
  env: { MARKETING_PARTNER_URL: partner.url, MARKETING_PARTNER_KEY: partner.platformKey },
})
afterAll(() => partner.close())

const PNG = pngOf(2, 2)
let shop: Api
let other: Api
beforeAll(async () => {
  shop = await marketer('Avatar')
  other = await marketer('Lain')
})

/** The partner names `url` for every picture, and sends there what `send` does. */
const pictureAt = (url: string, send: (response: ServerResponse) => void) =>
  partner.answers(({ path, query }, response) => {
    if (path !== '/v1/avatars') return send(response)
    if (query.includes('none'))
      return void sendJson(response, 404, { error: { code: 'NOT_FOUND', message: 'no' } })
    sendJson(response, 200, { data: { url } })
  })
const png = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
const read = (api: Api, key: string) =>
  api.get(`/account/marketing-media/avatar?key=${encodeURIComponent(key)}`)

test('a picture is read at the partner, may be kept for an hour, and is asked for again after that', async () => {
  pictureAt('/media/1?s=2', png)
  const before = partner.asked.length
  const got = await read(shop, 'creators/ani 1.png')
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(PNG.length),
    'cache-control': 'private, max-age=3600',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const asked = partner.asked.slice(before)
  expect(asked.map(({ path, query }) => [path, query])).toEqual([
    ['/v1/avatars', 'key=creators%2Fani+1.png'],
    ['/media/1', 's=2'],
  ])
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${keyAtPartner(shop.workspace.accountId)}`)
  expect((await read(shop, 'creators/ani 1.png')).status).toBe(200)
  expect(partner.asked.length - before).toBe(2)
  expect((await read(other, 'creators/ani 1.png')).status).toBe(200)
  expect(partner.asked.filter(({ path }) => path === '/media/1')).toHaveLength(2)
  clock.advance(3_600_000)
  expect((await read(shop, 'creators/ani 1.png')).status).toBe(200)
  expect(partner.asked.filter(({ path }) => path === '/media/1')).toHaveLength(3)
})

test.each([
  '',
  'x'.repeat(301),
  '../secret',
  'a/../b',
  'http://10.0.0.1/x',
  '//evil.example/x',
  '\\\\evil\\x',
  'data:image/png,x',
  'a\nb',
])('the key %j is refused', async (key) => {
  expect(refusalOf(await read(shop, key))).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'key' })
})

test.each([
  'http://169.254.169.254/latest/meta-data',
  '//evil.example/x.png',
  'file:///etc/passwd',
  'http://user@127.0.0.1/x',
])('an address that is not the partner’s own is never called: %s', async (url) => {
  pictureAt(url, png)
  expect(refusalOf(await read(shop, `at ${url.length}`))).toMatchObject({
    status: 502,
    code: 'PARTNER_ERROR',
  })
})

test('only an image of a bearable size passes, and what the partner does not know is 404', async () => {
  expect((await read(shop, 'none')).status).toBe(404)
  const bodies: [string, (response: ServerResponse) => void][] = [
    ['html', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>')],
    ['svg', (response) => void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>')],
    [
      'large',
      (response) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(1024 * 1024 + 1)),
    ],
  ]
  for (const [key, send] of bodies) {
    pictureAt('/media/2', send)
    expect([key, refusalOf(await read(shop, key))]).toMatchObject([
      key,
      { status: 502, code: 'PARTNER_ERROR' },
    ])
  }
})

test('without the module it is 409', async () => {
  expect(refusalOf(await read(globex(), 'a'))).toMatchObject({
    status: 409,
    code: 'MARKETING_MODULE_DISABLED',
  })
})
