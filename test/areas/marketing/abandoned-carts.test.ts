import { beforeAll, describe, expect, test } from 'vitest'
import { remindCustomers } from '../../../src/areas/marketing/abandoned-carts/worker.ts'
import type { Api } from '../../support/api.ts'
import { makeCustomer, makeOutlet, makeVariant } from '../../support/build.ts'
import { done, refusalOf, saleOf } from '../../support/expect.ts'
import { marketer, useMarketing } from '../../support/marketing.ts'
import { acme, deps, globex } from '../../support/service.ts'

useMarketing()

const CART = '/account/abandoned-cart'
const DEFAULTS = {
  enabled: false,
  delayHours: 4,
  emailSubject: 'You left something behind',
  emailPreview: 'Your cart is waiting',
  discountCodeId: null,
  marketingCampaignId: null,
}

const remindersOf = async (api: Api) => done(await api.get(`${CART}/reminders`)).reminders

describe('settings', () => {
  test('are the defaults until they are changed, and PATCH changes what is sent', async () => {
    const unset = { ...DEFAULTS, createdAt: null, updatedAt: null }
    expect(done(await globex().get(CART)).abandonedCart).toEqual(unset)
    const set = await globex().patch(CART, { delayHours: 168, discountCodeId: 'BALIK10' })
    expect(done(set).abandonedCart).toMatchObject({ ...DEFAULTS, delayHours: 168, discountCodeId: 'BALIK10' })
    const more = await globex().patch(CART, { delayHours: 1, discountCodeId: null })
    expect(done(more).abandonedCart).toMatchObject({ ...DEFAULTS, delayHours: 1 })
  })

  test.each([
    [{ enabled: 1 }, 'enabled'],
    [{ delayHours: 0 }, 'delayHours'],
    [{ delayHours: 169 }, 'delayHours'],
    [{ delayHours: 1.5 }, 'delayHours'],
    [{ emailSubject: ' ' }, 'emailSubject'],
    [{ emailSubject: 'x'.repeat(201) }, 'emailSubject'],
    [{ emailPreview: null }, 'emailPreview'],
    [{ discountCodeId: 'x'.repeat(65) }, 'discountCodeId'],
    [{ marketingCampaignId: 'x'.repeat(65) }, 'marketingCampaignId'],
  ])('PATCH refuses %j', async (body, param) => {
    expect(refusalOf(await acme().patch(CART, body))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param,
    })
  })

  test.each([
    ['reminders?limit=0', 'limit'],
    ['reminders?limit=201', 'limit'],
    ['stats?windowDays=0', 'windowDays'],
    ['stats?windowDays=366', 'windowDays'],
  ])('GET %s is refused', async (path, param) => {
    expect(refusalOf(await acme().get(`${CART}/${path}`))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param,
    })
  })
})

describe('a bill that was left', () => {
  let shop: Api
  let outletId: string
  let variantId: string
  let ani: string

  const park = async (customerId: string | null, more: object = {}) =>
    saleOf(
      await shop.post('/sales', {
        outletId,
        status: 'PARKED',
        ...(customerId === null ? {} : { customerId }),
        items: [{ variantId, quantity: 2 }],
        ...more,
      }),
    )
  /** As if nobody had touched it for so many hours. */
  const leave = async (saleId: string, hours: number) =>
    void (await deps()
      .db.updateTable('sales')
      .set({ updatedAt: new Date(deps().clock.ms() - hours * 3_600_000).toISOString() })
      .where('id', '=', saleId)
      .execute())
  const parkAndLeave = async (hours: number, customerId: string | null = ani, more: object = {}) => {
    const { id } = await park(customerId, more)
    await leave(id, hours)
    return id
  }
  const reminded = async () =>
    (await remindersOf(shop)).map(({ transactionId }: { transactionId: string }) => transactionId)
  const pay = (id: string) => shop.post(`/sales/${id}/payments`, { method: 'CASH', amount: 20_000 })
  /** Stands for the partner, which sends it. */
  const send = (saleId: string) =>
    deps().pool.query(
      `update cart_reminders set status = 'sent', sent_at = now() - interval '1 minute', due_at = null where sale_id = $1`,
      [saleId],
    )

  beforeAll(async () => {
    shop = await marketer('Carts')
    outletId = await makeOutlet(shop)
    variantId = await makeVariant(shop, { price: 10_000, trackStock: false })
    ani = await makeCustomer(shop, { name: 'Ani', email: 'ani@example.test' })
    done(await shop.patch(CART, { enabled: true, delayHours: 2 }))
  })

  test('gets one reminder, however often and however many processes look', async () => {
    const id = await parkAndLeave(3)
    await Promise.all(Array.from({ length: 8 }, () => remindCustomers(deps())))
    await remindCustomers(deps())
    const reminders = await remindersOf(shop)
    expect(reminders).toEqual([
      {
        id: `abr_${id.slice(4)}`,
        transactionId: id,
        customerId: ani,
        email: 'ani@example.test',
        cartTotal: 20_000,
        status: 'scheduled',
        scheduledAt: expect.any(String),
        sentAt: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(await remindersOf(acme())).toEqual([])
  })

  test('is only one that can be reminded of: with an address, unpaid, not touched lately and not long forgotten', async () => {
    const budi = await makeCustomer(shop, { name: 'Budi' })
    const prepaid = await parkAndLeave(3, ani, { payments: [{ method: 'CASH', amount: 20_000 }] })
    const none = [
      await parkAndLeave(1),
      await parkAndLeave(3, budi),
      await parkAndLeave(3, null),
      await parkAndLeave(24 * 31),
      prepaid,
    ]
    const late = await parkAndLeave(24 * 29)
    await remindCustomers(deps())
    const found = await reminded()
    expect(found).toContain(late)
    expect(none.filter((id) => found.includes(id))).toEqual([])
  })

  test('is none while the module or the reminders are off', async () => {
    const id = await parkAndLeave(3)
    done(await shop.patch(CART, { enabled: false }))
    await remindCustomers(deps())
    done(await shop.patch(CART, { enabled: true }))
    done(await shop.post('/modules', { module: 'marketing', enabled: false }))
    await remindCustomers(deps())
    done(await shop.post('/modules', { module: 'marketing', enabled: true }))
    expect(await reminded()).not.toContain(id)
    await remindCustomers(deps())
    expect(await reminded()).toContain(id)
  })

  test('is recovered when it is paid after its reminder was sent, and counted less what was given back', async () => {
    const [paid, refunded, open] = [await parkAndLeave(3), await parkAndLeave(3), await parkAndLeave(3)]
    await remindCustomers(deps())
    for (const id of [paid, refunded, open]) await send(id)
    done(await pay(paid))
    done(await pay(refunded))
    done(await shop.post(`/sales/${refunded}/refund`, { amount: 5_000 }))
    await remindCustomers(deps())
    const states = new Map(
      (await remindersOf(shop)).map((one: { transactionId: string; status: string }) => [
        one.transactionId,
        one.status,
      ]),
    )
    expect([paid, refunded, open].map((id) => states.get(id))).toEqual(['recovered', 'recovered', 'sent'])
    expect(done(await shop.get(`${CART}/stats?windowDays=7`))).toEqual({
      windowDays: 7,
      sent: 3,
      recovered: 2,
      recoveryRateBps: 6_666,
      recoveredRevenue: 35_000,
    })
    expect(done(await acme().get(`${CART}/stats`))).toEqual({
      windowDays: 30,
      sent: 0,
      recovered: 0,
      recoveryRateBps: 0,
      recoveredRevenue: 0,
    })
  })

  test('that is paid or discarded before its reminder is sent has none any more', async () => {
    const [paid, discarded] = [await parkAndLeave(3), await parkAndLeave(3)]
    await remindCustomers(deps())
    expect(await reminded()).toEqual(expect.arrayContaining([paid, discarded]))
    done(await pay(paid))
    done(await shop.post(`/sales/${discarded}/discard`))
    await remindCustomers(deps())
    const left = await reminded()
    expect([paid, discarded].filter((id) => left.includes(id))).toEqual([])
  })

  test.each([
    ['reminders are', () => shop.patch(CART, { enabled: false })],
    ['the module is', () => shop.post('/modules', { module: 'marketing', enabled: false })],
  ])('is still recovered, or loses its reminder, while %s off', async (_what, switchOff) => {
    const [sent, paid, open] = [await parkAndLeave(3), await parkAndLeave(3), await parkAndLeave(3)]
    await remindCustomers(deps())
    await send(sent)
    const left = await parkAndLeave(3)
    done(await switchOff())
    for (const id of [sent, paid]) done(await pay(id))
    await remindCustomers(deps())
    done(await shop.post('/modules', { module: 'marketing', enabled: true }))
    done(await shop.patch(CART, { enabled: true }))
    const states = new Map(
      (await remindersOf(shop)).map((one: { transactionId: string; status: string }) => [
        one.transactionId,
        one.status,
      ]),
    )
    expect([sent, paid, open, left].map((id) => states.get(id))).toEqual([
      'recovered',
      undefined,
      'scheduled',
      undefined,
    ])
  })

  test('keeps no copy of an address: an erased customer has none', async () => {
    const citra = await makeCustomer(shop, { name: 'Citra', email: 'citra@example.test' })
    const id = await parkAndLeave(3, citra)
    await remindCustomers(deps())
    done(await shop.delete(`/customers/${citra}`))
    const reminder = (await remindersOf(shop)).find(
      ({ transactionId }: { transactionId: string }) => transactionId === id,
    )
    expect(reminder.email).toBeNull()
    const { rows } = await deps().pool.query('select r::text as text from cart_reminders r')
    expect(JSON.stringify(rows)).not.toContain('citra@example.test')
  })

  test('keeps its reminder for the record of an erased customer who is no longer on the bill', async () => {
    const dian = await makeCustomer(shop, { name: 'Dian', email: 'dian@example.test' })
    const id = await parkAndLeave(3, dian)
    await remindCustomers(deps())
    await send(id)
    const bill = done(await shop.get(`/sales/${id}`)).sale
    const items = bill.items.map((item: { id: string; quantity: number }) => ({
      id: item.id,
      variantId,
      quantity: item.quantity,
    }))
    done(await shop.patch(`/sales/${id}/items`, { items, customerId: null }))
    expect(done(await shop.delete(`/customers/${dian}`))).toMatchObject({
      deactivated: true,
      customer: { name: 'Deleted customer', email: null },
    })
    const reminder = (await remindersOf(shop)).find(
      ({ transactionId }: { transactionId: string }) => transactionId === id,
    )
    expect(reminder).toMatchObject({ customerId: dian, email: null, status: 'sent' })
  })
})
