import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexOf, searchTiles } from '../../../web/src/features/register/search.ts'
import { refundValue } from '../../../web/src/features/sales/refund-value.ts'
import { startOfToday } from '../../../web/src/features/sales/today.ts'
import { countedCash, needsNote } from '../../../web/src/features/shift/count.ts'
import {
  addGoods,
  EMPTY_CART,
  type Goods,
  isTooLarge,
  isUndoable,
  moveSelection,
  removeLine,
  setQuantity,
} from '../../../web/src/selling/cart.ts'
import { cartTotals, cashDueOf, discountOf, type MoneyTerms } from '../../../web/src/selling/cart-totals.ts'
import { isChoiceComplete, photoAddress, shelfOf } from '../../../web/src/selling/shelf.ts'
import { quickCash, takeTender } from '../../../web/src/selling/tender.ts'
import { whatsAppAddress } from '../../../web/src/selling/whatsapp.ts'
import { formatRupiah, parsePastedRupiah, parseRupiah } from '../../../web/src/ui/rupiah.ts'
import { NO_READING, quantityIn, readKey } from '../../../web/src/ui/scan.ts'

const goods = (variantId: string, unitPrice = 10_000): Goods => ({
  variantId,
  productId: variantId,
  name: variantId,
  variantName: '',
  unitPrice,
  taxRateBps: null,
  modifiers: [],
  note: '',
})

const terms: MoneyTerms = {
  taxRateBps: 1_100,
  taxInclusive: false,
  serviceChargeBps: 0,
  serviceChargeOrderTypes: [],
  serviceChargeBase: 'AFTER_DISCOUNT',
  serviceChargeTaxable: true,
  cashRounding: { step: 0, mode: 'NEAREST' },
}

describe('amounts', () => {
  it('are written with dots, a minus and no decimals', () => {
    expect([12_500, -12_500, 0, 1_000_000].map(formatRupiah)).toEqual([
      'Rp 12.500',
      '−Rp 12.500',
      'Rp 0',
      'Rp 1.000.000',
    ])
  })

  it('are read from what people type and paste', () => {
    const texts = [
      '12500',
      '12.500',
      'Rp 12.500,-',
      'Rp12.500,00',
      '12,500',
      '12,500.00',
      ' 12 500 ',
      '10.00',
      '',
      'abc',
      '-5',
    ]
    expect(texts.map(parseRupiah)).toEqual([
      12_500,
      12_500,
      12_500,
      12_500,
      12_500,
      12_500,
      12_500,
      1_000,
      null,
      null,
      5,
    ])
  })

  it('are pasted from an English and from an Indonesian spreadsheet', () => {
    const texts: [string, number | null][] = [
      ['950.00', 950],
      ['15000.00', 15_000],
      ['Rp 15000.00', 15_000],
      ['Rp. 15000.0', 15_000],
      ['15,000.00', 15_000],
      ['1234.57', 1_234],
      ['1234.567', 1_234],
      ['15.000', 15_000],
      ['Rp 1.500', 1_500],
      ['1.500.000', 1_500_000],
      ['15.000,00', 15_000],
      ['15000', 15_000],
      // 1.500 of an Indonesian, as an English spreadsheet shows it: a person has to decide.
      ['1.50', null],
      ['1.5', null],
      ['', null],
    ]
    expect(texts.map(([text]) => [text, parsePastedRupiah(text)])).toEqual(texts)
  })

  it('lose only their cents when they are pasted with two decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (amount) => {
        expect(parsePastedRupiah(`${amount}.00`)).toBe(amount)
        expect(parsePastedRupiah(formatRupiah(amount))).toBe(amount)
      }),
    )
  })

  it('survive being written and read again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (amount) => {
        expect(parseRupiah(formatRupiah(amount))).toBe(amount)
      }),
    )
  })
})

describe('the cart', () => {
  it('raises the line of the same goods and adds a line for others', () => {
    const cart = [goods('a'), goods('a'), goods('b'), { ...goods('a'), note: 'pedas' }].reduce(
      (now, each) => addGoods(now, each),
      EMPTY_CART,
    )
    expect(cart.lines.map(({ variantId, quantity, note }) => [variantId, quantity, note])).toEqual([
      ['a', 2, ''],
      ['b', 1, ''],
      ['a', 1, 'pedas'],
    ])
    expect(cart.selected).toBe(3)
  })

  it('keeps a quantity between 1 and 100,000, and 0 removes the line', () => {
    const cart = addGoods(EMPTY_CART, goods('a'), 100_001)
    expect(cart.lines[0]?.quantity).toBe(100_000)
    expect(setQuantity(cart, 1, 0).lines).toEqual([])
  })

  it('adds another line for the same goods where one line would exceed 100,000', () => {
    const cart = [60_000, 60_000, 30_000].reduce(
      (now, grams) => addGoods(now, { ...goods('rice'), soldBy: 'WEIGHT' }, grams),
      EMPTY_CART,
    )
    expect(cart.lines.map(({ quantity }) => quantity)).toEqual([90_000, 60_000])
    expect(cart.selected).toBe(1)
  })

  it('selects the next line when one is removed, and drops the discount with the last', () => {
    const cart = ['a', 'b', 'c'].reduce((now, id) => addGoods(now, goods(id)), EMPTY_CART)
    const middle = removeLine(moveSelection(cart, -1), 2)
    expect([middle.selected, middle.lines.length]).toEqual([3, 2])
    const discounted = {
      ...addGoods(EMPTY_CART, goods('a')),
      orderDiscount: { kind: 'amount' as const, value: 500 },
    }
    expect(removeLine(discounted, 1).orderDiscount).toBeNull()
  })

  it('offers undo for a removed line and an emptied cart, not for a sold, held or split one', () => {
    const cart = ['a', 'b'].reduce((now, id) => addGoods(now, goods(id)), EMPTY_CART)
    const before = { ...cart, key: 'k' }
    const bill = { id: 'b1', version: 1 } as NonNullable<typeof cart.bill>
    expect([
      isUndoable({ ...removeLine(cart, 1), key: 'k' }, before),
      isUndoable({ ...EMPTY_CART, key: 'k' }, before),
      isUndoable({ ...EMPTY_CART, key: 'other' }, before),
      isUndoable({ ...removeLine(cart, 1), key: 'k', bill }, before),
      isUndoable({ ...removeLine(cart, 1), key: 'k', bill: { ...bill, id: 'b2' } }, { ...before, bill }),
    ]).toEqual([true, true, false, false, false])
  })

  it('totals percent discounts half up and never below zero', () => {
    expect(discountOf({ kind: 'percent', bps: 1_250 }, 18_500)).toBe(2_313)
    expect(discountOf({ kind: 'amount', value: 99_000 }, 18_500)).toBe(18_500)
    const cart = {
      ...addGoods(EMPTY_CART, goods('a', 15_000), 3),
      orderDiscount: { kind: 'amount' as const, value: 5_000 },
    }
    expect(cartTotals(cart, terms)).toMatchObject({
      subtotal: 45_000,
      taxTotal: 4_400,
      total: 44_400,
      due: 44_400,
    })
  })
})

describe('a payment', () => {
  const cash = { due: 49_950, cashRounding: terms.cashRounding, taken: [], method: 'CASH' as const }

  it('suggests at most three round amounts above what is due, in rising order', () => {
    expect(quickCash(49_950)).toEqual([50_000, 60_000, 100_000])
    expect(quickCash(50_000)).toEqual([55_000, 60_000, 100_000])
    expect(quickCash(3_000)).toEqual([5_000, 10_000, 20_000])
  })

  it('is complete with exact cash, with more cash and its change, and with the rest by card', () => {
    expect(takeTender({ ...cash, received: null })).toMatchObject({ kind: 'complete', change: 0 })
    expect(takeTender({ ...cash, received: 100_000 })).toMatchObject({
      kind: 'complete',
      change: 50_050,
      tenders: [{ amount: 49_950, tendered: 100_000 }],
    })
    const part = takeTender({ ...cash, received: 20_000, isPart: true })
    expect(part).toMatchObject({ kind: 'part', tenders: [{ method: 'CASH', amount: 20_000 }] })
    const taken = part.kind === 'part' ? part.tenders : []
    expect(takeTender({ ...cash, taken, method: 'CARD', received: null })).toMatchObject({
      kind: 'complete',
      tenders: [{}, { method: 'CARD', amount: 29_950, tendered: null }],
    })
  })

  it('refuses cash below the total, more than remains by card, nothing, and a gift card without its code', () => {
    expect(takeTender({ ...cash, received: 20_000 })).toEqual({ kind: 'refused', reason: 'below' })
    expect(takeTender({ ...cash, method: 'CARD', received: 60_000 })).toEqual({
      kind: 'refused',
      reason: 'above',
    })
    expect(takeTender({ ...cash, received: 0 })).toEqual({ kind: 'refused', reason: 'nothing' })
    expect(takeTender({ ...cash, method: 'GIFT_CARD', received: null })).toEqual({
      kind: 'refused',
      reason: 'code',
    })
  })
})

describe('the address that opens WhatsApp', () => {
  const numberOf = (phone: string | null) =>
    /^https:\/\/wa\.me\/(\d*)\?text=/.exec(whatsAppAddress(phone, 'Struk'))?.[1]

  it('has the same number for every way to write an Indonesian one, and keeps the country of others', () => {
    const own = ['0812-3456-7890', '812 3456 7890', '62 812 3456 7890', '+62 812 3456 7890']
    const doubled = ['+62 0812 3456 7890', '0062 812 3456 7890', '006281234567890', '(+62) 812 3456 7890']
    for (const phone of [...own, ...doubled]) expect(numberOf(phone)).toBe('6281234567890')
    expect(numberOf('0622 123456')).toBe('62622123456')
    expect(['+65 9123 4567', '0065 9123 4567', '(+60) 12-345 6789'].map(numberOf)).toEqual([
      '6591234567',
      '6591234567',
      '60123456789',
    ])
    expect([numberOf(null), numberOf('')]).toEqual(['', ''])
  })
})

describe('the largest cart', () => {
  it('is allowed, and a larger one is not, also where the sum is no exact number', () => {
    const cart = (price: number, quantity: number) => addGoods(EMPTY_CART, goods('a', price), quantity)
    const isOver = [cart(2_500_000, 100_000), cart(2_500_001, 100_000), cart(999_999_999_999, 100_000)]
    expect(isOver.map(isTooLarge)).toEqual([false, true, true])
  })

  it('has 500 lines', () => {
    const cart = (count: number) =>
      Array.from({ length: count }, (_, id) => goods(`${id}`, 1)).reduce(
        (now, each) => addGoods(now, each),
        EMPTY_CART,
      )
    expect([cart(500), cart(501)].map(isTooLarge)).toEqual([false, true])
  })
})

describe('a cart that costs less than what was taken for it', () => {
  const taken = [{ method: 'CASH' as const, amount: 20_000, tendered: 20_000, reference: '' }]

  it('is completed by no tender, and no cash is due', () => {
    const request = { due: 5_000, taken, received: null }
    for (const step of [0, 100] as const)
      for (const method of ['CASH', 'CARD'] as const)
        expect(takeTender({ ...request, method, cashRounding: { step, mode: 'NEAREST' } }).kind).toBe(
          'refused',
        )
    expect(cashDueOf(-15_000, { cashRounding: { step: 100, mode: 'NEAREST' } })).toBe(0)
  })
})

describe('cash that is rounded', () => {
  const rounded = (step: 100 | 500, mode: 'NEAREST' | 'UP', due: number) => ({
    due,
    taken: [],
    method: 'CASH' as const,
    cashRounding: { step, mode },
  })

  it('completes with the rounded amount, and the change is computed on it', () => {
    expect(takeTender({ ...rounded(100, 'NEAREST', 10_040), received: null })).toEqual({
      kind: 'complete',
      change: 0,
      tenders: [{ method: 'CASH', amount: 10_040, tendered: 10_000, rounding: -40, reference: '' }],
    })
    expect(takeTender({ ...rounded(100, 'NEAREST', 10_050), received: 20_000 })).toEqual({
      kind: 'complete',
      change: 9_900,
      tenders: [{ method: 'CASH', amount: 10_050, tendered: 20_000, rounding: 50, reference: '' }],
    })
  })

  it('is refused between what remains and the rounded amount, also as a part', () => {
    const up = rounded(500, 'UP', 10_040)
    expect(takeTender({ ...up, received: 10_040 })).toEqual({ kind: 'refused', reason: 'below' })
    expect(takeTender({ ...up, received: 10_040, isPart: true })).toEqual({
      kind: 'refused',
      reason: 'below',
    })
    expect(takeTender({ ...up, received: 10_000, isPart: true })).toMatchObject({
      kind: 'part',
      tenders: [{ amount: 10_000, rounding: 0 }],
    })
  })

  it('may be nothing at all: 40 rupiah are settled with no cash', () => {
    expect(takeTender({ ...rounded(100, 'NEAREST', 40), received: null })).toMatchObject({
      kind: 'complete',
      tenders: [{ amount: 40, tendered: 0, rounding: -40 }],
    })
  })
})

describe('a scan', () => {
  const read = (keys: readonly string[], gapMs: number) => {
    let [reading, code]: [typeof NO_READING, string | null] = [NO_READING, null]
    for (const [at, key] of keys.entries()) {
      const step = readKey(reading, key, at * gapMs)
      reading = step.reading
      code = step.code ?? code
    }
    return code
  }

  it('is told from typing by its speed, its length and a digit', () => {
    expect(read([...'8991000000011', 'Enter'], 5)).toBe('8991000000011')
    expect(read([...'8991000000011', 'Enter'], 90)).toBeNull()
    expect(read([...'899', 'Enter'], 5)).toBeNull()
    expect(read([...'kopi', 'Enter'], 5)).toBeNull()
    expect(read([...'3*8991', 'Enter'], 5)).toBe('8991')
    expect(read(['A', 'Shift', ...'B-12', 'Enter'], 5)).toBe('AB-12')
  })

  it('takes a quantity of 1 to 100,000 before it', () => {
    expect(['3*', '12x', '0*', '100001*', '3', '*', '-1*'].map(quantityIn)).toEqual([
      3,
      12,
      null,
      null,
      null,
      null,
      null,
    ])
  })
})

const product = (
  id: string,
  name: string,
  price: number,
  more: { barcode?: string; [field: string]: unknown } = {},
) => ({
  id,
  name,
  description: null,
  categoryId: null,
  kind: 'GOODS' as const,
  trackStock: false,
  requiresBatch: false,
  imageUrl: null,
  station: null,
  taxRateBps: null,
  isActive: true,
  thumbnailUrl: null,
  categoryName: null,
  modifierGroupIds: [],
  createdAt: '',
  updatedAt: '',
  variants: [
    {
      id: `v-${id}`,
      productId: id,
      name: 'Default',
      sku: null,
      barcode: null,
      barcodes: more.barcode === undefined ? [] : [more.barcode],
      packs: [],
      soldBy: 'UNIT' as const,
      price,
      cost: 0,
      sortOrder: 0,
      isActive: true,
      isComposite: false,
      derivedCost: null,
      createdAt: '',
      updatedAt: '',
      ...more,
    },
  ],
})

describe('the shelf', () => {
  const products = [
    product('1', 'Nasi Goreng Spesial', 25_000),
    product('2', 'Mie Goreng', 23_000, { barcode: '8991' }),
    product('3', 'Gado2', 20_000, { sku: '8991' }),
    product('4', 'Kopi Tubruk', 9_000, { isActive: false }),
    product('5', 'Teh 2 Liter', 15_000, { barcode: '12345678' }),
  ]
  const shelf = shelfOf({ products, categories: [], groups: [] })
  const find = (text: string) => searchTiles(indexOf(shelf.tiles), text).map((tile) => tile.product.name)

  it('holds what is on sale, by name, and a barcode wins over a stock number', () => {
    expect(shelf.tiles.map((tile) => tile.product.name)).toEqual([
      'Gado2',
      'Mie Goreng',
      'Nasi Goreng Spesial',
      'Teh 2 Liter',
    ])
    expect(shelf.byBarcode.get('8991')?.tile.product.name).toBe('Mie Goreng')
  })

  it('is searched while typing: beginnings, sounds, several words, codes', () => {
    expect(find('gor')).toEqual(['Mie Goreng', 'Nasi Goreng Spesial'])
    expect(find('gorenk nasi')).toEqual(['Nasi Goreng Spesial'])
    expect(find('gado')).toEqual(['Gado2'])
    expect(find('1234')).toEqual(['Teh 2 Liter'])
    expect(find('2 liter')).toEqual(['Teh 2 Liter'])
    expect(find('zzz')).toEqual([])
    expect(find('')).toHaveLength(4)
  })

  it('finds among 20,000 products within a tenth of a second', () => {
    const words = ['kopi', 'susu', 'goreng', 'ayam', 'bakar', 'roti', 'teh', 'manis', 'pedas', 'sambal']
    const many = Array.from({ length: 20_000 }, (_, at) =>
      product(
        String(at),
        `${words[at % 10]} ${words[(at * 7) % 10]} ${words[(at * 3 + 1) % 10]} nomor ${at}`,
        1_000,
      ),
    )
    const index = indexOf(shelfOf({ products: many, categories: [], groups: [] }).tiles)
    const texts = ['k', 'ko', 'kopi', 'kopi su', 'ayam pedas', 'gorenk', '19999']
    const times = texts.map((text) => {
      const began = performance.now()
      searchTiles(index, text)
      return performance.now() - began
    })
    expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(100)
  })

  it('takes a choice within the smallest and largest number of every group', () => {
    const modifiers = ['a', 'b', 'c'].map((id) => ({
      id,
      name: id,
      price: 0,
      sortOrder: 0,
      isActive: true,
      createdAt: '',
      updatedAt: '',
    }))
    const group = {
      id: 'g',
      name: 'G',
      minSelect: 1,
      maxSelect: 2,
      modifiers,
      productCount: 0,
      createdAt: '',
      updatedAt: '',
    }
    const complete = [[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((ids) =>
      isChoiceComplete([group], new Set(ids)),
    )
    expect(complete).toEqual([false, true, true, false])
  })

  it('asks the service that served the page for photos, by whatever name it was reached', () => {
    expect(photoAddress('http://127.0.0.1:3000/uploads/acc/acc_1/x.webp')).toBe('/uploads/acc/acc_1/x.webp')
    expect(photoAddress('https://cdn.example.com/x.webp')).toBe('https://cdn.example.com/x.webp')
  })
})

describe('shift and refund', () => {
  it('counts a drawer by notes and coins, and asks for a note above half a percent', () => {
    expect(countedCash({ 100_000: 3, 5_000: 2, 500: 4, 100: 1 })).toBe(312_100)
    expect([needsNote(0, 0), needsNote(500, 100_000), needsNote(501, 100_000), needsNote(-100, 0)]).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('values refunded units so that refunds in any order end at the whole line', () => {
    const line = { id: 'i', quantity: 3, lineTotal: 9_500, serviceShare: 500 }
    expect([0, 1, 2].map((refundedQty) => refundValue([{ ...line, refundedQty }], { i: 1 }))).toEqual([
      3_333, 3_333, 3_334,
    ])
    expect(refundValue([{ ...line, refundedQty: 2 }], { i: 5 })).toBe(3_334)
  })

  it('begins the day by the clock of the outlet', () => {
    const now = new Date('2026-11-24T18:30:00.000Z')
    expect(startOfToday('Asia/Jakarta', now)).toBe('2026-11-24T17:00:00.000Z')
    expect(startOfToday('Asia/Jayapura', now)).toBe('2026-11-24T15:00:00.000Z')
    expect(startOfToday('UTC', now)).toBe('2026-11-24T00:00:00.000Z')
  })
})
