import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import { pngOf } from '../../support/images.ts'
import { clientOf, partner, rowsOf, usePartner } from './partner.ts'

const clock = manualClock('2026-03-01T05:00:00.000Z')
const room = await mkdtemp(path.join(tmpdir(), 'kasir-marketing-mail-'))
const mail = { smtpUrl: null, from: 'no-reply@kasir.example', dir: room }
usePartner({ now: () => clock.now(), mail })

const acme = () => partner().acme
const discount = async (body: object) => {
  const { status, data } = await acme().post('/v1/discounts', body)
  expect(status).toBe(201)
  return data
}
const redeem = async (reference: string, body: object) =>
  (await acme().put(`/v1/redemptions/${reference}`, body)).data
const usesOf = async (id: string) => (await acme().get(`/v1/discounts/${id}`)).data.uses

test('a code takes off what it says, and says why when it takes nothing', async () => {
  const value = async (discountCode: string, subtotal: number) =>
    (await acme().post('/v1/valuations', { subtotal, discountCode })).data
  await discount({ code: 'hemat10', kind: 'percent', value: 10, minSubtotal: 20_000, maxDiscount: 5_000 })
  await discount({ code: 'LIMARIBU', kind: 'fixed', value: 5_000 })
  await discount({ code: 'NANTI', kind: 'fixed', value: 1, startsAt: '2026-03-02T00:00:00.000Z' })
  await discount({ code: 'DULU', kind: 'fixed', value: 1, endsAt: '2026-03-01T05:00:00.000Z' })
  await discount({ code: 'MATI', kind: 'fixed', value: 1, isActive: false })
  expect(await value('Hemat10', 25_005)).toEqual({
    promoDiscount: 2_500,
    discount: { code: 'Hemat10', amount: 2_500, reason: null },
    points: null,
  })
  const cases: [string, number, number, string | null][] = [
    ['HEMAT10', 100_000, 5_000, null],
    ['HEMAT10', 19_999, 0, 'BELOW_MINIMUM'],
    ['LIMARIBU', 3_000, 3_000, null],
    ['NANTI', 1_000, 0, 'NOT_STARTED'],
    ['DULU', 1_000, 0, 'ENDED'],
    ['MATI', 1_000, 0, 'INACTIVE'],
    ['TIDAKADA', 1_000, 0, 'UNKNOWN_CODE'],
  ]
  for (const [code, subtotal, amount, reason] of cases) {
    const { promoDiscount, discount: found } = await value(code, subtotal)
    expect([code, promoDiscount, found.reason]).toEqual([code, amount, reason])
  }
  const other = await partner().globex.post('/v1/valuations', { subtotal: 50_000, discountCode: 'HEMAT10' })
  expect(other.data.discount.reason).toBe('UNKNOWN_CODE')
  expect((await acme().post('/v1/discounts', { code: 'HEMAT10', kind: 'fixed', value: 1 })).error).toEqual({
    code: 'CONFLICT',
    message: 'Another discount has this code',
    param: 'code',
  })
})

test('the period of a code is compared as time, and kept in UTC', async () => {
  const period = (startsAt: string, endsAt: string) => ({
    code: `JAM${endsAt.slice(11, 13)}`,
    kind: 'fixed',
    value: 1,
    startsAt,
    endsAt,
  })
  // As texts these two are in the order that they do not have as times.
  const evening = await discount(period('2026-03-01T20:00:00+07:00', '2026-03-01T14:00:00Z'))
  const utc = { startsAt: '2026-03-01T13:00:00.000Z', endsAt: '2026-03-01T14:00:00.000Z' }
  expect(evening).toMatchObject(utc)
  expect((await acme().get(`/v1/discounts/${evening.id}`)).data).toMatchObject(utc)
  const ended = { status: 422, error: { param: 'endsAt' } }
  expect(
    await acme().post('/v1/discounts', period('2026-03-01T13:00:00Z', '2026-03-01T19:00:00+07:00')),
  ).toMatchObject(ended)
  const change = (endsAt: string) => acme().patch(`/v1/discounts/${evening.id}`, { endsAt })
  expect(await change('2026-03-01T20:00:00+07:00')).toMatchObject(ended)
  expect((await change('2026-03-01T20:30:00+07:00')).data).toMatchObject({
    endsAt: '2026-03-01T13:30:00.000Z',
  })
})

test('a code that is used up serves one sale more only when another gives it back', async () => {
  const { id } = await discount({ code: 'SATU', kind: 'fixed', value: 1_000, maxUses: 1 })
  const body = { subtotal: 10_000, discountCode: 'SATU' }
  const both = await Promise.all([redeem('sale-1', body), redeem('sale-2', body)])
  expect(both.map(({ promoDiscount }) => promoDiscount).toSorted()).toEqual([0, 1_000])
  const [has, hasNot] = both[0]?.promoDiscount === 1_000 ? ['sale-1', 'sale-2'] : ['sale-2', 'sale-1']
  for (const subtotal of [10_000, 500]) {
    expect((await redeem(has, { subtotal, discountCode: 'SATU' })).promoDiscount).toBe(
      Math.min(subtotal, 1_000),
    )
    expect(await usesOf(id)).toBe(1)
  }
  for (const verb of ['confirm', 'confirm']) {
    const { data } = await acme().post(`/v1/redemptions/${has}/${verb}`)
    expect([data.status, data.promoDiscount]).toEqual(['redeemed', 500])
  }
  expect((await redeem(has, body)).promoDiscount).toBe(500)
  for (const verb of ['release', 'release'])
    expect((await acme().post(`/v1/redemptions/${has}/${verb}`)).data.status).toBe('released')
  expect(await usesOf(id)).toBe(0)
  expect((await redeem(hasNot, body)).promoDiscount).toBe(1_000)
  await acme().post(`/v1/redemptions/${hasNot}/release`)
  await acme().post(`/v1/redemptions/${hasNot}/confirm`)
  expect(await usesOf(id)).toBe(1)
  expect((await acme().post('/v1/redemptions/none/confirm')).status).toBe(404)
  expect((await partner().globex.get(`/v1/redemptions/${has}`)).status).toBe(404)
})

test('points are worth what the merchant says, pay no more than the goods, and are spent once', async () => {
  expect((await acme().put('/v1/points/settings', { pointValue: 50 })).data).toEqual({ pointValue: 50 })
  const customer = { id: 'cus_1', pointsBalance: 100 }
  const wanted = (points: number, subtotal = 10_000) => ({ subtotal, points, customer })
  expect((await redeem('p-1', wanted(60))).points).toEqual({
    asked: 60,
    used: 60,
    amount: 3_000,
    reason: null,
  })
  expect((await redeem('p-2', wanted(41))).points).toEqual({
    asked: 41,
    used: 0,
    amount: 0,
    reason: 'NOT_ENOUGH_POINTS',
  })
  expect((await redeem('p-1', wanted(100))).promoDiscount).toBe(5_000)
  expect((await redeem('p-1', wanted(100, 1_030))).points).toMatchObject({ used: 20, amount: 1_000 })
  await acme().post('/v1/redemptions/p-1/confirm')
  expect((await acme().get('/v1/points/customers/cus_1')).data).toEqual({
    customerId: 'cus_1',
    redeemed: 20,
    reserved: 0,
    pointValue: 50,
  })
  expect((await redeem('p-2', wanted(81))).promoDiscount).toBe(0)
  expect((await redeem('p-2', wanted(80))).promoDiscount).toBe(4_000)
  expect((await redeem('p-3', { subtotal: 1_000, points: 1 })).points.reason).toBe('NO_CUSTOMER')
  await discount({ code: 'SEMUA', kind: 'percent', value: 100 })
  const all = await redeem('p-4', {
    subtotal: 1_000,
    points: 1,
    customer: { id: 'cus_2', pointsBalance: 5 },
    discountCode: 'SEMUA',
  })
  expect([all.promoDiscount, all.points.used]).toEqual([1_000, 0])
})

/** Mails as their readers see them: header lines unfolded, quoted-printable undone. */
const mails = async () =>
  Promise.all(
    (await readdir(room)).toSorted().map(async (name) => {
      const raw = (await readFile(path.join(room, name), 'utf8')).replaceAll('\r\n', '\n')
      const [head = ''] = raw.split('\n\n', 1)
      const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n')
      const text = raw
        .slice(head.length)
        .replaceAll('=\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      return { headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2))), text }
    }),
  )
const reminder = (reference: string, more: object = {}) => ({
  reference,
  to: { email: 'ani@example.test', name: 'Ani' },
  subject: 'Keranjang',
  cart: { total: 12_500, items: [{ name: 'Kopi', quantity: 2 }] },
  ...more,
})

test('a reminder is one mail with names that can do nothing, and its reader can end them', async () => {
  const evil = 'Kopi\r\nBcc: victim@example.test <b>http://evil.example</b>'
  const body = reminder('abr_1', {
    to: { email: 'ani@example.test', name: evil },
    subject: evil,
    preview: evil,
    discountCode: '<i>X</i>',
    cart: { total: 12_500, items: [{ name: '<script>alert(1)</script>', quantity: 2 }] },
  })
  const made = await acme().post('/v1/reminders', body)
  expect([made.status, made.data.status]).toEqual([201, 'queued'])
  expect((await acme().post('/v1/reminders', body)).data.id).toBe(made.data.id)
  await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(1)
  await expect
    .poll(async () => (await acme().get(`/v1/reminders/${made.data.id}`)).data.status, { timeout: 20_000 })
    .toBe('sent')
  const left = await rowsOf(
    'select recipient, subject, body, html, unsubscribe_url from reference_marketing.mails',
  )
  expect(left).toEqual([{ recipient: null, subject: '', body: '', html: null, unsubscribe_url: null }])
  const [{ headers, text } = { headers: {}, text: '' }] = await mails()
  expect(headers).toMatchObject({
    To: 'ani@example.test',
    Subject: 'Kopi Bcc:',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(Object.keys(headers)).not.toContain('Bcc')
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(text).toContain('Total: Rp 12.500')
  expect(text).not.toMatch(/evil\.example|victim@/)
  const html = text.slice(text.indexOf('<!doctype html>'))
  expect([...new Set([...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag))]).toEqual([
    'html',
    'body',
    'p',
    'a',
  ])
  const [, link = ''] = /unsubscribe: (http\S+)/.exec(text) ?? []

  for (const altered of [link.slice(0, -1), `${link.slice(0, -1)}é`])
    expect((await fetch(altered)).status).toBe(404)
  expect(await (await fetch(link)).text()).toContain('No more reminders from Warung Acme?')
  // A mail lies in its mailbox for longer than the operator keeps one key.
  const rotated = await partner().start({ platformKey: 'another-platform-key-of-these-tests' })
  const later = await fetch(link.replace(partner().url, rotated.url))
  await rotated.close()
  expect(await later.text()).toContain('No more reminders from Warung Acme?')
  expect((await acme().post('/v1/reminders', reminder('abr_2'))).data.status).toBe('queued')
  expect(
    (
      await fetch(link, {
        method: 'POST',
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).status,
  ).toBe(200)
  expect(
    (await acme().post('/v1/reminders', reminder('abr_3', { to: { email: 'ANI@example.test' } }))).data
      .status,
  ).toBe('unsubscribed')
  expect((await partner().globex.post('/v1/reminders', reminder('abr_3'))).data.status).toBe('queued')
  expect(await rowsOf("select * from reference_marketing.unsubscribed where digest like '%ani%'")).toEqual([])
  const refused = await acme().post('/v1/reminders', reminder('abr_4', { to: { email: 'a@b.c,d@e.f' } }))
  expect([refused.status, refused.error.param]).toEqual([400, 'to.email'])
})

test('an avatar is an image under a key, read for some minutes at an address nobody can make', async () => {
  const png = pngOf(2, 2)
  const key = 'creators/ani 1.png'
  expect((await acme().put('/v1/avatars', { key, image: png.toString('base64') })).status).toBe(200)
  const { data } = await acme().get(`/v1/avatars?key=${encodeURIComponent(key)}`)
  expect(data).toMatchObject({ key, contentType: 'image/png', bytes: png.length })
  const read = (url: string) => fetch(`${partner().url}${url}`)
  const got = await read(data.url)
  expect([got.headers.get('content-type'), Buffer.from(await got.arrayBuffer())]).toEqual(['image/png', png])
  expect((await read(data.url.replace('ani', 'ana'))).status).toBe(404)
  expect((await read(data.url.replace(/signature=../, 'signature=%C3%A9a'))).status).toBe(404)
  expect((await read('/media/wsp_platform')).status).toBe(404)
  clock.advance(10 * 60_000)
  expect((await read(data.url)).status).toBe(404)
  expect((await acme().get('/v1/avatars?key=none')).status).toBe(404)
  expect((await partner().globex.get(`/v1/avatars?key=${encodeURIComponent(key)}`)).status).toBe(404)
  for (const image of [
    Buffer.from('<svg onload=alert(1)>'),
    Buffer.concat([png, Buffer.alloc(150 * 1024)]),
  ]) {
    const refused = await acme().put('/v1/avatars', { key, image: image.toString('base64') })
    expect(refused.error.param).toBe('image')
  }
})

test('nothing answers without a key of this partner', async () => {
  for (const key of [null, 'nonsense', 'paysk_wsp_1_x']) {
    const client = clientOf(partner().url, key)
    for (const asked of [client.get('/v1/discounts'), client.put('/v1/redemptions/x', { subtotal: 1 })])
      expect((await asked).status).toBe(401)
  }
})
