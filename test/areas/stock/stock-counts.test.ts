import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { brokenInvariants } from '../../../src/platform/db/invariants.ts'
import { inTx, type Tx } from '../../../src/platform/db/open.ts'
import type { Api } from '../../support/api.ts'
import {
  fresh,
  type Goods,
  makeCategory,
  makeComposite,
  makeOutlet,
  makeProduct,
  makeVariant,
  setNegativeStock,
  stock,
} from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { assertInvariants, done, refusalOf } from '../../support/expect.ts'
import { levelOf } from '../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'

useService()

const UNKNOWN = 'cnt_00000000000000000000000000'
type Line = { variantId: string; quantity: number }

async function openCount(api: Api, outletId: string, more: object = {}): Promise<string> {
  return done(await api.post('/stock-counts', { outletId, ...more })).stockCount.id
}

const count = (api: Api, id: string, lines: readonly Line[]) =>
  api.post(`/stock-counts/${id}/lines`, { lines })
const post = (api: Api, id: string) => api.post(`/stock-counts/${id}/post`)
const quantityOf = async (api: Api, outletId: string, variantId: string): Promise<number> =>
  (await levelOf(api, outletId, variantId)) ?? 0
const movementsOf = async (api: Api, outletId: string, variantId: string) =>
  done(await api.get(`/inventory/movements?outletId=${outletId}&variantId=${variantId}`))

/** An outlet with goods at a level. */
async function shelf(api: Api, quantity: number, goods: Goods = {}) {
  const outletId = await makeOutlet(api)
  const variantId = await makeVariant(api, goods)
  if (quantity !== 0) await stock(api, outletId, variantId, quantity)
  return { outletId, variantId }
}

const sell = (api: Api, outletId: string, variantId: string, quantity = 1) =>
  api.post('/sales', { outletId, items: [{ variantId, quantity }], status: 'COMPLETED' })

test('the example of B-count-3: a post moves the level by the variance, not to the counted quantity', async () => {
  const { outletId, variantId } = await shelf(acme(), 100)
  const id = await openCount(acme(), outletId)
  const counted = done(await count(acme(), id, [{ variantId, quantity: 97 }]))
  expect(counted.stockCount).toMatchObject({ id, status: 'OPEN', lineCount: 1 })
  expect(counted.lines).toMatchObject([{ variantId, quantity: 97, expected: 100, variance: -3 }])
  done(await sell(acme(), outletId, variantId, 40))
  expect(await quantityOf(acme(), outletId, variantId)).toBe(60)
  const posted = done(await post(acme(), id)).stockCount
  expect(posted).toMatchObject({ status: 'POSTED', postedBy: acme().workspace.keyId, lineCount: 1 })
  expect(await quantityOf(acme(), outletId, variantId)).toBe(57)
  const [movement] = await movementsOf(acme(), outletId, variantId)
  expect(movement).toMatchObject({
    type: 'ADJUSTMENT',
    qtyDelta: -3,
    balanceAfter: 57,
    reasonCode: 'COUNT',
    stockCountId: id,
  })
})

test('200 sales between the count of a line and the post change neither the variance nor the sales', async () => {
  const api = await workspace('Two hundred')
  const { outletId, variantId } = await shelf(api, 1_000)
  const other = await makeVariant(api)
  await stock(api, outletId, other, 300)
  const id = await openCount(api, outletId)
  done(await count(api, id, [{ variantId, quantity: 990 }]))
  const sales = async (from: number) => {
    for (let n = from; n < 200; n += 8) {
      done(await sell(api, outletId, variantId))
      done(await sell(api, outletId, other))
      // Three devices count the other goods while the tills sell: what they see is the level of that moment.
      if (n % 20 === 0) {
        const seen = await quantityOf(api, outletId, other)
        const answer = done(await count(api, id, [{ variantId: other, quantity: seen }]))
        expect(answer.lines[0].expected).toBeLessThanOrEqual(seen)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, till) => sales(till)))
  expect(await quantityOf(api, outletId, variantId)).toBe(800)
  expect(await quantityOf(api, outletId, other)).toBe(100)
  const { lines } = done(await api.get(`/stock-counts/${id}`)).stockCount
  const variance = lines.find((line: Line) => line.variantId === other).variance
  done(await post(api, id))
  expect(await quantityOf(api, outletId, variantId)).toBe(790)
  expect(await quantityOf(api, outletId, other)).toBe(100 + variance)
  await assertInvariants(deps().db)
}, 120_000)

test('of several devices the last count of a variant wins, with the level of its own moment', async () => {
  const { outletId, variantId } = await shelf(acme(), 20)
  const id = await openCount(acme(), outletId)
  const cashier = await memberOf(acme(), 'CASHIER')
  done(await count(cashier.api, id, [{ variantId, quantity: 5 }]))
  done(await sell(acme(), outletId, variantId, 4))
  done(
    await count(acme(), id, [
      { variantId, quantity: 3 },
      { variantId, quantity: 15 },
    ]),
  )
  const { lines } = done(await acme().get(`/stock-counts/${id}`)).stockCount
  expect(lines).toMatchObject([
    { quantity: 15, expected: 16, variance: -1, countedBy: acme().workspace.keyId },
  ])
  done(await post(acme(), id))
  expect(await quantityOf(acme(), outletId, variantId)).toBe(15)
})

test('devices that count the same goods in any order at the same time all succeed', async () => {
  const outletId = await makeOutlet(acme())
  const goods = await Promise.all(Array.from({ length: 5 }, () => makeVariant(acme())))
  const id = await openCount(acme(), outletId)
  const lines = goods.map((variantId, quantity) => ({ variantId, quantity }))
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => count(acme(), id, n % 2 === 0 ? lines : lines.toReversed())),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  done(await post(acme(), id))
  for (const { variantId, quantity } of lines)
    expect(await quantityOf(acme(), outletId, variantId)).toBe(quantity)
})

test('of ten posts at the same time one wins and nine are 409; the variance moves once', async () => {
  const { outletId, variantId } = await shelf(acme(), 10)
  const id = await openCount(acme(), outletId)
  done(await count(acme(), id, [{ variantId, quantity: 12 }]))
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(acme(), id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 409),
  ])
  expect(await quantityOf(acme(), outletId, variantId)).toBe(12)
  const refused = await post(acme(), id)
  expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
  expect(refused.error.message).toBe('This stock count is already posted. Open a new one to count again')
  expect(refusalOf(await count(acme(), id, [{ variantId, quantity: 1 }]))).toMatchObject({ status: 409 })
  expect(refusalOf(await acme().post(`/stock-counts/${id}/cancel`))).toMatchObject({ status: 409 })
})

test('goods that were not counted and goods that were right do not move; a cancelled count moves none', async () => {
  const { outletId, variantId } = await shelf(acme(), 7)
  const right = await makeVariant(acme())
  await stock(acme(), outletId, right, 3)
  const id = await openCount(acme(), outletId)
  expect(refusalOf(await post(acme(), id))).toEqual({ status: 409, code: 'CONFLICT' })
  done(await count(acme(), id, [{ variantId: right, quantity: 3 }]))
  done(await post(acme(), id))
  expect([await quantityOf(acme(), outletId, variantId), await quantityOf(acme(), outletId, right)]).toEqual([
    7, 3,
  ])
  expect(await movementsOf(acme(), outletId, right)).toHaveLength(1)
  const other = await openCount(acme(), outletId)
  done(await count(acme(), other, [{ variantId, quantity: 1 }]))
  const cancelled = done(await acme().post(`/stock-counts/${other}/cancel`)).stockCount
  expect(cancelled).toMatchObject({ status: 'CANCELLED', cancelledAt: expect.any(String), postedAt: null })
  expect(await quantityOf(acme(), outletId, variantId)).toBe(7)
})

test('a blind count shows no expected quantity until it is posted', async () => {
  const { outletId, variantId } = await shelf(acme(), 9)
  const id = await openCount(acme(), outletId, { blind: true })
  const { lines } = done(await count(acme(), id, [{ variantId, quantity: 8 }]))
  expect(lines).toMatchObject([{ quantity: 8, expected: null, variance: null }])
  expect(done(await acme().get(`/stock-counts/${id}`)).stockCount.lines).toMatchObject([{ expected: null }])
  expect(done(await post(acme(), id)).stockCount.lines).toMatchObject([{ expected: 9, variance: -1 }])
})

test('cashiers count and cancel, and only managers and owners post', async () => {
  const { outletId, variantId } = await shelf(acme(), 5)
  const cashier = (await memberOf(acme(), 'CASHIER')).api
  const id = await openCount(cashier, outletId)
  done(await count(cashier, id, [{ variantId, quantity: 4 }]))
  expect(refusalOf(await post(cashier, id))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  done(await post((await memberOf(acme(), 'MANAGER')).api, id))
  done(await cashier.post(`/stock-counts/${await openCount(cashier, outletId)}/cancel`))
})

test('a count of some categories takes only goods that are in them', async () => {
  const categoryId = await makeCategory(acme())
  const inside = (await makeProduct(acme(), { name: fresh('Inside'), categoryId })).variants[0].id
  const { outletId, variantId } = await shelf(acme(), 5)
  const id = await openCount(acme(), outletId, { categoryIds: [categoryId] })
  done(await count(acme(), id, [{ variantId: inside, quantity: 2 }]))
  const refused = await count(acme(), id, [
    { variantId: inside, quantity: 1 },
    { variantId, quantity: 1 },
  ])
  expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'lines[1].variantId' })
  expect(refused.error.message).toMatch(/ is not in the categories of this count\. Leave it out$/)
  const unknown = 'cat_00000000000000000000000000'
  const missing = await acme().post('/stock-counts', { outletId, categoryIds: [categoryId, unknown] })
  expect(refusalOf(missing)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'categoryIds[1]' })
})

test('bad lines are refused whole, with the parameter at fault', async () => {
  const { outletId, variantId } = await shelf(acme(), 5)
  const id = await openCount(acme(), outletId)
  const service = await makeVariant(acme(), { kind: 'SERVICE' })
  const untracked = await makeVariant(acme(), { trackStock: false })
  const composite = await makeComposite(acme(), [[variantId, 1]])
  for (const other of [service, untracked, composite])
    expect(
      refusalOf(
        await count(acme(), id, [
          { variantId, quantity: 1 },
          { variantId: other, quantity: 1 },
        ]),
      ),
    ).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'lines[1].variantId' })
  const unknown = 'var_00000000000000000000000000'
  expect(refusalOf(await count(acme(), id, [{ variantId: unknown, quantity: 1 }]))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'lines[0].variantId',
  })
  for (const quantity of [-1, 1.5, 1_000_000_001])
    expect(refusalOf(await count(acme(), id, [{ variantId, quantity }]))).toMatchObject({ status: 400 })
  for (const body of [{}, { lines: [{ variantId, quantity: 1 }], csv: 'sku,quantity\nA,1' }])
    expect(refusalOf(await acme().post(`/stock-counts/${id}/lines`, body))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'lines',
    })
  expect(done(await acme().get(`/stock-counts/${id}`)).stockCount.lines).toEqual([])
  expect(refusalOf(await count(acme(), UNKNOWN, [{ variantId, quantity: 1 }]))).toMatchObject({ status: 404 })
  expect(refusalOf(await acme().post('/stock-counts', { outletId: 'out_x' }))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'outletId',
  })
})

test('lines come as a table by id, SKU or barcode, with commas or semicolons', async () => {
  const outletId = await makeOutlet(acme())
  const [sku, barcode] = [fresh('SKU'), `899${Date.now()}`]
  const product = await makeProduct(acme(), {
    name: fresh('Kopi'),
    variants: [{ price: 1_000, sku, barcode }],
  })
  const variantId = product.variants[0].id
  const id = await openCount(acme(), outletId)
  const send = (csv: string) => acme().post(`/stock-counts/${id}/lines`, { csv })
  for (const [csv, quantity] of [
    [`sku,name,quantity\r\n${sku},Kopi,3\r\n`, 3],
    [`quantity;barcode\n4;${barcode}\n`, 4],
    [`\uFEFFvariantId,quantity\n${variantId},5`, 5],
  ] as const)
    expect(done(await send(csv)).lines).toMatchObject([{ variantId, quantity }])
  for (const [csv, message] of [
    [
      'name,quantity\nKopi,3',
      'The first row must name the column quantity and one of variantId, sku and barcode',
    ],
    ['sku,quantity\n', 'The table has no rows below its header'],
    [
      `sku,quantity\n\n${sku},3\n\n${sku},x`,
      'The quantity in row 5 must be a whole number from 0 to 1000000000',
    ],
    [`sku,quantity\n${sku},3\n${sku},x`, 'The quantity in row 3 must be a whole number from 0 to 1000000000'],
    [`sku,quantity\n,3`, 'Row 2 has no sku'],
    ['sku,quantity\nNO-SUCH,3', 'Row 2: there are no goods with sku NO-SUCH'],
  ] as const) {
    const refused = await send(csv)
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'csv' })
    expect(refused.error.message).toBe(message)
  }
  const many = `sku,quantity\n${Array.from({ length: 501 }, () => `${sku},1`).join('\n')}`
  expect(refusalOf(await send(many))).toMatchObject({ status: 422, param: 'csv' })
})

test('a table with a decimal or thousands mark in a quantity is refused, and no line is written', async () => {
  const outletId = await makeOutlet(acme())
  const sku = fresh('SKU')
  await makeProduct(acme(), { name: fresh('Apel'), variants: [{ price: 1_000, sku }] })
  const id = await openCount(acme(), outletId)
  const whole = 'The quantity in row 3 must be a whole number from 0 to 1000000000'
  const more =
    'Row 3 has more cells than the header. Put a cell that contains the separator in quotation marks'
  for (const [header, row, message] of [
    ['sku;quantity', `${sku};1,5`, whole],
    ['sku;quantity', `${sku};1,000`, whole],
    ['sku;quantity', `${sku};1.000`, whole],
    ['sku,quantity', `${sku},1;5`, whole],
    ['sku,quantity', `${sku},"1,5"`, whole],
    ['sku,quantity', `${sku},1,5`, more],
    ['sku;quantity', `${sku};1;5`, more],
  ] as const) {
    const csv = [header, `${sku}${header[3]}2`, row].join('\n')
    const refused = await acme().post(`/stock-counts/${id}/lines`, { csv })
    expect(refusalOf(refused), csv).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'csv' })
    expect(refused.error.message, csv).toBe(message)
  }
  expect(done(await acme().get(`/stock-counts/${id}`)).stockCount.lines).toEqual([])
  const padded = `\n"sku";quantity;note\n${sku};7;"2, 3";;\n`
  const counted = await acme().post(`/stock-counts/${id}/lines`, { csv: padded })
  expect(done(counted).lines).toMatchObject([{ quantity: 7 }])
})

test('where stock may not be negative, a variance that takes more than there is refuses the whole post', async () => {
  const api = await workspace('Blocked')
  await setNegativeStock(api, 'BLOCK')
  const { outletId, variantId } = await shelf(api, 10, { name: 'Gula' })
  const other = await makeVariant(api)
  const id = await openCount(api, outletId)
  done(
    await count(api, id, [
      { variantId, quantity: 4 },
      { variantId: other, quantity: 2 },
    ]),
  )
  done(await sell(api, outletId, variantId, 8))
  const refused = await post(api, id)
  expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'lines' })
  expect(refused.error.message).toBe('Gula has only 2 left, and the count takes 6. Count it again, then post')
  expect([await quantityOf(api, outletId, variantId), await quantityOf(api, outletId, other)]).toEqual([2, 0])
  done(await count(api, id, [{ variantId, quantity: 1 }]))
  done(await post(api, id))
  expect([await quantityOf(api, outletId, variantId), await quantityOf(api, outletId, other)]).toEqual([1, 2])
})

test('a difference takes unbatched units first, then batches by date', async () => {
  const { outletId, variantId } = await shelf(acme(), 2)
  const batch = { outletId, variantId, qty: 5 }
  done(await acme().post('/inventory/batches', { ...batch, batchNo: 'B1', expiryDate: '2999-01-01' }))
  const id = await openCount(acme(), outletId)
  done(await count(acme(), id, [{ variantId, quantity: 4 }]))
  done(await post(acme(), id))
  const batches = done(
    await acme().get(`/inventory/batches?outletId=${outletId}&variantId=${variantId}`),
  ).batches
  expect(batches).toMatchObject([{ batchNo: 'B1', remainingQty: 4 }])
})

test('a difference that another count has corrected is not moved again: the post is 409 until it is counted anew', async () => {
  const { outletId, variantId } = await shelf(acme(), 100, { name: 'Kopi Lampung' })
  const right = await makeVariant(acme())
  await stock(acme(), outletId, right, 5)
  const [forgotten, second] = [await openCount(acme(), outletId), await openCount(acme(), outletId)]
  for (const id of [forgotten, second])
    done(
      await count(acme(), id, [
        { variantId, quantity: 97 },
        { variantId: right, quantity: 5 },
      ]),
    )
  done(await post(acme(), second))
  expect(await quantityOf(acme(), outletId, variantId)).toBe(97)
  const refused = await post(acme(), forgotten)
  expect(refused.error).toMatchObject({
    code: 'CONFLICT',
    message:
      'Another stock count has corrected Kopi Lampung since it was counted here. Count it again, then post',
  })
  expect(await quantityOf(acme(), outletId, variantId)).toBe(97)
  done(await count(acme(), forgotten, [{ variantId, quantity: 96 }]))
  done(await post(acme(), forgotten))
  expect(await quantityOf(acme(), outletId, variantId)).toBe(96)
  await assertInvariants(deps().db)
})

test('of 20 counts with the same difference that are posted at the same time one moves it', async () => {
  const { outletId, variantId } = await shelf(acme(), 100)
  const counts = await Promise.all(Array.from({ length: 20 }, () => openCount(acme(), outletId)))
  for (const id of counts) done(await count(acme(), id, [{ variantId, quantity: 97 }]))
  const answers = await Promise.all(counts.map((id) => post(acme(), id)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  expect(await quantityOf(acme(), outletId, variantId)).toBe(97)
})

test('a line that is written while another count is posted, 30 times by 5 devices: the difference moves once', async () => {
  const { outletId, variantId } = await shelf(acme(), 100)
  for (let round = 1; round <= 30; round += 1) {
    const counted = [{ variantId, quantity: 100 - round }]
    const posting = await openCount(acme(), outletId)
    const others = await Promise.all(Array.from({ length: 4 }, () => openCount(acme(), outletId)))
    done(await count(acme(), posting, counted))
    const newlyOpened = async () => {
      const id = await openCount(acme(), outletId)
      others.push(id)
      return count(acme(), id, counted)
    }
    const answers = await Promise.all([
      post(acme(), posting),
      newlyOpened(),
      ...others.map((id) => count(acme(), id, counted)),
    ])
    for (const answer of answers) done(answer)
    for (const id of others) {
      const answer = await post(acme(), id)
      expect(answer.status === 409 ? refusalOf(answer).code : answer.status).toBeOneOf([200, 'CONFLICT'])
      if (answer.status === 409) done(await acme().post(`/stock-counts/${id}/cancel`))
    }
    expect(await quantityOf(acme(), outletId, variantId)).toBe(100 - round)
  }
})

test('a table by SKU counts the active goods, not deactivated ones that had the SKU before', async () => {
  const outletId = await makeOutlet(acme())
  const sku = fresh('SKU')
  const old = await makeProduct(acme(), { name: fresh('Kopi lama'), variants: [{ price: 1_000, sku }] })
  done(await sell(acme(), outletId, old.variants[0].id))
  done(await acme().patch(`/products/${old.id}`, { isActive: false }))
  const present = await makeProduct(acme(), { name: fresh('Kopi baru'), variants: [{ price: 1_000, sku }] })
  const id = await openCount(acme(), outletId)
  const counted = await acme().post(`/stock-counts/${id}/lines`, { csv: `sku,quantity\n${sku},12` })
  expect(done(counted).lines).toMatchObject([{ variantId: present.variants[0].id, quantity: 12 }])
})

test('goods that lost their stock after they were counted do not hold up the post', async () => {
  const { outletId } = await shelf(acme(), 0)
  const product = await makeProduct(acme(), { name: fresh('Untracked later'), variants: [{ price: 1_000 }] })
  const variantId = product.variants[0].id
  const id = await openCount(acme(), outletId)
  done(await count(acme(), id, [{ variantId, quantity: 3 }]))
  done(await acme().patch(`/products/${product.id}`, { trackStock: false }))
  expect(done(await post(acme(), id)).stockCount.status).toBe('POSTED')
  await assertInvariants(deps().db)
})

test.each(['COUNT', 'WASTE', 'DAMAGE', 'OWN_USE', 'OTHER'])(
  'an adjustment keeps the reason code %s',
  async (reasonCode) => {
    const { outletId, variantId } = await shelf(acme(), 0)
    const { movement } = done(
      await acme().post('/inventory/adjust', {
        outletId,
        variantId,
        qtyDelta: 2,
        reason: 'Tumpah',
        reasonCode,
      }),
    )
    expect(movement).toMatchObject({ reason: 'Tumpah', reasonCode, stockCountId: null })
  },
)

test('an unknown reason code is 400, and an adjustment without one has null', async () => {
  const { outletId, variantId } = await shelf(acme(), 0)
  const adjust = (more: object) =>
    acme().post('/inventory/adjust', { outletId, variantId, qtyDelta: 2, ...more })
  expect(refusalOf(await adjust({ reasonCode: 'THEFT' }))).toMatchObject({ status: 400, param: 'reasonCode' })
  expect(done(await adjust({})).movement.reasonCode).toBeNull()
})

test('counts are listed newest first, by outlet and status, for their own workspace', async () => {
  const api = await workspace('Lists')
  const [here, there] = [await makeOutlet(api), await makeOutlet(api)]
  const [first, second] = [await openCount(api, here), await openCount(api, here)]
  await openCount(api, there)
  done(await api.post(`/stock-counts/${first}/cancel`))
  const ids = async (query: string) =>
    done(await api.get(`/stock-counts?${query}`)).map(({ id }: { id: string }) => id)
  expect(await ids(`outletId=${here}`)).toEqual([second, first])
  expect(await ids(`outletId=${here}&status=OPEN`)).toEqual([second])
  expect(refusalOf(await globex().get(`/stock-counts/${first}`))).toMatchObject({ status: 404 })
  expect(refusalOf(await post(globex(), second))).toMatchObject({ status: 404 })
})

class Undo extends Error {}

/** The sentences of the invariants that a change breaks; the change is undone. */
async function brokenBy(change: string): Promise<string[]> {
  let names: string[] = []
  const work = async (tx: Tx) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- a test may write what no store writes
    await sql.raw(change).execute(tx as any)
    names = (await brokenInvariants(tx as never, ['stock'])).map(({ name }) => name)
    throw new Undo()
  }
  await inTx(deps().db, work).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error
  })
  return names
}

test('a count whose ledger is off by one unit breaks an invariant', async () => {
  const { outletId, variantId } = await shelf(acme(), 5)
  const id = await openCount(acme(), outletId)
  done(await count(acme(), id, [{ variantId, quantity: 3 }]))
  done(await post(acme(), id))
  await assertInvariants(deps().db)
  const SUM = 'a posted count moved the differences of its lines, and only those'
  const line = `where count_id = '${id}' and variant_id = '${variantId}'`
  expect(await brokenBy(`update stock_count_lines set posted = posted + 1 ${line}`)).toContain(SUM)
  expect(await brokenBy(`update stock_count_lines set expected = expected + 1 ${line}`)).toContain(SUM)
  expect(
    await brokenBy(
      `update stock_counts set status = 'OPEN', posted_at = null, posted_by = null where id = '${id}'`,
    ),
  ).toContain('a movement that names a count is an adjustment by a posted count')
})
