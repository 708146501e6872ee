import { afterAll, beforeAll, expect, test } from 'vitest'
import { rebuildRollups } from '../../../../src/areas/insight/reports/index.ts'
import { hasUnrolled, rollUp } from '../../../../src/areas/insight/reports/roll.ts'
import type { Answer, Api } from '../../../support/api.ts'
import {
  makeCard,
  makeComposite,
  makeCustomer,
  makeModifier,
  makeModifierGroup,
  makeVariant,
  openShift,
  openShop,
  stock,
} from '../../../support/build.ts'
import { assertInvariants, done } from '../../../support/expect.ts'
import { type Harness, startHarness } from '../../../support/service.ts'

// A sale and what is written with it have two forms, one of them for rows that are spread over workers (docs/scaling.md).
// Both are asked the same here, on plain PostgreSQL, and must say and leave the same.

let sides: { harness: Harness; stop(): Promise<void> }[]

beforeAll(async () => {
  sides = await Promise.all(
    (['auto', 'always'] as const).map((form) => startHarness({ env: { DATABASE_SHARDED: form } })),
  )
})
afterAll(async () => {
  for (const { stop } of sides) await stop()
})

const ID = /\b(?:[a-z]{2,4}_)?[0-9A-HJKMNP-TV-Z]{26}\b|\bwhd_[0-9A-Z]{26}\b/g
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g
/** Ends of secrets, which are random: codes of gift cards, secrets of webhooks. */
const CODE = /\*{4}[0-9A-Z]{4}|(?<="secretLast4":")[^"]+/g

/** Text with what differs between two runs, by kind: ids by the order in which they appear. */
function tidied(texts: readonly string[]): string[] {
  const seen = new Map<string, string>()
  const nameOf = (id: string) => {
    const known = seen.get(id) ?? `${id.split('_', 1)[0]} ${seen.size}`
    seen.set(id, known)
    return known
  }
  return texts.map((text) => text.replace(ID, nameOf).replace(TIME, 'then').replace(CODE, 'code'))
}

/** Runs the same story on both services; every answer is kept in order. */
async function onBoth(story: (api: Api, say: (answer: Answer) => Answer) => Promise<void>) {
  const told = await Promise.all(
    sides.map(async ({ harness }) => {
      const texts: string[] = []
      const api = await harness.workspace('Both')
      await story(api, (answer) => {
        texts.push(`${answer.status} ${JSON.stringify(answer.data ?? answer.error)}`)
        return answer
      })
      for (const path of [
        '/sales',
        '/inventory/movements',
        '/webhook-subscriptions/deliveries',
        '/shifts',
        '/events',
      ])
        texts.push(JSON.stringify(await everything(api, path)))
      await assertInvariants(harness.deps.db)
      return tidied(texts)
    }),
  )
  for (const [at, text] of (told[0] ?? []).entries()) expect(told[1]?.[at]).toBe(text)
  return told[0] ?? []
}

async function everything(api: Api, path: string) {
  const { status, data } = await api.get(`${path}?limit=100`)
  // Deliveries of one millisecond are in no order that means anything.
  const eventOf = ({ eventId }: { eventId?: string }) => eventId ?? ''
  return { path, status, data: data.toSorted((a: object, b: object) => eventOf(a).localeCompare(eventOf(b))) }
}

test('a sale of each kind: answers, stock, warnings, events, deliveries and receipts are the same', async () => {
  const told = await onBoth(async (api, say) => {
    done(await api.post('/webhook-subscriptions', { url: 'https://example.com/hook' }))
    const { outletId, latte, cake, bag } = await openShop(api, { taxRateBps: 1_100 })
    const milk = await makeVariant(api, { name: 'Milk', price: 1_000, cost: 500 })
    const set = await makeComposite(
      api,
      [
        [latte, 1],
        [milk, 2],
      ],
      { name: 'Set' },
    )
    const modifierId = await makeModifier(api, await makeModifierGroup(api, { name: 'Sugar' }), {
      name: 'Half',
    })
    const customerId = await makeCustomer(api)
    await stock(api, outletId, latte, 11)
    await stock(api, outletId, cake, 3)
    done(await api.put('/inventory/reorder', { outletId, variantId: cake, reorderPoint: 2 }))
    const line = (variantId: string, quantity = 1, more = {}) => ({ variantId, quantity, ...more })
    const sell = async (items: object[], more = {}, options = {}) =>
      say(await api.post('/sales', { outletId, items, status: 'COMPLETED', ...more }, options))

    await sell([line(latte, 2), line(cake)])
    await sell([line(cake, 5)])
    await sell([line(bag)], { note: 'Terima kasih 🙏 "x" \\ {{}}' })
    await sell([line(set, 2), line(latte)])
    await sell([line(latte, 1, { modifiers: [{ name: 'Half', price: 500, modifierId }] })])
    await sell([line(latte)], { customerId, payments: [{ method: 'QRIS', amount: 16_650 }] })
    await sell([line(latte), line(latte)])
    await sell([line('var_00000000000000000000000000')])
    await sell([line(latte)], { payments: [{ method: 'CASH', amount: 1 }] })
    await openShift(api, outletId, 100_000)
    await sell([line(cake)], { payments: [{ method: 'CASH', amount: 50_000 }] })
    const key = { idempotencyKey: 'once' }
    await sell([line(latte)], {}, key)
    await sell([line(latte)], {}, key)
    await sell([line(latte, 2)], {}, key)
    done(await api.put('/settings', { negativeStock: 'BLOCK' }))
    await sell([line(cake, 2)], {}, { idempotencyKey: 'refused' })
    await sell([line(latte)], {}, { idempotencyKey: 'refused' })
  })
  expect(told.map((text) => text.slice(0, 3)).slice(0, 15)).toEqual([
    '201',
    '201',
    '201',
    '201',
    '201',
    '201',
    '201',
    '404',
    '422',
    '201',
    '201',
    '201',
    '409',
    '422',
    '201',
  ])
})

test('a bill from its opening to its refund: both forms say and leave the same', async () => {
  await onBoth(async (api, say) => {
    const { outletId, latte, cake } = await openShop(api)
    await stock(api, outletId, latte, 50)
    await stock(api, outletId, cake, 50)
    const card = await makeCard(api, 20_000)
    const open = async (quantity = 2) =>
      say(
        await api.post('/sales', {
          outletId,
          items: [
            { variantId: latte, quantity },
            { variantId: cake, quantity: 1 },
          ],
        }),
      ).data.sale
    const post = async (path: string, body?: object) => say(await api.post(`/sales/${path}`, body))

    const paid = await open()
    await post(`${paid.id}/payments`, { method: 'CASH', amount: 10_000 })
    await post(`${paid.id}/payments`, { method: 'GIFT_CARD', amount: 20_000, giftCardCode: card.code })
    await post(`${paid.id}/payments`, { method: 'CASH', amount: 100_000 })
    await post(`${paid.id}/refund`, {
      lines: [{ transactionItemId: paid.items[0].id, qty: 1 }],
      restock: true,
    })
    await post(`${paid.id}/refund`, { restock: true })
    await post(`${paid.id}/refund`, {})

    const parted = await open(4)
    await post(`${parted.id}/split`, { items: [{ itemId: parted.items[0].id, quantity: 1 }] })
    const other = await open(1)
    await post(`${parted.id}/merge`, { saleId: other.id })
    await post(`${parted.id}/settle`, { payments: [{ method: 'CASH', amount: 500_000 }] })
    await post(`${parted.id}/void`)

    const left = await open()
    await post(`${left.id}/discard`)
    await post(`${left.id}/discard`)
  })
})

const KEPT = `select f.*, m.*, g.* from
    (select count(*)::int as "figures", sum(sales_count)::int as sales, sum(total)::bigint as total
      from report_figures where lens <> 'HOUR') f,
    (select sum(amount)::bigint as paid from report_methods) m,
    (select sum(revenue)::bigint as revenue from report_goods) g`

/** Events behind what is rolled up, those too that a transaction of another file holds back. */
const UNREAD = `select from events e join report_positions p on p.account_id = e.account_id
  where (e.tx, e.id) > (p.tx, p.event_id) limit 1`

test('the figures of reports: both forms keep the same, and make them anew when an outlet changes its clock', async () => {
  const keep = async ({ deps }: Harness) => {
    // The log is read below the oldest transaction of the whole server, which may be one of another file.
    const roll = async () => {
      await rollUp(deps)
      return (await hasUnrolled(deps)) || (await deps.pool.query(UNREAD)).rows.length > 0
    }
    await expect.poll(roll, { timeout: 20_000 }).toBe(false)
    const rolled = (await deps.pool.query(KEPT)).rows
    await deps.pool.query(`update outlets set timezone = 'Asia/Makassar'`)
    await expect.poll(roll, { timeout: 20_000 }).toBe(false)
    expect((await deps.pool.query(KEPT)).rows).toEqual(rolled)
    expect((await rebuildRollups(deps, () => {})).differences).toEqual([])
    return rolled
  }
  const [folded, stepwise] = await Promise.all(sides.map(({ harness }) => keep(harness)))
  expect(stepwise).toEqual(folded)
  expect(folded).toMatchObject([{ figures: expect.any(Number), sales: expect.any(Number) }])
})
