import { outletId, priceOf, seedShops, variantId } from './sales-shop.ts'

/** The usual reads of a till and a back office; `path` follows /api/v1. */
export type ReadRequest = { name: string; path: string }
export type Shop = { key: string; reads: readonly ReadRequest[] }

export const LOOKUP = 'barcode lookup'
export const OUTLET = 'outlet'

const SALES = 40
const OUTLET_ID = outletId(1, 1)

/** A workspace of 200 products whose till has sold, and the reads that are measured in it. */
export async function openShop(databaseUrl: string, address: string): Promise<Shop> {
  const [key = ''] = await seedShops(databaseUrl, 1)
  let last = ''
  for (let n = 1; n <= SALES; n += 1) last = await sell(address, key, n)
  return {
    key,
    reads: [
      { name: LOOKUP, path: '/products/lookup?barcode=8990000000007' },
      { name: OUTLET, path: `/outlets/${OUTLET_ID}` },
      { name: 'sale', path: `/sales/${last}` },
      { name: 'receipt as a page', path: `/sales/${last}/receipt` },
      { name: 'receipt for a printer', path: `/sales/${last}/receipt?format=escpos&width=58` },
      { name: '20 sales', path: `/sales?outletId=${OUTLET_ID}&limit=20` },
      { name: '50 products', path: '/products?limit=50' },
      { name: '200 stock levels', path: `/inventory/levels?outletId=${OUTLET_ID}` },
    ],
  }
}

/** Three lines, paid in cash with change; every fifth sale is given back in part. */
async function sell(address: string, key: string, n: number): Promise<string> {
  const variants = [n, n + 60, n + 120]
  const total = variants.reduce((sum, variant) => sum + priceOf(variant), 0)
  const { sale } = await post(`${address}/api/v1/sales`, key, {
    outletId: OUTLET_ID,
    items: variants.map((variant) => ({ variantId: variantId(1, variant), quantity: 1 })),
    payments: [{ method: 'CASH', amount: total, tendered: total + 10_000 }],
  })
  if (n % 5 === 0) {
    const [line] = sale.items
    await post(`${address}/api/v1/sales/${sale.id}/refund`, key, {
      lines: [{ transactionItemId: line?.id, qty: 1 }],
      method: 'CASH',
      reason: 'Rusak',
    })
  }
  return sale.id
}

type SaleAnswer = { sale: { id: string; items: { id: string }[] } }

async function post(url: string, key: string, body: object): Promise<SaleAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${text}`)
  return (JSON.parse(text) as { data: SaleAnswer }).data
}
