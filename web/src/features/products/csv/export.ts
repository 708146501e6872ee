import { productsList } from 'kasir-client'
import { COLUMNS, rowOf } from '../../../core-catalogue.ts'
import { callAllRows } from '../../../office/call-page.ts'
import { saveFile } from '../../../office/save-file.ts'
import { writeCsv } from './cells.ts'

/** Saves every product with its variants as the file of docs/catalogue-csv.md. */
export async function exportCatalogue() {
  const products = await callAllRows(productsList, {}, (data) => data.products)
  const rows = products.flatMap((product) => {
    const variants = product.variants.length > 0 ? product.variants : [null]
    return variants.map((variant) => rowOf(product, variant))
  })
  saveFile('catalogue.csv', writeCsv([COLUMNS, ...rows]))
}
