import { type Product, productsList } from 'kasir-client'
import { callAllRows } from '../../../office/call-page.ts'
import { saveFile } from '../../../office/save-file.ts'
import { writeCsv } from './cells.ts'
import { COLUMNS } from './columns.ts'

/** Saves every product with its variants as the file of docs/catalogue-csv.md. */
export async function exportCatalogue() {
  const products = await callAllRows(productsList, {}, (data) => data.products)
  const rows = products.flatMap((product: Product) =>
    product.variants.map((variant) => COLUMNS.map(({ value }) => value(product, variant))),
  )
  saveFile('catalogue.csv', writeCsv([COLUMNS.map(({ name }) => name), ...rows]))
}
