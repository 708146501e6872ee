import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleLoose } from '../../../src/areas/partners/payments/jobs.ts'
import { addMs } from '../../../src/core/time.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { enableModule, openShop } from '../../support/build.ts'
import { cloneDatabase, type TestDatabase } from '../../support/db.ts'
import { done } from '../../support/expect.ts'
import { notify } from '../../support/notices.ts'
import { sendJson, sessionOf, settingsOfModule, startPartner } from '../../support/partner.ts'
import { type Harness, startHarness } from '../../support/service.ts'

// The operator configures another payment partner while a session is open at the first one.

const clock = manualClock('2026-03-01T00:00:00.000Z')
const HOUR_MS = 3_600_000
const AMOUNT = 30_000
const [first, second] = [await startPartner(), await startPartner()]
const NONE = { PAYMENT_PARTNER_URL: '', PAYMENT_PARTNER_KEY: '', PAYMENT_PARTNER_WEBHOOK_SECRET: '' }
const midtrans = (url: string, serverKey: string) => ({
  ...NONE,
  MIDTRANS_URL: url,
  MIDTRANS_SERVER_KEY: serverKey,
})
const [AT_FIRST, AT_SECOND] = [settingsOfModule('PAYMENT', first), settingsOfModule('PAYMENT', second)]

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await cloneDatabase()
  dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-partner-change-'))
})
afterAll(async () => {
  await Promise.all([first.close(), second.close()])
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs the service on the same database with these settings, and stops it. */
async function serving<T>(env: Readonly<Record<string, string>>, work: (harness: Harness) => Promise<T>) {
  const { harness, stop } = await startHarness({
    clock,
    database: { ...database, drop: async () => {} },
    env: { ...env, DATA_DIR: dataDir },
  })
  try {
    return await work(harness)
  } finally {
    await stop()
  }
}

/** The state of the sessions that were opened at the first partner: by either protocol, and under either path. */
const statuses = new Map<string, 'open' | 'completed'>()
const atFirst: Parameters<typeof first.answers>[0] = (request, response) => {
  const { method, path: at, body } = request
  const isMidtrans = at.startsWith('/v2/')
  if (at === '/v2/charge') {
    const { order_id } = JSON.parse(body).transaction_details
    statuses.set(order_id, 'open')
    return void sendJson(response, 200, orderOf(order_id))
  }
  if (method === 'POST' && at === '/v1/checkout-sessions') {
    const session = { ...sessionOf(body), expiresAt: addMs(clock.now(), 24 * HOUR_MS) }
    statuses.set(session.id, 'open')
    return void sendJson(response, 201, { data: session })
  }
  const id = decodeURIComponent(at.split('/')[isMidtrans ? 2 : 3] ?? '')
  const status = statuses.get(id)
  if (status === undefined) return first.well(request, response)
  if (isMidtrans) return void sendJson(response, 200, orderOf(id))
  const session = sessionOf(JSON.stringify({ amount: AMOUNT, currency: 'IDR', method: 'va' }))
  sendJson(response, 200, { data: { ...session, id, status } })
}
const orderOf = (order_id: string) => ({
  status_code: '201',
  transaction_id: `tr-${order_id.slice(-6)}`,
  order_id,
  gross_amount: `${AMOUNT}.00`,
  currency: 'IDR',
  payment_type: 'bank_transfer',
  transaction_status: statuses.get(order_id) === 'completed' ? 'settlement' : 'pending',
  va_numbers: [{ bank: 'bca', va_number: '12345678901' }],
})
/** The second partner knows no session of the first one. */
const atSecond: Parameters<typeof second.answers>[0] = (request, response) =>
  request.path.includes('/checkout-sessions/') || request.path.startsWith('/v2/')
    ? void sendJson(response, request.path.startsWith('/v2/') ? 200 : 404, {
        status_code: '404',
        error: { code: 'NOT_FOUND', message: 'no such session' },
      })
    : second.well(request, response)

/** A bill with a virtual account that is open at the first partner. */
const openAccount = (env: Readonly<Record<string, string>>) =>
  serving(env, async ({ acme }) => {
    await enableModule(acme, 'payment')
    const shop = await openShop(acme)
    const items = [{ variantId: shop.latte, quantity: 2 }]
    const sold = await acme.post('/sales', { outletId: shop.outletId, items, status: 'PARKED' })
    const saleId: string = done(sold).sale.id
    const { sessionId } = done(await acme.post('/payments/qris', { transactionId: saleId, method: 'va' }))
    return { key: acme.workspace.key, saleId, sessionId: String(sessionId) }
  })
type OpenAccount = Awaited<ReturnType<typeof openAccount>>

const statesOf = async (harness: Harness, { key, saleId, sessionId }: OpenAccount) => {
  const till = harness.as(key)
  const session = done(await till.get(`/payments/qris/${sessionId}`))
  const { sale } = done(await till.get(`/sales/${saleId}`))
  return [session.status, sale.status, ...sale.payments.map(({ status }: { status: string }) => status)]
}

test.each([
  ['at another partner', AT_FIRST, AT_SECOND],
  ['at Midtrans', AT_FIRST, midtrans(second.url, 'SB-Mid-server-second')],
  [
    'at another account of Midtrans',
    midtrans(first.url, 'SB-Mid-server-first'),
    midtrans(second.url, 'SB-Mid-server-second'),
  ],
])(
  'a session is not asked for %s, so its payment stays pending until its own partner tells',
  async (_, before, after) => {
    first.answers(atFirst)
    second.answers(atSecond)
    const account = await openAccount(before)
    const { sessionId } = account
    second.asked.length = 0
    const pending = ['pending', 'PARKED', 'PENDING']
    await serving(after, async (harness) => {
      clock.advance(4_000)
      expect(await statesOf(harness, account)).toEqual(pending)
      // After the end of the session the job looks for it too.
      clock.advance(25 * HOUR_MS)
      await settleLoose(harness.deps)
      expect(await statesOf(harness, account)).toEqual(pending)
      const asked = second.asked.filter((request) => request.path.includes(encodeURIComponent(sessionId)))
      expect(asked).toEqual([])
    })
    statuses.set(sessionId, 'completed')
    await serving(before, async (harness) => {
      clock.advance(11_000)
      await settleLoose(harness.deps)
      expect(await statesOf(harness, account)).toEqual(['paid', 'COMPLETED', 'PAID'])
    })
  },
  60_000,
)

test('a notice of the earlier partner counts while its secret is still configured', async () => {
  first.answers(atFirst)
  second.answers(atSecond)
  const account = await openAccount(AT_FIRST)
  const { saleId, sessionId } = account
  await serving(AT_SECOND, async (harness) => {
    const [sale] = (await harness.deps.pool.query('select account_id from sales where id = $1', [saleId]))
      .rows
    const [payment] = done(await harness.as(account.key).get(`/sales/${saleId}`)).sale.payments
    const metadata = { accountId: sale.account_id, transactionId: saleId, paymentId: payment.id }
    const session = {
      ...sessionOf(JSON.stringify({ amount: AMOUNT, currency: 'IDR', metadata })),
      id: sessionId,
    }
    const notice = {
      type: 'checkout_session.completed',
      data: { workspaceExternalId: sale.account_id, session: { ...session, status: 'completed' } },
    }
    expect(await notify(notice, { atMs: clock.ms(), to: harness.address })).toEqual([200, undefined])
    expect(await statesOf(harness, account)).toEqual(['paid', 'COMPLETED', 'PAID'])
  })
})

test('a session from before its partner was stored is asked for at the present partner', async () => {
  first.answers(atFirst)
  const account = await openAccount(AT_FIRST)
  statuses.set(account.sessionId, 'completed')
  await serving(AT_FIRST, async (harness) => {
    await harness.deps.pool.query('update payment_sessions set partner = null where id = $1', [
      account.sessionId,
    ])
    clock.advance(4_000)
    expect(await statesOf(harness, account)).toEqual(['paid', 'COMPLETED', 'PAID'])
  })
})
