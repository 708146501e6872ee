import { describe, expect, test } from 'vitest'
import type { Api } from '../../../support/api.ts'
import { makeCategory, makeOutlet, makeProduct, makeTable } from '../../../support/build.ts'
import { done, refusalOf, saleOf } from '../../../support/expect.ts'
import { acme, useService } from '../../../support/service.ts'
import { watching } from '../../../support/statements.ts'

useService({ env: { PRINTER_NETWORKS: '10.0.0.0/8' } })

type Cafe = {
  outletId: string
  nasi: string
  kopi: string
  dapur: string
  bar: string
  a1: string
  b2: string
}

/** A café whose kitchen and bar have a printer each, and two tables. */
async function openCafe(api: Api): Promise<Cafe> {
  const outletId = await makeOutlet(api)
  const goodsAt = async (station: string, name: string) => {
    const categoryId = await makeCategory(api, { station })
    return (await makeProduct(api, { name, categoryId, trackStock: false })).variants[0].id as string
  }
  const printerFor = async (station: string) =>
    done(
      await api.post('/printers', {
        outletId,
        name: station,
        kind: 'NETWORK',
        host: '10.0.0.9',
        stations: [station],
      }),
    ).printer.id as string
  return {
    outletId,
    nasi: await goodsAt('dapur', 'Nasi goreng'),
    kopi: await goodsAt('bar', 'Kopi'),
    dapur: await printerFor('dapur'),
    bar: await printerFor('bar'),
    a1: (await makeTable(api, outletId, 'A1')).id,
    b2: (await makeTable(api, outletId, 'B2')).id,
  }
}

const slipsAt = async (printerId: string): Promise<string[]> => {
  const jobs: { id: string }[] = done(await acme().get(`/print-jobs?printerId=${printerId}`))
  const texts = await Promise.all(
    jobs.toReversed().map(async ({ id }) => (await acme().get(`/print-jobs/${id}/content?format=text`)).text),
  )
  return texts.map((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^-+$/.test(line) && !line.startsWith('Waktu'))
      .join('\n'),
  )
}

const billAt = (cafe: Cafe, items: object[], fields: object = {}) => ({
  outletId: cafe.outletId,
  tableId: cafe.a1,
  orderType: 'DINE_IN',
  status: 'PARKED',
  items,
  ...fields,
})

describe('a saved kitchen sale', () => {
  test('prints weighed goods in kilograms', async () => {
    const cafe = await openCafe(acme())
    const categoryId = await makeCategory(acme(), { station: 'dapur' })
    const { variants } = await makeProduct(acme(), {
      name: 'Gurame',
      categoryId,
      trackStock: false,
      variants: [{ price: 90_000, soldBy: 'WEIGHT' }],
    })
    done(await acme().post('/sales', billAt(cafe, [{ variantId: variants[0].id, quantity: 750 }])))
    expect(await slipsAt(cafe.dapur)).toEqual([expect.stringContaining('0,750 kg x Gurame')])
  })

  test('prints only what its till has not printed while it was offline', async () => {
    const cafe = await openCafe(acme())
    const items = [
      { variantId: cafe.nasi, quantity: 3, kitchenPrinted: 1 },
      { variantId: cafe.kopi, quantity: 2, kitchenPrinted: 2 },
    ]
    done(await acme().post('/sales', billAt(cafe, items)))
    const [slip = '', ...others] = await slipsAt(cafe.dapur)
    expect(slip).toContain('2 x Nasi goreng')
    expect(others).toEqual([])
    expect(await slipsAt(cafe.bar)).toEqual([])
    const board = done(await acme().get(`/kds?outletId=${cafe.outletId}`))
    expect(JSON.stringify(board)).toContain('Kopi')
    const fewer = [{ variantId: cafe.kopi, quantity: 1, kitchenPrinted: 2 }]
    done(await acme().post('/sales', billAt(cafe, fewer, { tableId: cafe.b2 })))
    expect((await slipsAt(cafe.bar)).at(-1)).toContain('BATAL 1 x Kopi')
    const wrong = [{ variantId: cafe.kopi, quantity: 1, kitchenPrinted: -1 }]
    expect(refusalOf(await acme().post('/sales', billAt(cafe, wrong)))).toMatchObject({
      status: 400,
      param: 'items[0].kitchenPrinted',
    })
  })

  test('prints one slip for each station, with its items only', async () => {
    const cafe = await openCafe(acme())
    const items = [
      { variantId: cafe.nasi, quantity: 2, note: 'tanpa bawang', modifiers: [{ name: 'Pedas', price: 0 }] },
      { variantId: cafe.kopi, quantity: 1 },
    ]
    const sale = saleOf(await acme().post('/sales', billAt(cafe, items, { note: 'Cepat ya' })))
    const number = sale.number as string
    expect(await slipsAt(cafe.dapur)).toEqual([
      [
        '*** Meja A1 ***',
        `dapur${' '.repeat(43 - number.length)}${number}`,
        '2 x Nasi goreng',
        '+ Pedas',
        '* tanpa bawang',
        'Cepat ya',
      ].join('\n'),
    ])
    const [bar = ''] = await slipsAt(cafe.bar)
    expect(bar).toContain('1 x Kopi')
    expect(bar).not.toContain('Nasi')
    const [job] = done(await acme().get(`/print-jobs?printerId=${cafe.dapur}&status=queued`))
    expect(job).toMatchObject({
      saleId: sale.id,
      station: 'dapur',
      kind: 'KITCHEN',
      status: 'queued',
      attempts: 0,
      reason: null,
      copy: false,
      reprint: false,
      fallbackFrom: null,
    })
  })

  test('that is edited prints what was added, and BATAL for what is no longer wanted', async () => {
    const cafe = await openCafe(acme())
    const { id } = saleOf(
      await acme().post(
        '/sales',
        billAt(cafe, [
          { variantId: cafe.nasi, quantity: 2 },
          { variantId: cafe.kopi, quantity: 1 },
        ]),
      ),
    )
    saleOf(
      await acme().patch(`/sales/${id}/items`, {
        items: [
          { variantId: cafe.nasi, quantity: 3 },
          { variantId: cafe.kopi, quantity: 1 },
        ],
      }),
    )
    saleOf(await acme().patch(`/sales/${id}/items`, { items: [{ variantId: cafe.nasi, quantity: 1 }] }))
    const [, added = '', cancelled = ''] = await slipsAt(cafe.dapur)
    expect(added).toContain('1 x Nasi goreng')
    expect(added).not.toContain('BATAL')
    expect(cancelled.split('\n')).toEqual([
      '*** BATAL ***',
      '*** Meja A1 ***',
      expect.stringContaining('dapur'),
      'BATAL 2 x Nasi goreng',
    ])
    const [, gone = '', ...more] = await slipsAt(cafe.bar)
    expect(gone).toContain('BATAL 1 x Kopi')
    expect(more).toEqual([])
  })

  test('that moves to another table tells every station with items, once', async () => {
    const cafe = await openCafe(acme())
    const items = [{ variantId: cafe.nasi, quantity: 2 }]
    const { id } = saleOf(await acme().post('/sales', billAt(cafe, items)))
    saleOf(await acme().patch(`/sales/${id}/items`, { tableId: cafe.b2, items }))
    const [, moved = '', ...more] = await slipsAt(cafe.dapur)
    expect(moved.split('\n')).toEqual([
      '*** PINDAH MEJA ***',
      'Meja A1 -> Meja B2',
      '*** Meja B2 ***',
      expect.stringContaining('dapur'),
      'PINDAH 2 x Nasi goreng',
    ])
    expect(more).toEqual([])
    expect(await slipsAt(cafe.bar)).toEqual([])
  })

  test('that is discarded prints BATAL for what is not served', async () => {
    const cafe = await openCafe(acme())
    const sale = saleOf(
      await acme().post(
        '/sales',
        billAt(cafe, [
          { variantId: cafe.nasi, quantity: 1 },
          { variantId: cafe.kopi, quantity: 1 },
        ]),
      ),
    )
    const kopi = sale.items.find(({ productName }: { productName: string }) => productName === 'Kopi')
    for (const _ of [1, 2, 3]) done(await acme().post(`/kds/items/${kopi.id}/advance`))
    done(await acme().post(`/sales/${sale.id}/discard`))
    expect((await slipsAt(cafe.dapur)).at(-1)).toContain('BATAL 1 x Nasi goreng')
    expect(await slipsAt(cafe.bar)).toHaveLength(1)
  })

  test('that is merged or split onto another table tells the kitchen what moved', async () => {
    const cafe = await openCafe(acme())
    const first = saleOf(await acme().post('/sales', billAt(cafe, [{ variantId: cafe.nasi, quantity: 2 }])))
    const second = saleOf(
      await acme().post(
        '/sales',
        billAt(cafe, [{ variantId: cafe.kopi, quantity: 1 }], { tableId: cafe.b2 }),
      ),
    )
    done(await acme().post(`/sales/${first.id}/merge`, { saleId: second.id }))
    expect((await slipsAt(cafe.bar)).at(-1)).toContain('Meja B2 -> Meja A1')
    expect(await slipsAt(cafe.dapur)).toHaveLength(1)
    const [item] = first.items
    done(
      await acme().post(`/sales/${first.id}/split`, {
        tableId: cafe.b2,
        items: [{ id: item.id, quantity: 1 }],
      }),
    )
    expect((await slipsAt(cafe.dapur)).at(-1)).toContain('PINDAH 1 x Nasi goreng')
  })

  test('prints nothing that is unchanged, and a sale without an order type prints nothing', async () => {
    const cafe = await openCafe(acme())
    const items = [{ variantId: cafe.nasi, quantity: 2 }]
    const { id } = saleOf(await acme().post('/sales', billAt(cafe, items)))
    saleOf(await acme().patch(`/sales/${id}/items`, { items, note: 'VIP' }))
    saleOf(await acme().post('/sales', { outletId: cafe.outletId, status: 'COMPLETED', items }))
    expect(await slipsAt(cafe.dapur)).toHaveLength(1)
  })

  test('costs no statement about printers where no printer is mapped', async () => {
    const outletId = await makeOutlet(acme())
    const categoryId = await makeCategory(acme(), { station: 'dapur' })
    const [{ id: variantId }] = (await makeProduct(acme(), { name: 'Soto', categoryId, trackStock: false }))
      .variants
    const texts: string[] = []
    await watching(
      ({ text }) => texts.push(text),
      async () => {
        const body = { outletId, orderType: 'DINE_IN', status: 'PARKED', items: [{ variantId, quantity: 1 }] }
        const { id } = saleOf(await acme().post('/sales', body))
        saleOf(await acme().patch(`/sales/${id}/items`, { items: [{ variantId, quantity: 2 }] }))
        done(await acme().post(`/sales/${id}/discard`))
      },
    )
    expect(texts.some((text) => text.includes('sale_items'))).toBe(true)
    expect(texts.filter((text) => /\bprint_jobs|\bprinters\b/.test(text))).toEqual([])
  })

  test('that was sold offline prints nothing: its till has printed it', async () => {
    const cafe = await openCafe(acme())
    const offline = {
      ref: 'T1-0001',
      soldAt: new Date().toISOString(),
      terms: { taxRateBps: 0 },
      printedTotal: 10_000,
    }
    const items = [{ variantId: cafe.nasi, quantity: 1, unitPrice: 10_000 }]
    const body = { outletId: cafe.outletId, orderType: 'TAKEAWAY', status: 'COMPLETED', items, offline }
    saleOf(await acme().post('/sales', { ...body, payments: [{ method: 'CASH', amount: 10_000 }] }))
    expect(await slipsAt(cafe.dapur)).toEqual([])
  })

  test('that is refused or repeated under its key prints nothing more', async () => {
    const cafe = await openCafe(acme())
    const items = [{ variantId: cafe.nasi, quantity: 1 }]
    const idempotencyKey = 'kitchen-1'
    saleOf(await acme().post('/sales', billAt(cafe, items), { idempotencyKey }))
    saleOf(await acme().post('/sales', billAt(cafe, items), { idempotencyKey }))
    expect(await slipsAt(cafe.dapur)).toHaveLength(1)
  })
})
