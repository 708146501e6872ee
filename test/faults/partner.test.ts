import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { sendJson, sessionOf, settingsOf, startPartner, type TestPartner } from '../support/partner.ts'
import { openShopAt, type Shop } from '../support/tills.ts'
import { queryRows } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault } from './fault.ts'
import { drawFor, rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'

const LATE = rounds(4, 1)
const OLD = rounds(40, 5)
/** The service waits ten seconds for a partner. */
const LATE_MS = 11_500

let partner: TestPartner
let database: FaultDatabase
let service: FaultyService
let shop: Shop
beforeAll(async () => {
  partner = await startPartner()
  database = await startDatabase()
  service = await createService({
    env: { ...database.env, ...settingsOf(partner), DEFAULT_TIER: 'business' },
  })
  await service.start()
  shop = await openShopAt(service.address)
  const enabled = await shop.call('/modules', { module: 'payment', enabled: true })
  expect(enabled.message).toBe('')
})
afterAll(async () => {
  await service?.stop()
  await service?.remove()
  await database?.stop()
  await partner?.close()
})

type Session = ReturnType<typeof sessionOf>
/** Opens a session for each key, once, `lateMs` after it was asked; `answer` chooses which one it answers. */
function remember(lateMs: () => number, answer: (opened: Session) => Session = (opened) => opened) {
  const byKey = new Map<string, Session>()
  partner.answers((request, response) => {
    if (request.path !== '/v1/checkout-sessions' || request.method !== 'POST')
      return partner.well(request, response)
    const key = String(request.headers['idempotency-key'])
    const opened = byKey.get(key) ?? sessionOf(request.body)
    byKey.set(key, opened)
    void sleep(lateMs()).then(() => sendJson(response, 201, { data: answer(opened) }))
    return undefined
  })
  return byKey
}

async function openBill(): Promise<string> {
  const items = [{ variantId: shop.variants[0], quantity: 1 }]
  const { data } = await shop.call('/sales', { outletId: shop.outletId, items, status: 'PARKED' })
  return data.sale.id
}
const charge = (transactionId: string, key: string) =>
  shop
    .call('/payments/qris', { transactionId }, { 'idempotency-key': key })
    .catch(() => ({ status: 0, data: null, message: 'no answer' }))
const paymentsOf = async (id: string): Promise<{ status: string; providerRef: string }[]> =>
  (await shop.call(`/sales/${id}`)).data.sale.payments
const sessionsOf = (saleId: string) =>
  queryRows<{ id: string }>(database.url, 'select id from payment_sessions where sale_id = $1', [saleId])

fault(
  `a partner answers after the timeout: ${LATE} times the repetition with the same key finds the session that it opened, and no second one`,
  async ({ row }) => {
    for (let n = 1; n <= LATE; n += 1) {
      let lateMs = LATE_MS
      const opened = remember(() => lateMs)
      const bill = await openBill()
      const late = await charge(bill, `late-${n}`)
      // A till gives up after ten seconds as well, so it may hear nothing.
      expect([0, 504]).toContain(late.status)
      expect(await sessionsOf(bill)).toEqual([])
      lateMs = 0
      await expect.poll(async () => (await charge(bill, `late-${n}`)).status).toBe(201)
      const [session, ...others] = [...opened.values()]
      expect(others, 'the partner opened one session').toEqual([])
      expect(await sessionsOf(bill)).toEqual([{ id: session?.id }])
      expect(await paymentsOf(bill)).toMatchObject([{ status: 'PENDING', providerRef: session?.id }])
      row.rounds = n
    }
  },
)

fault(
  `a partner answers an old request: ${OLD} times the answer of another bill of the same amount is refused with 502 and changes no bill`,
  async ({ row }) => {
    const draw = drawFor('old answers')
    const answered: Session[] = []
    let isOld = false
    remember(
      () => 0,
      (opened) => {
        if (isOld) return draw.one(answered)
        answered.push(opened)
        return opened
      },
    )
    for (let n = 1; n <= OLD; n += 1) {
      isOld = false
      const first = await openBill()
      expect((await charge(first, `first-${n}`)).status).toBe(201)
      isOld = true
      const second = await openBill()
      const refused = await charge(second, `second-${n}`)
      expect([refused.status, await sessionsOf(second), await paymentsOf(second)]).toEqual([502, [], []])
      isOld = false
      const charged = await charge(second, `second-${n}`)
      expect([charged.status, charged.data?.transactionId]).toEqual([201, second])
      expect(await sessionsOf(first)).toHaveLength(1)
      row.rounds = n
    }
  },
)
