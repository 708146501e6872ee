import { describe, expect, test } from 'vitest'
import { type Route, recordOf } from '../../src/platform/http/route.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, deps, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { hasProbe, probeFor } from './probes/index.ts'
import { at, nameOf, type Place, type Probe, paramOf, pathOf, send, senderOf, withAt } from './request.ts'
import { fieldsOf, type Shape } from './schema-fields.ts'
import { snapshot, tablesHolding } from './snapshot.ts'
import { answering, named, tried } from './tried.ts'

useService()

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body and every object in it whose fields the route declares. */
function objectsOf(row: Route, probe: Probe): Place[] {
  const declared = fieldsOf((row.body ?? {}) as object as Shape, ['body'])
  const entries = declared
    .map(({ place }) => place.slice(0, -1))
    .filter((place) => isObject(at(probe, place)))
  return [['body'], ...new Map(entries.map((place) => [paramOf(place), place])).values()].filter(
    (place, index) => index === 0 || place.length > 1,
  )
}

/** Fields that the record has at this place and the request does not take. */
function recordOnly(row: Route, place: Place): string[] {
  const record = recordOf(row)
  if (!record) return []
  const inside = (root: Shape) =>
    place.slice(1).reduce<Shape | undefined>((shape, key) => {
      const plain = shape?.anyOf?.find((option) => option.type !== 'null') ?? shape
      return typeof key === 'number' ? plain?.items : plain?.properties?.[key]
    }, root)
  const own = inside(row.body as object as Shape)?.properties ?? {}
  return Object.keys(inside(record as object as Shape)?.properties ?? {}).filter((name) => !(name in own))
}

/** The partner keeps the origin, and an approval lives for two minutes: these records have no dates of ours. */
const UNDATED = ['PATCH /delivery/origin', 'POST /approvals']

const bodied = named(answering.filter((row) => row.body))

describe.each(bodied)('%s', (_, row) => {
  test('an unknown field, nested ones too, is 400 with its path, and nothing is written', async () => {
    const probe = await probeFor(row, acme())
    await senderOf(acme(), row)
    const before = await snapshot(deps().pool, acme())
    for (const place of objectsOf(row, probe)) {
      const planted = [...place, 'zzUnknown']
      const answer = await send(acme(), row, withAt(probe, planted, 1))
      expect([paramOf(planted), answer.status, answer.error?.code, answer.error?.param]).toEqual([
        paramOf(planted),
        400,
        'VALIDATION_ERROR',
        paramOf(planted),
      ])
    }
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })

  test('a misspelt field is refused with the field that was probably meant', async () => {
    const probe = await probeFor(row, acme())
    for (const { place } of fieldsOf(row.body as object as Shape, ['body'])) {
      const name = String(place.at(-1))
      const value = at(probe, place)
      if (value === undefined || typeof place.at(-1) === 'number' || name.length < 4) continue
      const slip = [...place.slice(0, -1), `${name}${name.at(-1)}`]
      const answer = await send(acme(), row, withAt(withAt(probe, place, undefined), slip, value))
      expect([answer.status, answer.error?.param, answer.error?.message]).toEqual([
        400,
        paramOf(slip),
        `\`${paramOf(slip)}\` is not a field of this request; did you mean \`${name}\`?`,
      ])
    }
  })

  test.runIf(recordOf(row) && !UNDATED.includes(nameOf(row)))(
    'fields of the record, sent back, are ignored',
    async () => {
      const marker = `planted${Math.random().toString(36).slice(2)}`
      const probe = await probeFor(row, acme())
      const places = objectsOf(row, probe).flatMap((place) =>
        recordOnly(row, place).map((name) => [...place, name]),
      )
      expect(places.map((place) => place.at(-1))).toContain('createdAt')
      const planted = places.reduce((filled, place) => withAt(filled, place, marker), probe)
      const answer = await send(acme(), row, planted)
      expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
      expect(answer.text).not.toContain(marker)
      expect(await tablesHolding(deps().pool, acme(), marker)).toEqual([])
    },
  )
})

describe.each(named(tried.filter((row) => row.method !== 'GET' && !row.body)))('%s', (_, row) => {
  test('takes no field at all', async () => {
    const probe = await probeFor(row, acme())
    const answer = await send(acme(), row, { ...probe, body: { reason: 'None' } })
    expect(refusalOf(answer)).toMatchObject({ status: 400, param: 'reason' })
    const empty = await send(acme(), row, { ...probe, body: {} })
    expect([empty.text, empty.status < 300]).toEqual([empty.text, true])
  })
})

/** Whoever sends a browser to these adds parameters of their own (B-public-1). */
const LENIENT = routes.filter((row) => row.acceptsUnknownQuery === true)

test('unknown query parameters pass at public addresses, and where a provider sends browsers back to, alone', () => {
  expect(named(LENIENT).map(([name]) => name)).toEqual([
    'GET /auth/oidc/callback',
    'GET /public/{accountSlug}/feed.xml',
    'GET /public/{accountSlug}/feed.csv',
    'GET /public/{accountSlug}/feed.json',
    'GET /public/{accountSlug}/blog/posts',
    'GET /public/{accountSlug}/blog/posts/{slug}',
    'GET /public/{accountSlug}/r/{code}',
  ])
})

test.each(named(LENIENT.filter(hasProbe)))(
  '%s answers the same with an unknown query parameter',
  async (_, row) => {
    const probe = await probeFor(row, acme())
    const plain = await send(acme(), row, probe)
    const unknown = await send(acme(), row, { ...probe, query: { ...probe.query, zzUnknown: '1' } })
    expect(plain.status).toBeLessThan(400)
    expect(unknown.status).toBe(plain.status)
  },
)

describe.each(named(routes.filter((row) => hasProbe(row) && !LENIENT.includes(row))))('%s', (_, row) => {
  test('an unknown query parameter is 400 with its name, and with the one that was probably meant', async () => {
    const probe = await probeFor(row, acme())
    const unknown = await send(acme(), row, { ...probe, query: { ...probe.query, zzUnknown: '1' } })
    expect(refusalOf(unknown)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'zzUnknown' })
    for (const name of Object.keys(row.query?.properties ?? {})) {
      if (name.length < 4) continue
      const slip = name.slice(0, -2) + name.slice(-1) + name.slice(-2, -1)
      if (slip === name) continue
      const answer = await acme().raw(
        row.method,
        pathOf(row, { ...probe, query: { [slip]: '1' } }),
        undefined,
        {},
      )
      expect([answer.status, answer.error?.param, answer.error?.message]).toEqual([
        400,
        slip,
        `\`${slip}\` is not a query parameter of this route; did you mean \`${name}\`?`,
      ])
    }
  })
})

test('a name without end is answered with its beginning', async () => {
  const answer = await acme().post('/outlets', { name: 'A', [`k${'k'.repeat(65_536)}`]: 1 })
  expect(refusalOf(answer)).toMatchObject({ status: 400, param: `${'k'.repeat(64)}…` })
  expect(answer.text.length).toBeLessThan(500)
})

test('a word that is not on its list is refused with the one that was probably meant', async () => {
  const answer = await acme().get('/sales?status=PARKD')
  expect(refusalOf(answer)).toMatchObject({ status: 400, param: 'status' })
  expect(answer.error.message).toBe('status must be one of PARKED, COMPLETED, VOIDED; did you mean PARKED?')
})

test('what is sent back with the record is the same request to its Idempotency-Key', async () => {
  const idempotencyKey = `sent-back-${Date.now()}`
  const { outlet } = (await acme().post('/outlets', { name: 'Sent back' }, { idempotencyKey })).data
  const again = await acme().post(
    '/outlets',
    { name: 'Sent back', id: outlet.id, createdAt: outlet.createdAt },
    { idempotencyKey },
  )
  expect([again.status, again.data.outlet.id]).toEqual([201, outlet.id])
})

test('a bill that is read can be sent back whole', async () => {
  const { outlet } = (await acme().post('/outlets', { name: 'Bills' })).data
  const { product } = (await acme().post('/products', { name: 'Kopi', variants: [{ price: 5_000 }] })).data
  const items = [{ variantId: product.variants[0].id, quantity: 2 }]
  const made = (await acme().post('/sales', { outletId: outlet.id, items, status: 'PARKED' })).data.sale
  const { sale } = (await acme().get(`/sales/${made.id}`)).data
  const [line] = sale.items
  const answer = await acme().patch(`/sales/${made.id}/items`, { ...sale, items: [{ ...line, quantity: 3 }] })
  expect([answer.text, answer.status]).toEqual([answer.text, 200])
  expect([answer.data.sale.total, answer.data.sale.items[0].id]).toEqual([15_000, line.id])
})

test('a record that is read can be sent back whole', async () => {
  const made = (await acme().post('/products', { name: 'Kopi', variants: [{ price: 5_000 }] })).data.product
  const { product } = (await acme().get(`/products/${made.id}`)).data
  const answer = await acme().patch(`/products/${made.id}`, { ...product, name: 'Teh' })
  expect([answer.status, answer.data?.product.name]).toEqual([200, 'Teh'])
})
