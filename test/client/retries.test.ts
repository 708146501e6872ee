import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKasir, isKasirError, type Kasir, KasirTransportError } from '../../client/src/index.ts'
import { type Cut, type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts'
import { kasir as command } from '../support/kasir.ts'
import { type OwnService, ownService } from '../support/service.ts'

const SLOW = 300_000
const SALES = 1_000
const TILLS = 8

let service: OwnService
let proxy: CuttingProxy
let isCutting = false
const FATES: readonly Cut[] = ['before', 'amid', 'after']
/** A tenth of the requests each, in an order that repeats. */
let turn = 0
const fate = (): Cut => (isCutting ? (FATES[((turn++ * 7) % 10) as 0] ?? null) : null)

beforeAll(async () => {
  service = await ownService({ SIGNUP: 'open' })
  await service.start()
  proxy = await cuttingProxy(fate)
  proxy.leadTo(service.address())
}, SLOW)
afterAll(async () => {
  await proxy.close()
  await service.end()
})

const shopOf = async (kasir: Kasir) => {
  const { outlet } = await kasir.outlets.create({ name: 'Kemang' })
  const { product } = await kasir.products.create({
    name: 'Kopi',
    variants: [{ price: 12_000 }],
    trackStock: false,
  })
  return { outletId: outlet.id, variantId: product.variants[0]?.id ?? '' }
}

async function keyOf(baseUrl: string): Promise<string> {
  const cookies = await fetch(`${baseUrl}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'sari@example.com', password: 'kopi susu gula aren' }),
  })
  const cookie = cookies.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const made = await fetch(`${baseUrl}/api/v1/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: baseUrl },
    body: JSON.stringify({ name: 'Till' }),
  })
  return ((await made.json()) as { data: { key: string } }).data.key
}

test(
  'a thousand sales through cut connections and two kills of the service are a thousand sales',
  async () => {
    const apiKey = await keyOf(service.address())
    const shop = await shopOf(createKasir({ baseUrl: service.address(), apiKey }))
    const kasir = createKasir({ baseUrl: proxy.url, apiKey, timeoutMs: 60_000 })
    isCutting = true
    const sold = new Set<string>()
    let begun = 0
    const sellOne = async (n: number, idempotencyKey?: string): Promise<string> => {
      const items = [{ variantId: shop.variantId, quantity: 1 }]
      const body = { outletId: shop.outletId, items, status: 'COMPLETED' as const, note: `sale ${n}` }
      try {
        return (await kasir.sales.create(body, idempotencyKey === undefined ? {} : { idempotencyKey })).sale
          .id
      } catch (error) {
        const isOpen = error instanceof KasirTransportError || (isKasirError(error) && error.status >= 500)
        if (!isOpen || error.idempotencyKey === null) throw error
        // The till tries again for as long as it takes, under the key of the first try.
        return sellOne(n, error.idempotencyKey)
      }
    }
    const till = async () => {
      while (begun < SALES) sold.add(await sellOne(begun++))
    }
    const tills = Promise.all(Array.from({ length: TILLS }, till))
    for (const at of [SALES / 4, SALES / 2]) {
      await expect.poll(() => sold.size, { timeout: 120_000 }).toBeGreaterThan(at)
      await service.kill('service')
      await service.start()
      proxy.leadTo(service.address())
    }
    await tills
    isCutting = false
    expect(sold.size).toBe(SALES)
    expect(proxy.cuts()).toBeGreaterThan(SALES / 5)
    const direct = createKasir({ baseUrl: service.address(), apiKey })
    const notes: string[] = []
    for await (const sale of direct.sales.all({ limit: 100 })) notes.push(sale.note ?? '')
    expect(notes.sort()).toEqual(Array.from({ length: SALES }, (_, n) => `sale ${n}`).sort())
    const books = await command(['doctor'], { DATA_DIR: service.dataDir })
    expect(books.out).toMatch(/^ok +books/m)
  },
  SLOW,
)
