import { expect, test } from 'vitest'
import type { Client } from '../harness.ts'
import { clientOf, confirmed, drafted, partner, rowsOf, usePartner } from './partner.ts'

usePartner({ noticeSchedule: [0] })

const workspace = async (externalId: string) => {
  const { data } = await partner().platform.post('/v1/workspaces', { externalId, name: 'Kedai' })
  return clientOf(partner().url, data.apiKey)
}
const balance = async (client: Client) => (await client.get('/v1/shipping-credits')).data.balance
const topup = async (client: Client, amount: number) =>
  (await client.post('/v1/shipping-credits/topup', { amount })).data
const press = (hostedUrl: string, verb: string) =>
  fetch(`${hostedUrl}/${verb}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const entries = async (client: Client) =>
  (await client.get('/v1/shipping-credits/transactions?limit=100')).data as {
    type: string
    amount: number
    balanceAfter: number
    shipmentId: string | null
  }[]

test('a fresh workspace ships at once: the confirmation is paid from the credits, and given back when nobody carries it', async () => {
  const client = await workspace('acc_fresh')
  expect(await balance(client)).toBe(1_000_000)
  const { id } = await confirmed(client, { insurance: { amount: 1_000_000 } })
  expect(await balance(client)).toBe(975_000)
  await client.post(`/v1/shipments/${id}/cancel`)
  await client.post(`/v1/shipments/${id}/cancel`)
  const lost = await confirmed(client)
  await client.post(`/v1/shipments/${lost.id}/advance`, { status: 'courier_not_found' })
  const carried = await confirmed(client)
  for (const status of ['allocated', 'picking_up', 'picked', 'return_in_transit', 'returned'])
    await client.post(`/v1/shipments/${carried.id}/advance`, { status })
  await client.post(`/v1/shipments/${(await drafted(client)).id}/cancel`)
  expect(
    (await entries(client)).map(({ type, amount, balanceAfter }) => [type, amount, balanceAfter]),
  ).toEqual([
    ['shipment', -18_000, 982_000],
    ['refund', 18_000, 1_000_000],
    ['shipment', -18_000, 982_000],
    ['refund', 25_000, 1_000_000],
    ['shipment', -25_000, 975_000],
    ['sandbox', 1_000_000, 1_000_000],
  ])
})

test('what the credits do not cover is not booked, and is once they were topped up on the page', async () => {
  const client = await workspace('acc_short')
  const dear = { insurance: { amount: 500_000_000 } }
  const { id } = await drafted(client, dear)
  const refused = await client.post(`/v1/shipments/${id}/confirm-pickup`)
  expect([refused.status, refused.error]).toEqual([
    409,
    {
      code: 'CONFLICT',
      message:
        'This shipment costs Rp 1.023.000 and the shipping credits are Rp 1.000.000; top up, then confirm again',
    },
  ])
  expect((await client.get(`/v1/shipments/${id}`)).data).toMatchObject({ status: 'draft', waybillId: null })
  const page = await topup(client, 23_000)
  expect(page).toMatchObject({ amount: 23_000, status: 'open', paidAt: null })
  expect(await (await fetch(page.hostedUrl, { headers: { 'accept-language': 'id' } })).text()).toContain(
    'Rp 23.000',
  )
  expect((await press(page.hostedUrl, 'pay')).status).toBe(303)
  expect((await client.post(`/v1/shipments/${id}/confirm-pickup`)).data.status).toBe('confirmed')
  expect(await balance(client)).toBe(0)
})

test('fifty top-ups and fifty taps on one page at once each count once', async () => {
  const client = await workspace('acc_topups')
  const pages = await Promise.all(Array.from({ length: 50 }, (_, n) => topup(client, 10_000 + n)))
  await Promise.all([
    ...pages.map(({ hostedUrl }) => press(hostedUrl, 'pay')),
    ...Array.from({ length: 50 }, () => press(pages[0].hostedUrl, 'pay')),
  ])
  expect(await balance(client)).toBe(1_000_000 + 50 * 10_000 + 1_225)
  const told = (await entries(client)).toReversed()
  expect(told).toHaveLength(51)
  let sum = 0
  for (const { amount, balanceAfter } of told) expect(balanceAfter).toBe((sum += amount))
})

test('of confirmations at once no more are booked than the credits cover', async () => {
  const client = await workspace('acc_race')
  const drafts = []
  for (let n = 0; n < 5; n += 1) drafts.push(await drafted(client, { insurance: { amount: 100_000_000 } }))
  // Each costs Rp 223.000: four of five fit.
  const answers = await Promise.all(drafts.map(({ id }) => client.post(`/v1/shipments/${id}/confirm-pickup`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 409])
  expect(await balance(client)).toBe(108_000)
})

test('confirmations and cancellations of one shipment at once pay at most once and give all of it back', async () => {
  const client = await workspace('acc_both')
  const { id } = await drafted(client)
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      client.post(`/v1/shipments/${id}/${n % 2 === 0 ? 'confirm-pickup' : 'cancel'}`),
    ),
  )
  expect((await client.get(`/v1/shipments/${id}`)).data.status).toBe('cancelled')
  expect(await balance(client)).toBe(1_000_000)
})

test('a page that was canceled, or whose day is over, is paid no more', async () => {
  const client = await workspace('acc_late')
  const canceled = await topup(client, 10_000)
  await press(canceled.hostedUrl, 'cancel')
  await press(canceled.hostedUrl, 'pay')
  const late = await topup(client, 10_000)
  const tomorrow = await partner().start({ now: () => new Date(Date.now() + 86_400_001).toISOString() })
  const there = late.hostedUrl.replace(partner().url, tomorrow.url)
  await press(there, 'pay')
  expect(await (await fetch(there, { headers: { 'accept-language': 'en' } })).text()).toContain(
    'Time to pay is over',
  )
  await tomorrow.close()
  expect(await balance(client)).toBe(1_000_000)
  expect((await fetch(`${partner().url}/topup/${'x'.repeat(32)}`)).status).toBe(404)
})

test.each([
  [{ amount: 9_999 }, 400, 'amount'],
  [{ amount: 100_000_001 }, 400, 'amount'],
  [{ amount: '20000' }, 400, 'amount'],
  [{}, 400, 'amount'],
  [{ amount: 20_000, returnUrl: 'javascript:alert(1)' }, 422, 'returnUrl'],
  [{ amount: 20_000, retrunUrl: 'https://a.example' }, 400, 'retrunUrl'],
])('a top-up of %j is refused with the field at fault', async (body, status, param) => {
  const answer = await partner().acme.post('/v1/shipping-credits/topup', body)
  expect([answer.status, answer.error?.param]).toEqual([status, param])
})

test('transactions go page by page and by type, and are those of one workspace', async () => {
  const { acme, globex } = partner()
  await confirmed(acme)
  const first = await acme.get('/v1/shipping-credits/transactions?limit=1')
  const second = await acme.get(`/v1/shipping-credits/transactions?limit=1&cursor=${first.meta.nextCursor}`)
  expect([first.data[0].type, second.data[0].type, second.meta.hasMore]).toEqual([
    'shipment',
    'sandbox',
    false,
  ])
  expect((await acme.get('/v1/shipping-credits/transactions?type=topup')).data).toEqual([])
  expect((await entries(globex)).map(({ type }) => type)).toEqual(['sandbox'])
  const strange = await acme.get('/v1/shipping-credits/transactions?cursor=c2hwXzAx')
  expect([strange.status, strange.error.param]).toEqual([400, 'cursor'])
})

test('after thirty days keys of requests, notices and pages that nobody paid are gone, and the books are not', async () => {
  const client = await workspace('acc_old')
  const paid = await topup(client, 10_000)
  await press(paid.hostedUrl, 'pay')
  await client.post('/v1/shipping-credits/topup', { amount: 10_000 }, { 'idempotency-key': 'old' })
  await confirmed(client)
  const left = async () =>
    (
      await rowsOf(`select (select count(*)::int from reference_fulfillment.idempotency_keys) as keys,
        (select count(*)::int from reference_fulfillment.notices) as notices,
        (select count(*)::int from reference_fulfillment.credit_topups where status <> 'paid') as unpaid,
        (select count(*)::int from reference_fulfillment.credit_topups where id = '${paid.id}') as paid`)
    )[0]
  await expect.poll(async () => (await left()).notices).toBeGreaterThan(0)
  // Where nobody takes notices they wait, and are of no use after a month either.
  await rowsOf(
    `insert into reference_fulfillment.notices
      select id || 'w', workspace_id, type, body, 'pending', 0, due_at + interval '1 day', null, null, created_at, updated_at
        from reference_fulfillment.notices limit 1`,
  )
  expect(await left()).toMatchObject({ keys: 1, paid: 1 })
  const options = { noticeUrl: null, now: () => new Date(Date.now() + 32 * 86_400_000).toISOString() }
  let refusals = 0
  const requireTrustedClock = async () => {
    refusals += 1
    throw new Error('the clock is wrong')
  }
  const distrusted = await partner().start({ ...options, requireTrustedClock })
  await expect.poll(() => refusals).toBe(2)
  await distrusted.close()
  expect(await left()).toMatchObject({ keys: 1, paid: 1 })
  const later = await partner().start(options)
  await expect.poll(left).toMatchObject({ keys: 0, notices: 0, unpaid: 0, paid: 1 })
  await later.close()
  expect(await entries(client)).toHaveLength(3)
})
