import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReferenceMarketingPartner } from '../../../reference-partners/src/marketing/index.ts'
import { remindCustomers } from '../../../src/areas/marketing/abandoned-carts/worker.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { makeLog } from '../../../src/platform/log/log.ts'
import type { Api } from '../../support/api.ts'
import { makeCustomer, makeOutlet, makeVariant } from '../../support/build.ts'
import { cloneDatabase } from '../../support/db.ts'
import { done, saleOf } from '../../support/expect.ts'
import { marketer } from '../../support/marketing.ts'
import { type PartnerRequest, sendJson, startPartner } from '../../support/partner.ts'
import { deps, useService } from '../../support/service.ts'

// In front of the reference partner stands one that can fail.
const clock = manualClock('2026-03-01T05:00:00.000Z')
const database = await cloneDatabase()
const room = await mkdtemp(path.join(tmpdir(), 'kasir-reminders-'))
const front = await startPartner()
const real = await startReferenceMarketingPartner({
  databaseUrl: database.url,
  port: 0,
  platformKey: 'platform-key-of-this-test',
  webhookSecret: '',
  noticeUrl: null,
  mail: { smtpUrl: null, from: 'no-reply@kasir.example', dir: room },
  log: makeLog('fatal'),
})
useService({
  clock,
  database: await cloneDatabase(),
  env: { MARKETING_PARTNER_URL: front.url, MARKETING_PARTNER_KEY: 'platform-key-of-this-test' },
})
afterAll(async () => {
  await front.close()
  await real.close()
  await database.drop()
})

const HOUR = 3_600_000
let shop: Api
let variantId: string
let outletId: string

const handOn = () =>
  front.answers(async ({ method, path: at, headers, body }, response) => {
    const { authorization = '', 'idempotency-key': key } = headers
    const answer = await fetch(`${real.url}${at}`, {
      method,
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
      },
      body,
    })
    sendJson(response, answer.status, await answer.json())
  })
const asked = () => front.asked.filter(({ path: at }: PartnerRequest) => at === '/v1/reminders').length
const mails = async () =>
  Promise.all((await readdir(room)).toSorted().map((name) => readFile(path.join(room, name), 'utf8')))

beforeAll(async () => {
  handOn()
  shop = await marketer('Kopi Pasar')
  outletId = await makeOutlet(shop)
  variantId = await makeVariant(shop, { price: 10_000, trackStock: false })
  done(
    await shop.patch('/account/abandoned-cart', { enabled: true, delayHours: 2, emailSubject: 'Masih ada' }),
  )
})

async function left(name: string, email: string): Promise<string> {
  const customerId = await makeCustomer(shop, { name, email })
  const items = [{ variantId, quantity: 2 }]
  const { id } = saleOf(await shop.post('/sales', { outletId, status: 'PARKED', customerId, items }))
  clock.advance(3 * HOUR)
  return id
}
const reminderOf = async (saleId: string) =>
  done(await shop.get('/account/abandoned-cart/reminders')).reminders.find(
    ({ transactionId }: { transactionId: string }) => transactionId === saleId,
  )

test('a bill that was left is reminded of by one mail, however many processes look', async () => {
  const id = await left('Ani', 'ani@example.test')
  await Promise.all(Array.from({ length: 4 }, () => remindCustomers(deps())))
  expect(await reminderOf(id)).toMatchObject({ status: 'sent', sentAt: clock.now() })
  expect(asked()).toBe(1)
  await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(1)
  const [mail = ''] = await mails()
  expect(mail).toMatch(/^To: ani@example\.test\r?$/m)
  expect(mail).toMatch(/^Subject: Masih ada\r?$/m)
  expect(mail).toContain('Total: Rp 20.000')
  clock.advance(1)
  done(await shop.post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 20_000 }] }))
  await remindCustomers(deps())
  expect((await reminderOf(id)).status).toBe('recovered')
  expect(done(await shop.get('/account/abandoned-cart/stats'))).toMatchObject({ sent: 1, recovered: 1 })
})

test('a partner that is down is asked again later, and gets the reminder once although its answer was lost', async () => {
  const id = await left('Budi', 'budi@example.test')
  const before = asked()
  front.answers((request, response) => {
    handOn()
    // It has done what it was asked, and nobody hears of it.
    void fetch(`${front.url}${request.path}`, {
      method: request.method,
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': 'application/json',
        'idempotency-key': String(request.headers['idempotency-key']),
      },
      body: request.body,
    }).then(() => response.destroy())
  })
  await remindCustomers(deps())
  expect(await reminderOf(id)).toMatchObject({ status: 'scheduled', sentAt: null })
  await remindCustomers(deps())
  expect(asked() - before).toBe(2)
  clock.advance(61_000)
  await remindCustomers(deps())
  expect((await reminderOf(id)).status).toBe('sent')
  await expect
    .poll(async () => (await mails()).filter((mail) => mail.includes('budi@')).length, { timeout: 20_000 })
    .toBe(1)
})

test('a reminder that is never taken has failed after six attempts, one that is refused at once', async () => {
  const never = await left('Citra', 'citra@example.test')
  front.answers(
    (_request, response) => void sendJson(response, 403, { error: { code: 'FORBIDDEN', message: 'later' } }),
  )
  const before = asked()
  for (let run = 0; run < 9; run += 1) {
    await remindCustomers(deps())
    clock.advance(6 * HOUR + 1)
  }
  expect([asked() - before, (await reminderOf(never)).status]).toEqual([6, 'failed'])
  const refused = await left('Dewi', 'dewi@example.test')
  front.answers(
    (_request, response) =>
      void sendJson(response, 422, { error: { code: 'VALIDATION_ERROR', message: 'no', param: 'to.email' } }),
  )
  await remindCustomers(deps())
  expect((await reminderOf(refused)).status).toBe('failed')
  const erased = await left('Eka', 'eka@example.test')
  front.answers((_request, response) => void response.destroy())
  await remindCustomers(deps())
  const { customerId } = await reminderOf(erased)
  done(await shop.delete(`/customers/${customerId}`))
  handOn()
  clock.advance(HOUR)
  const sofar = asked()
  await remindCustomers(deps())
  expect([(await reminderOf(erased)).status, asked() - sofar]).toEqual(['failed', 0])
})

test('a reminder waits for the account of the workspace, which the partner refuses at first', async () => {
  const id = await left('Fajar', 'fajar@example.test')
  // The partner was exchanged, so the workspace gets an account there first.
  await deps().pool.query(
    `update modules set partner = 'another' where account_id = $1 and module = 'marketing'`,
    [shop.workspace.accountId],
  )
  for (const status of [400, 422]) {
    front.answers(
      (_request, response) =>
        void sendJson(response, status, { error: { code: 'VALIDATION_ERROR', message: 'Not set up yet' } }),
    )
    await remindCustomers(deps())
    expect((await reminderOf(id)).status).toBe('scheduled')
    clock.advance(HOUR)
  }
  handOn()
  await remindCustomers(deps())
  expect((await reminderOf(id)).status).toBe('sent')
})

test('a partner over its daily limit is left alone until Retry-After has passed, and no reminder is lost', async () => {
  const ids = [await left('Fajar', 'fajar@example.test'), await left('Gita', 'gita@example.test')]
  front.answers(
    (_request, response) =>
      void response
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '3600' })
        .end(JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'tomorrow' } })),
  )
  const before = asked()
  for (let minute = 0; minute < 10 * 60; minute += 20) {
    await remindCustomers(deps())
    clock.advance(HOUR / 3)
  }
  expect(asked() - before).toBe(10)
  expect((await Promise.all(ids.map(reminderOf))).map(({ status }) => status)).toEqual([
    'scheduled',
    'scheduled',
  ])
  handOn()
  clock.advance(HOUR)
  await remindCustomers(deps())
  expect((await Promise.all(ids.map(reminderOf))).map(({ status }) => status)).toEqual(['sent', 'sent'])
})

test('a gateway that answers 429 with a page is left alone until Retry-After has passed, and no attempt is used', async () => {
  const id = await left('Fitri', 'fitri@example.test')
  front.answers(
    (_request, response) =>
      void response
        .writeHead(429, { 'content-type': 'text/html', 'retry-after': '3600' })
        .end('<h1>Too many requests</h1>'),
  )
  const before = asked()
  await remindCustomers(deps())
  clock.advance(HOUR - 1_000)
  await remindCustomers(deps())
  const row = await deps()
    .db.selectFrom('cartReminders')
    .select(['attempts', 'status'])
    .where('saleId', '=', id)
    .executeTakeFirst()
  expect([row, asked() - before]).toEqual([{ attempts: 0, status: 'scheduled' }, 1])
  handOn()
  clock.advance(1_000)
  await remindCustomers(deps())
  expect((await reminderOf(id)).status).toBe('sent')
})

test('a reminder that is tried again is not sent for a bill that changed meanwhile: that bill is left alone for its delay first', async () => {
  const [changed, paid] = [await left('Hadi', 'hadi@example.test'), await left('Indah', 'indah@example.test')]
  front.answers((_request, response) => void response.destroy())
  await remindCustomers(deps())
  const sofar = asked()
  handOn()
  clock.advance(61_000)
  done(await shop.patch(`/sales/${changed}/items`, { items: [{ variantId, quantity: 3 }] }))
  done(await shop.post(`/sales/${paid}/payments`, { method: 'CASH', amount: 20_000 }))
  await remindCustomers(deps())
  expect([await reminderOf(changed), await reminderOf(paid), asked() - sofar]).toEqual([
    undefined,
    undefined,
    0,
  ])
  clock.advance(2 * HOUR + 1)
  await remindCustomers(deps())
  expect(await reminderOf(changed)).toMatchObject({ status: 'sent', cartTotal: 30_000 })
  await expect
    .poll(async () => (await mails()).filter((mail) => mail.includes('hadi@')), { timeout: 20_000 })
    .toEqual([expect.stringContaining('Total: Rp 30.000')])
})

test('a reminder that could not be sent for a month is dropped with its bill', async () => {
  const id = await left('Joko', 'joko@example.test')
  front.answers((_request, response) => void response.destroy())
  await remindCustomers(deps())
  handOn()
  const sofar = asked()
  clock.advance(31 * 24 * HOUR)
  await remindCustomers(deps())
  expect([await reminderOf(id), asked() - sofar]).toEqual([undefined, 0])
})

test('a workspace with sixty due reminders gets fifty in a run, and the reminder of another one is sent in it too', async () => {
  clock.advance(31 * 24 * HOUR)
  const quick = await marketer('Kopi Sepi')
  done(await quick.patch('/account/abandoned-cart', { enabled: true, delayHours: 2 }))
  const leave = async (api: Api, count: number) => {
    const items = [{ variantId: await makeVariant(api, { trackStock: false }), quantity: 1 }]
    const place = { outletId: await makeOutlet(api), status: 'PARKED', items }
    const customerId = await makeCustomer(api, { name: 'Ani', email: 'ani@example.test' })
    for (let at = 0; at < count; at += 1) saleOf(await api.post('/sales', { ...place, customerId }))
  }
  await leave(shop, 60)
  await leave(quick, 1)
  clock.advance(3 * HOUR)
  front.answers((_request, response) => void sendJson(response, 202, { data: { accepted: true } }))
  const first = asked()
  await remindCustomers(deps())
  expect(asked() - first).toBe(51)
  expect(done(await quick.get('/account/abandoned-cart/stats'))).toMatchObject({ sent: 1 })
  await remindCustomers(deps())
  expect(asked() - first).toBe(61)
})

test('reminders that are not sent, because the circuit breaker is open, keep their attempts', async () => {
  const saleIds = await Promise.all(
    Array.from({ length: 8 }, (_, n) => left(`Tamu ${n}`, `tamu${n}@example.test`)),
  )
  front.answers((_request, response) => void response.destroy())
  const before = asked()
  await remindCustomers(deps())
  const sent = asked() - before
  expect(sent).toBeLessThan(8)
  const rows = await deps()
    .db.selectFrom('cartReminders')
    .select(['attempts', 'status'])
    .where('saleId', 'in', saleIds)
    .execute()
  expect(rows.map(({ status }) => status)).toEqual(Array(8).fill('scheduled'))
  expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(sent)
})
