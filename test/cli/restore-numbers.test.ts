import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kasir } from '../support/kasir.ts'
import { ownService } from '../support/service.ts'
import { openShopAt, type Shop } from '../support/tills.ts'

const SLOW = 180_000
let service: Awaited<ReturnType<typeof ownService>>
let shop: Shop
let file = ''
beforeAll(async () => {
  service = await ownService()
  await service.start()
  shop = await openShopAt(service.address)
  file = path.join(path.dirname(service.dataDir), 'books.tar.gz')
}, SLOW)
afterAll(() => service.end())

const run = (...args: string[]) => kasir(args, { DATA_DIR: service.dataDir })

/** What is on the paper of a new sale. */
async function sell(): Promise<string> {
  const [variantId] = shop.variants
  const items = [{ variantId, quantity: 1 }]
  const payments = [{ method: 'CASH', amount: 11_100 }]
  const answer = await shop.call('/sales', { outletId: shop.outletId, items, status: 'COMPLETED', payments })
  expect([answer.status, answer.message]).toEqual([201, ''])
  return answer.data.sale.number
}

async function order(): Promise<string> {
  const { supplier } = (await shop.call('/suppliers', { name: 'Toko Biji' })).data
  const items = [{ variantId: shop.variants[0], qty: 1 }]
  const made = await shop.call('/purchase-orders', {
    supplierId: supplier.id,
    outletId: shop.outletId,
    items,
  })
  expect([made.status, made.message]).toEqual([201, ''])
  return made.data.purchaseOrder.number
}

const counted = (number: string) => Number(/\d+$/.exec(number)?.[0])

test(
  'kasir restore --skip-numbers gives no number that a lost receipt or purchase order has',
  async () => {
    const kept = await sell()
    await order()
    expect((await run('backup', file)).code).toBe(0)
    const lost = [await sell(), await sell()]
    const lostOrder = await order()
    await service.kill('both')
    const { code, out } = await run('restore', file, '--replace', 'kasir', '--skip-numbers', '50')
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        'Left out: 50 numbers of receipts, of every outlet and day since the backup, and of purchase orders.\n',
      ),
    ])
    await service.start()
    const next = await sell()
    expect(counted(next)).toBe(counted(kept) + 51)
    expect(lost).not.toContain(next)
    expect(counted(await order())).toBe(counted(lostOrder) + 50)
    await service.kill('both')
    const doctor = await run('doctor')
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('invariant')])
  },
  SLOW,
)

test.each([['0'], ['-1'], ['1e3'], ['100000'], ['ten'], ['']])(
  'kasir restore --skip-numbers=%j is refused with a sentence and exit code 2',
  async (count) => {
    const { code, err } = await run('restore', file, `--skip-numbers=${count}`)
    expect([code, err]).toEqual([2, expect.stringContaining('--skip-numbers takes a number from 1 to 99999')])
  },
)
