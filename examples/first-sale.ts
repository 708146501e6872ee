/** A first sale: an outlet, a product, two cups paid in cash, and the receipt on the screen. */
import { createKasir } from 'kasir-client'

const { KASIR_URL = 'http://127.0.0.1:3000', KASIR_API_KEY } = process.env
if (KASIR_API_KEY === undefined) throw new Error('Set KASIR_API_KEY to a key of your workspace')
const kasir = createKasir({ baseUrl: KASIR_URL, apiKey: KASIR_API_KEY })

const { outlet } = await kasir.outlets.create({ name: 'Warung Sari', timezone: 'Asia/Jakarta' })
const { product } = await kasir.products.create({
  name: 'Kopi susu',
  trackStock: false,
  variants: [{ name: 'Panas', price: 18_000 }],
})
const items = product.variants.map(({ id }) => ({ variantId: id, quantity: 2 }))
const { sale } = await kasir.sales.create({
  outletId: outlet.id,
  items,
  payments: [{ method: 'CASH', amount: 36_000, tendered: 50_000 }],
})
const receipt = await kasir.sales.getReceipt({ id: sale.id, format: 'text' })
console.log(await receipt.text())
