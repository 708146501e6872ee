import { beforeAll, describe, expect, test } from 'vitest'
import { authOf, type Route } from '../../src/platform/http/route.ts'
import type { Answer, Api } from '../support/api.ts'
import { makeCustomer, makeOutlet, makeVariant, openBill } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { acme, address, globex, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { probeFor } from './probes/index.ts'
import { nameOf, send, unknownLike } from './request.ts'
import { fieldsOf, type Shape } from './schema-fields.ts'

useService()

const guarded = routes.filter((row) => authOf(row) === 'credential')
const hasCursor = (row: Route) =>
  fieldsOf((row.query ?? {}) as Shape, ['query']).some(({ place }) => place.at(-1) === 'cursor')
const lists = guarded.filter(hasCursor)
const named = (name: string) => guarded.find((row) => nameOf(row) === name) as Route

const rowsOf = (data: unknown): { id: string }[] =>
  Array.isArray(data) ? data : (Object.values(data as object).find(Array.isArray) ?? [])
const idsOf = ({ data }: Answer) => rowsOf(data).map(({ id }) => id)
/** A customer of each workspace, whose points and debts are listed, and a printer, whose drawer was opened. */
const regulars = new Map<Api, string>()
const drawers = new Map<Api, string>()
const shops = new Map<Api, { outletId: string; variantId: string }>()
const verdictOf = ({ status, error }: Answer) => [status, error?.code, error?.message, error?.param]

// Both workspaces fill every list with rows that the other must not see, in turns, so that they lie among each other.
beforeAll(async () => {
  for (const row of lists) {
    for (const api of [acme(), globex(), acme(), globex(), acme()]) await probeFor(row, api)
  }
  for (const api of [acme(), globex()]) {
    regulars.set(api, await makeCustomer(api, { creditLimit: 1_000_000 }))
    const outletId = await makeOutlet(api)
    shops.set(api, { outletId, variantId: await makeVariant(api, { price: 5_000 }) })
    const body = { outletId, name: 'Bar', kind: 'NETWORK', host: '192.168.1.50' }
    drawers.set(api, done(await api.post('/printers', { ...body, opensDrawer: true })).printer.id)
  }
  for (const api of [acme(), globex(), acme(), globex(), acme()]) {
    const adjusted = await api.post(`/customers/${regulars.get(api)}/loyalty/adjust`, { points: 1 })
    expect(adjusted.status).toBe(200)
    done(await api.post(`/printers/${drawers.get(api)}/drawer`, { reason: 'Change' }))
    const { outletId, variantId } = shops.get(api) ?? {}
    const bill = { outletId, customerId: regulars.get(api), items: [{ variantId, quantity: 1 }] }
    const { id } = await openBill(api, bill)
    done(await api.post(`/sales/${id}/payments`, { method: 'CREDIT', amount: 1 }))
    for (const name of ['POST /suppliers', 'POST /customers']) {
      const made = await send(api, named(name), await probeFor(named(name), api))
      expect([name, made.status]).toEqual([name, 201])
    }
  }
}, 120_000)

test('the lists with pages are those of the document', () => {
  expect(lists.map(nameOf).toSorted()).toEqual([
    'GET /account/blog/posts',
    'GET /account/referrals/attributions',
    'GET /account/referrals/links',
    'GET /customers',
    'GET /customers/{id}/credit',
    'GET /customers/{id}/loyalty',
    'GET /delivery/shipments',
    'GET /events',
    'GET /gift-cards',
    'GET /inventory/batches',
    'GET /inventory/expiring',
    'GET /inventory/levels',
    'GET /inventory/movements',
    'GET /print-jobs',
    'GET /printers/{id}/drawer',
    'GET /products',
    'GET /purchase-orders',
    'GET /reports/low-stock',
    'GET /sales',
    'GET /shifts',
    'GET /stock-counts',
    'GET /suppliers',
    'GET /webhook-subscriptions/deliveries',
  ])
})

describe.each(lists.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  const subjectOf = (api: Api) => (row.area === 'print-jobs' ? drawers : regulars).get(api)
  const page = (api: Api, query: string) =>
    api.get(`${row.path.replace('{id}', subjectOf(api) ?? '')}?${query}`)

  const allOf = async (api: Api) => {
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const answer = await page(api, `limit=100${cursor}`)
      ids.push(...idsOf(answer))
      if (!answer.meta.hasMore) return ids
      cursor = `&cursor=${encodeURIComponent(answer.meta.cursor)}`
    }
  }

  test('the cursor of another workspace shows no row of it, and all of ours that follow the place', async () => {
    const first = await page(globex(), 'limit=1')
    const cursor = first.meta.cursor
    expect([first.status, typeof cursor]).toEqual([200, 'string'])
    const theirs = idsOf(await page(globex(), 'limit=100'))
    const ours = await allOf(acme())
    const answer = await page(acme(), `limit=100&cursor=${encodeURIComponent(cursor)}`)
    expect(answer.status).toBe(200)
    const shown = idsOf(answer)
    expect(shown.filter((id) => theirs.includes(id))).toEqual([])
    // A place in the same order, whoever has the row it was taken from: what follows is the end of our own list.
    expect(shown).toEqual(shown.length === 0 ? [] : ours.slice(ours.indexOf(shown[0] ?? '')).slice(0, 100))
    expect(shown.length === 100 || shown.at(-1) === ours.at(-1) || shown.length === 0).toBe(true)
  })

  test('the cursor of another workspace answers as one whose row nobody has', async () => {
    const { cursor } = (await page(globex(), 'limit=1')).meta
    const parts: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const id = parts.at(-1)
    expect(id).toMatch(/^[a-z]+_[0-9A-Z]{26}$/)
    // The next id after theirs: nobody has it, and no row of ours lies between the two.
    const unknown = `${String(id).slice(0, -1)}${String(id).endsWith('Z') ? 'Y' : 'Z'}`
    const made = Buffer.from(JSON.stringify([...parts.slice(0, -1), unknown])).toString('base64url')
    const [foreign, invented] = await Promise.all(
      [cursor, made].map((one) => page(acme(), `limit=100&cursor=${encodeURIComponent(one)}`)),
    )
    expect([foreign?.status, idsOf(foreign as Answer)]).toEqual([invented?.status, idsOf(invented as Answer)])
  })
})

test.each([
  ['POST /sales', (reference: string) => ({ payments: [{ method: 'GIFT_CARD', amount: 1_000, reference }] })],
  ['POST /sales/{id}/payments', (reference: string) => ({ method: 'GIFT_CARD', amount: 1_000, reference })],
  [
    'POST /sales/{id}/settle',
    (reference: string) => ({ payments: [{ method: 'GIFT_CARD', amount: 1_000, reference }] }),
  ],
] as const)(
  '%s takes the code of a gift card of another workspace for one that nobody has',
  async (name, body) => {
    const { code, id } = (await globex().post('/gift-cards', { amount: 50_000 })).data.giftCard
    const probe = await probeFor(named(name), acme())
    const paid = (reference: string) =>
      send(acme(), named(name), { ...probe, body: { ...probe.body, ...body(reference) } })
    const [foreign, unknown] = [await paid(code), await paid(unknownLike(code))]
    expect(verdictOf(foreign)).toEqual(verdictOf(unknown))
    expect(foreign.status).toBe(422)
    const card = (await globex().get(`/gift-cards/${code}`)).data.giftCard
    expect([card.id, card.balance]).toEqual([id, 50_000])
  },
)

test('a live stream for an outlet of another workspace answers as for one that nobody has', async () => {
  const theirs = await makeOutlet(globex())
  const open = async (outletId: string) => {
    const answer = await fetch(`${address()}/api/v1/events/stream?outletId=${outletId}`, {
      headers: { authorization: `Bearer ${acme().workspace.key}` },
    })
    const { error } = (await answer.json()) as { error: unknown }
    return [answer.status, error]
  }
  const foreign = await open(theirs)
  expect(foreign).toEqual(await open(unknownLike(theirs)))
  expect(foreign[0]).toBe(404)
})
