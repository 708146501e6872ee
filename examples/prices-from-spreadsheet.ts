/**
 * New prices from a spreadsheet that was saved as CSV with the columns sku and price: `prices-from-spreadsheet.ts prices.csv`. It
 * may run again: a price that is right already is left alone.
 */
import { readFile } from 'node:fs/promises'
import { createKasir, isKasirError } from 'kasir-client'

const { KASIR_URL = 'http://127.0.0.1:3000', KASIR_API_KEY } = process.env
const [file] = process.argv.slice(2)
if (KASIR_API_KEY === undefined || file === undefined) {
  throw new Error('Set KASIR_API_KEY to a key of your workspace, and name a CSV file')
}
const kasir = createKasir({ baseUrl: KASIR_URL, apiKey: KASIR_API_KEY })

const known = new Map<string, { id: string; vid: string; price: number }>()
// In pages, because a large catalogue is too long for one answer.
let cursor: string | null | undefined
do {
  const { data, meta } = await kasir.products.list.withMeta({ limit: 100, ...(cursor && { cursor }) })
  for (const product of data.products) {
    for (const { id: vid, sku, price } of product.variants) {
      if (sku !== null) known.set(sku.toLowerCase(), { id: product.id, vid, price })
    }
  }
  cursor = meta.hasMore ? meta.cursor : null
} while (cursor)

const problem = (line: number, message: string) => {
  console.error(`${file}:${line}: ${message}`)
  process.exitCode = 1
}

const lines = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
for (const [index, text] of lines.entries()) {
  if (index === 0) continue
  // Spreadsheets separate with a comma, a semicolon or a tab, as the country has it.
  const [sku = '', written = ''] = text.split(/[,;\t]/).map((cell) => cell.replaceAll('"', '').trim())
  const price = Number(written)
  const variant = known.get(sku.toLowerCase())
  if (variant === undefined) problem(index + 1, `nothing has the SKU ${sku}`)
  else if (written === '' || !Number.isInteger(price)) problem(index + 1, `${written} is no price in rupiah`)
  else if (price !== variant.price) {
    try {
      await kasir.variants.update({ id: variant.id, vid: variant.vid, price })
      console.log(`${sku}: ${variant.price} → ${price}`)
    } catch (error) {
      if (!isKasirError(error)) throw error
      problem(index + 1, error.message)
    }
  }
}
