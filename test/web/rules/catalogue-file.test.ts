import { expect, test } from 'vitest'
import { readCsv, textOf } from '../../../web/src/features/products/csv/cells.ts'
import { planImport } from '../../../web/src/features/products/csv/plan.ts'

const planOf = (text: string) => planImport(readCsv(text), [], [])

test('rows of a product that do not stand together are one product', () => {
  const { created, refusals } = planOf(
    'product,variant,sku,price\nKaos,S,A1,50000\nTopi,Default,B1,30000\nKaos,M,C1,50000\n',
  )
  expect([created, refusals]).toEqual([2, []])
})

test('a refused row is named by its row in the spreadsheet, which counts empty rows too', () => {
  const { refusals } = planOf('product,price\nKopi,5000\n,\n\nTeh,mahal\n')
  expect(refusals).toMatchObject([{ row: 5, column: 'price', product: 'Teh' }])
})

test('a file that is not UTF-8 is not read, instead of losing its letters', async () => {
  const windows1252 = Buffer.from('product,price\nCaf\u00E9,5000\n', 'latin1')
  await expect(textOf(new Blob([windows1252]))).rejects.toThrow(TypeError)
  expect(await textOf(new Blob(['\uFEFFproduct,price\nCafé,5000\n']))).toBe('product,price\nCafé,5000\n')
})

test('a row that is not on sale and one that is may have one code, in both orders', () => {
  const header = 'product,sku,price,active\n'
  const rows = ['Teh lama,TT-1,4000,no\n', 'Teh baru,TT-1,5000,yes\n']
  for (const lines of [rows, rows.toReversed()]) {
    const { created, refusals } = planOf(header + lines.join(''))
    expect([created, refusals]).toEqual([2, []])
  }
})
