import { describe, expect, test } from 'vitest'
import { isSharded } from '../../../../src/platform/db/open.ts'
import { makeProduct } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { as, deps, useService, workspace } from '../../../support/service.ts'
import { watching } from '../../../support/statements.ts'

// A look-up has two forms (docs/scaling.md): where rows are spread over workers it proves the API key in its own statement.

const UNKNOWN = '/products/lookup?barcode=899000'
const byBarcode = (barcode: string) => `/products/lookup?barcode=${encodeURIComponent(barcode)}`

describe.each(['auto', 'always'])('a look-up with DATABASE_SHARDED=%s', (form) => {
  useService({ env: { DATABASE_SHARDED: form } })

  /** A workspace with one product, and a key of its own for a till. */
  async function shop() {
    const api = await workspace()
    const product = await makeProduct(api, {
      name: 'Air mineral',
      imageUrl: 'https://cdn.example/air.png',
      thumbnailUrl: null,
      variants: [{ name: '600 ml', price: 4_000, sku: 'AIR-600', barcode: '899 123 4567' }],
    })
    const { data } = await api.post('/api-keys', { name: 'Till' })
    const revoke = async () => expect((await api.delete(`/api-keys/${data.apiKey.id}`)).status).toBe(200)
    return { api, product, till: as(data.key), revoke }
  }
  type Shop = Awaited<ReturnType<typeof shop>>

  test('finds the one match with every field for a key, a member and a crowd', async () => {
    const { api, product, till } = await shop()
    const matches = [
      {
        productId: product.id,
        productName: 'Air mineral',
        variantId: product.variants[0].id,
        variantName: '600 ml',
        sku: 'AIR-600',
        barcode: '899 123 4567',
        price: 4_000,
        soldBy: 'UNIT',
        quantity: null,
        labelPrice: null,
        pack: null,
        isComposite: false,
        imageUrl: 'https://cdn.example/air.png',
        thumbnailUrl: null,
      },
    ]
    const member = await memberOf(api, 'CASHIER')
    const path = byBarcode('899 123 4567')
    const crowd = [api, till, member.api].flatMap((caller) => Array.from({ length: 10 }, () => caller))
    for (const answer of await Promise.all(crowd.map((caller) => caller.get(path))))
      expect(answer.data).toEqual({ matches })
    for (const caller of [till, member.api]) expect((await caller.get(UNKNOWN)).data).toEqual({ matches: [] })
  })

  test('asks the database once where rows are spread, for a key that is known', async () => {
    const { till } = await shop()
    const path = byBarcode('899 123 4567')
    await till.get(path)
    const names: (string | undefined)[] = []
    const answer = await watching(
      ({ name }) => names.push(name),
      () => till.get(path),
    )
    expect(answer.data.matches).toHaveLength(1)
    // The first look-up may still be noting that the key was used.
    const looks = names.filter((name) => /^(?:lookup|auth_(?:api|valid)_keys)/.test(name ?? ''))
    expect(looks).toHaveLength(isSharded(deps().db) ? 1 : 2)
  })

  test.each([
    ['a barcode it had found', byBarcode('899 123 4567')],
    ['a barcode nobody has', UNKNOWN],
    ['a text', '/products/lookup?q=mineral'],
    ['neither', '/products/lookup'],
  ])('refuses a revoked key that asks for %s', async (_what, path) => {
    const { till, revoke } = await shop()
    await till.get(byBarcode('899 123 4567'))
    await revoke()
    expect(refusalOf(await till.get(path))).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
  })

  test('tells a revoked key from a valid one that scans at the same moment, and one shop from another', async () => {
    const [mine, other]: [Shop, Shop] = [await shop(), await shop()]
    const path = byBarcode('899 123 4567')
    for (const { till } of [mine, other]) await till.get(path)
    await mine.revoke()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        [mine.api, mine.till, other.till].map((caller) => caller.get(path)),
      ).flat(),
    )
    for (const [n, answer] of answers.entries()) {
      if (n % 3 === 1) expect(answer.status).toBe(401)
      else expect(answer.data.matches[0].productId).toBe((n % 3 === 0 ? mine : other).product.id)
    }
  })
})
