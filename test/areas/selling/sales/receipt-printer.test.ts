import { expect, test } from 'vitest'
import { escposOf } from '../../../../src/core/paper/escpos.ts'
import { clean } from '../../../../src/core/paper/format.ts'
import { glyphOf, PAGES, printable } from '../../../../src/core/paper/printable.ts'
import { type Receipt, receiptRows } from '../../../../src/core/paper/receipt.ts'
import { openShop, type Shop } from '../../../support/build.ts'
import { printedBy } from '../../../support/escpos.ts'
import { receiptOf } from '../../../support/receipts.ts'
import { acme, address, useService } from '../../../support/service.ts'

useService()

const bytesOf = async (id: string, query = '') => {
  const response = await fetch(`${address()}/api/v1/sales/${id}/receipt?format=escpos${query}`, {
    headers: { authorization: `Bearer ${acme().workspace.key}` },
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

let shop: Shop | undefined
const sellNamed = async (name: string) => {
  shop ??= await openShop(acme())
  const { data } = await acme().post('/products', { name, variants: [{ price: 1_000 }] })
  const items = [{ variantId: data.product.variants[0].id, quantity: 1 }]
  return (await acme().post('/sales', { outletId: shop.outletId, items, status: 'COMPLETED' })).data.sale
}
const printed = async (name: string) =>
  printedBy(await bytesOf((await sellNamed(name)).id, '&width=58')).lines.map(({ text }) => text)

test('a product named after the command that opens the drawer opens no drawer', async () => {
  const bytes = await bytesOf((await sellNamed('Kopi ←p022')).id)
  expect(bytes.includes('\u001bp', 0, 'latin1')).toBe(false)
  expect(bytes.includes('Kopi <-p022')).toBe(true)
})

test.each([
  ['Kopi ←p022 ↔V0 ►', 'Kopi <-p022 <->V0 ?'],
  ['Café Crème ½ €', 'Café Crème ½ €'],
  ['Борщ Nº 1', 'Борщ Nº 1'],
  ['Łódź Škoda', 'Łódź Škoda'],
  ['Phở bò đặc biệt', 'Pho bò đac biet'],
  ['Ｋｏｐｉ ﬁlter ①', 'Kopi filter 1'],
  ['咖啡 珍珠奶茶', '?? ????'],
  ['☕😀 Kopi', '?? Kopi'],
  ['Kopi\u202e\u2066\u200b\u00ad susu', 'Kopi susu'],
  ['Teh\u0301\u0302\u0303\u0304\u0305 manis', 'Teh manis'],
])('the printer prints %s as %s, one column for each character', async (name, text) => {
  expect(await printed(name)).toContain(text)
})

/** Every code point that text can hold, in words of 16. */
function* everyText(): Generator<string> {
  for (let first = 0; first <= 0x10ffff; first += 16) {
    if (first >= 0xd800 && first <= 0xdfff) continue
    yield String.fromCodePoint(...Array.from({ length: 16 }, (_, index) => first + index))
  }
}

test('no character of Unicode, cleaned or not, becomes a byte that a printer obeys', () => {
  for (const text of everyText()) {
    for (const made of [printable(clean(text)), printable(text.replaceAll(/\p{Cc}/gu, ''))]) {
      for (const character of made) {
        const byte = glyphOf(character)?.byte ?? character.charCodeAt(0)
        if (byte < 0x20 || byte === 0x7f || byte > 0xff || (byte >= 0x80 && glyphOf(character) === null)) {
          throw new Error(`${text.codePointAt(0)?.toString(16)}: ${character} is ${byte}`)
        }
      }
    }
  }
})

test('every character of every page in use is printed as itself', () => {
  expect(PAGES.map(([number]) => number)).toEqual([16, 17, 18])
  const texts = ['€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ¡ÿÀþß', 'АБВЯабя№Ё', 'ůćőĹęžŘřĐđ']
  for (const text of texts) expect(printable(clean(text))).toBe(text)
})

test('a receipt of goods named by every assigned character of Unicode is lines of text and nothing else', () => {
  let lines = 0
  let words: string[] = []
  const flush = () => {
    const receipt: Receipt = receiptOf({ names: words })
    const { lines: made, cuts } = printedBy(escposOf(receiptRows(receipt), 32))
    expect(cuts).toBe(1)
    for (const { text } of made) if (text.length > 32) throw new Error(`too wide: ${text}`)
    lines += made.length
    words = []
  }
  for (const text of everyText()) {
    if (/^\p{Cn}*$/u.test(text)) continue
    words.push(text)
    if (words.length === 4_000) flush()
  }
  flush()
  expect(lines).toBeGreaterThan(30_000)
})

test('the longest sale there can be is bounded on paper, and 80,000 Chinese names block nobody for minutes', () => {
  const name = (length: number) =>
    String.fromCodePoint(...Array.from({ length }, (_, index) => 0x4e00 + index * 37))
  const receipt = receiptOf({ names: Array.from({ length: 500 }, () => name(160)) })
  for (const line of receipt.sale.items) {
    line.variantName = name(80)
    line.modifiers = Array.from({ length: 50 }, () => ({
      name: name(80),
      price: 1_000_000_000,
      modifierId: null,
    }))
  }
  const began = performance.now()
  const bytes = escposOf(receiptRows(receipt), 32)
  // Two million characters; the encoder before this one took 3 ms for each.
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(bytes.length).toBeLessThan(3_000_000)
  const lines = printedBy(bytes).lines.map(({ text }) => text)
  expect(lines.filter((text) => text === '  + 30 lainnya Rp 30.000.000.000')).toHaveLength(500)
})
