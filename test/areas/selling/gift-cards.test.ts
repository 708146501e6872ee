import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { creditGiftCard, issueStoreCredit } from '../../../src/areas/selling/gift-cards/index.ts'
import { codeKeyOf, codeOf, maskOf } from '../../../src/areas/selling/gift-cards/rules.ts'
import { newId } from '../../../src/core/ids.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import type { Api } from '../../support/api.ts'
import { makeOutlet, openShop } from '../../support/build.ts'
import { scopeOf } from '../../support/clients.ts'
import { assertLedgerInvariants, refusalOf } from '../../support/expect.ts'
import { insertSale, payWithCard } from '../../support/rows.ts'
import { acme, as, deps, globex, useService, workspace } from '../../support/service.ts'

const clock = manualClock('2026-11-21T05:00:00.000Z')
useService({ clock, synthetic: true })
afterAll(() => assertLedgerInvariants(deps().db))

const issue = async (fields: Record<string, unknown> = {}, api = acme()) =>
  (await api.post('/gift-cards', { amount: 100_000, ...fields })).data.giftCard

/** An open bill of the workspace that its card tenders are put on. */
const bills = new Map<string, string>()
async function billOf(api: Api): Promise<string> {
  const { accountId } = api.workspace
  const known = bills.get(accountId)
  if (known !== undefined) return known
  const { id } = await insertSale(deps(), api, { outletId: await makeOutlet(api) })
  bills.set(accountId, id)
  return id
}
const pay = async (code: string, amount: number, api = acme()) => {
  const saleId = await billOf(api)
  const tender = { code, amount, param: 'payments[0].reference' }
  return inTx(deps().db, (tx) => payWithCard(tx, scopeOf(api), saleId, tender))
}
const giveBack = (giftCardId: string, amount: number) =>
  inTx(deps().db, (tx) =>
    creditGiftCard(tx, scopeOf(acme()), {
      giftCardId,
      amount,
      saleId: newId('sale'),
      refundId: newId('refund'),
    }),
  )
const read = async (code: string) => (await acme().get(`/gift-cards/${code}`)).data.giftCard

describe('codes', () => {
  test('80 bits become 16 Crockford characters in groups of 4', () => {
    expect(codeOf(new Uint8Array(10))).toBe('0000-0000-0000-0000')
    expect(codeOf(new Uint8Array(10).fill(255))).toBe('ZZZZ-ZZZZ-ZZZZ-ZZZZ')
    expect(codeOf(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 33))).toBe('0000-0000-0000-0011')
    expect(codeOf(Uint8Array.of(8, 0, 0, 0, 0, 0, 0, 0, 0, 0))).toBe('1000-0000-0000-0000')
  })
  test('case and dashes make no difference', () => expect(codeKeyOf('ab-Cd-1')).toBe('ABCD1'))
  test.each([
    ['ABCD-EFGH-JKMN-PQRS', '****PQRS'],
    ['ABCDEFGH', '****EFGH'],
    ['ABCDEF', '****DEF'],
    ['AB-CD', '****CD'],
    ['****CD', '****CD'],
  ])('%s is told as %s: most of a code stays hidden', (code, mask) => expect(maskOf(code)).toBe(mask))
})

test('POST /gift-cards answers 201 with the record and a code nobody chose', async () => {
  const customerId = (await acme().post('/customers', { name: 'Budi' })).data.customer.id
  const issued = await acme().post('/gift-cards', { amount: 250_000, customerId, note: 'birthday' })
  expect(issued.status).toBe(201)
  expect(issued.data.giftCard).toEqual({
    id: expect.stringMatching(/^gft_/),
    code: expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/),
    kind: 'GIFT_CARD',
    initialAmount: 250_000,
    balance: 250_000,
    status: 'ACTIVE',
    customerId,
    note: 'birthday',
    sourceRefundId: null,
    createdAt: '2026-11-21T05:00:00.000Z',
    updatedAt: '2026-11-21T05:00:00.000Z',
    voidedAt: null,
  })
})

test('a card is read by its code in any case, with or without dashes, with its entries', async () => {
  const card = await issue({ code: 'hbd-2026-x1' })
  expect(card.code).toBe('HBD-2026-X1')
  for (const code of ['HBD-2026-X1', 'hbd2026x1', '--hBd2026--X1']) {
    expect(await read(code)).toEqual({
      ...card,
      entries: [
        expect.objectContaining({
          type: 'ISSUE',
          amount: 100_000,
          balanceAfter: 100_000,
          giftCardId: card.id,
        }),
      ],
    })
  }
})

test.each([
  [{}, 400, 'amount'],
  [{ amount: 0 }, 400, 'amount'],
  [{ amount: -1 }, 400, 'amount'],
  [{ amount: 1.5 }, 400, 'amount'],
  [{ amount: '5' }, 400, 'amount'],
  [{ amount: 1_000_000_001 }, 400, 'amount'],
  [{ amount: 1, code: 'ABC' }, 400, 'code'],
  [{ amount: 1, code: 'A-B-C' }, 400, 'code'],
  [{ amount: 1, code: 'A'.repeat(33) }, 400, 'code'],
  [{ amount: 1, code: 'AB CD' }, 400, 'code'],
  [{ amount: 1, code: 'ABÇD' }, 400, 'code'],
  [{ amount: 1, code: '' }, 400, 'code'],
  [{ amount: 1, note: 'x'.repeat(301) }, 400, 'note'],
  [{ amount: 1, customerId: 5 }, 400, 'customerId'],
  [{ amount: 1, customerId: 'cus_00000000000000000000000000' }, 404, 'customerId'],
])('POST /gift-cards refuses %j with %i', async (body, status, param) => {
  const refused = await acme().post('/gift-cards', body)
  expect(refusalOf(refused)).toEqual({
    status,
    code: status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR',
    param,
  })
})

test('a supplied code of 4 to 32 characters is accepted, dashes not counted; a taken one is 409', async () => {
  expect((await issue({ code: 'AB-CD' })).code).toBe('AB-CD')
  const long = `${'A'.repeat(16)}-${'B'.repeat(16)}`
  expect((await issue({ code: long })).code).toBe(long)
  const taken = await acme().post('/gift-cards', { amount: 1, code: 'a-b-c-d' })
  expect(refusalOf(taken)).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect((await globex().post('/gift-cards', { amount: 1, code: 'ABCD' })).status).toBe(201)
})

test('an erased customer gets no card; a taken code is reported before that, an unknown customer before both', async () => {
  const { id } = (await acme().post('/customers', { name: 'Budi' })).data.customer
  await issue({ customerId: id })
  await acme().delete(`/customers/${id}`)
  const refused = await acme().post('/gift-cards', { amount: 1, customerId: id })
  expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'customerId' })
  await issue({ code: 'TAKEN-1' })
  const taken = await acme().post('/gift-cards', { amount: 1, customerId: id, code: 'taken1' })
  expect(refusalOf(taken)).toMatchObject({ status: 409, code: 'CONFLICT' })
  const unknown = await acme().post('/gift-cards', { amount: 1, customerId: 'cus_x', code: 'taken1' })
  expect(refusalOf(unknown)).toMatchObject({ status: 404, param: 'customerId' })
})

test('the list is newest first, filtered by customer and status, page by page', async () => {
  const api = await workspace()
  const customerId = (await api.post('/customers', { name: 'Budi' })).data.customer.id
  const cards = [await issue({ customerId }, api), await issue({}, api), await issue({ customerId }, api)]
  await api.post(`/gift-cards/${cards[0].id}/void`)
  const ids = async (query: string) =>
    (await api.get(`/gift-cards${query}`)).data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([cards[2].id, cards[1].id, cards[0].id])
  expect(await ids(`?customerId=${customerId}`)).toEqual([cards[2].id, cards[0].id])
  expect(await ids('?status=VOIDED')).toEqual([cards[0].id])
  expect(await ids('?customerId=nobody')).toEqual([])
  const first = await api.get('/gift-cards?limit=2')
  expect(first.meta).toMatchObject({ hasMore: true, cursor: expect.any(String) })
  const rest = await api.get(`/gift-cards?limit=2&cursor=${first.meta.cursor}`)
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([cards[0].id])
  expect(rest.meta).toMatchObject({ hasMore: false, cursor: null })
})

test.each([
  ['?status=SPENT', 'status'],
  ['?limit=0', 'limit'],
  ['?limit=101', 'limit'],
  ['?cursor=nonsense', 'cursor'],
  [`?customerId=${'x'.repeat(65)}`, 'customerId'],
])('GET /gift-cards%s is 400', async (query, param) => {
  const refused = await acme().get(`/gift-cards${query}`)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('a debit lowers the balance, empties the card at zero and writes one entry', async () => {
  const card = await issue()
  const paid = await pay(card.code.toLowerCase(), 60_000)
  expect(paid).toEqual({ giftCardId: card.id, masked: `****${card.code.slice(-4)}` })
  expect(await read(card.code)).toMatchObject({ balance: 40_000, status: 'ACTIVE' })
  await pay(card.code, 40_000)
  const empty = await read(card.code)
  expect(empty).toMatchObject({ balance: 0, status: 'REDEEMED', initialAmount: 100_000 })
  expect(empty.entries.map((entry: { type: string; amount: number }) => [entry.type, entry.amount])).toEqual([
    ['REDEEM', -40_000],
    ['REDEEM', -60_000],
    ['ISSUE', 100_000],
  ])
})

test('money coming back makes an empty card active again, a voided one takes none', async () => {
  const card = await issue()
  await pay(card.code, 100_000)
  expect(await giveBack(card.id, 30_000)).toBe(true)
  expect(await read(card.code)).toMatchObject({ balance: 30_000, status: 'ACTIVE' })
  await acme().post(`/gift-cards/${card.id}/void`)
  expect(await giveBack(card.id, 30_000)).toBe(false)
  expect(await read(card.code)).toMatchObject({ balance: 0, status: 'VOIDED' })
})

test('an unknown, voided or short card pays nothing: 422 with the param of the tender', async () => {
  const [short, voided] = [await issue(), await issue()]
  await acme().post(`/gift-cards/${voided.id}/void`)
  const refusal = { status: 422, code: 'VALIDATION_ERROR', param: 'payments[0].reference' }
  await expect(pay(short.code, 100_001)).rejects.toMatchObject(refusal)
  await expect(pay(voided.code, 1)).rejects.toMatchObject(refusal)
  await expect(pay('NOBODY-ISSUED-THIS', 1)).rejects.toMatchObject(refusal)
  await expect(pay((await issue({}, globex())).code, 1)).rejects.toMatchObject(refusal)
  expect((await read(short.code)).balance).toBe(100_000)
})

test('store credit is a card of the refunded amount that names its refund', async () => {
  const refundId = newId('refund')
  const made = await inTx(deps().db, (tx) =>
    issueStoreCredit(tx, scopeOf(acme()), { amount: 45_000, customerId: null, refundId }),
  )
  expect(await read(made.code)).toMatchObject({
    id: made.id,
    kind: 'STORE_CREDIT',
    initialAmount: 45_000,
    balance: 45_000,
    sourceRefundId: refundId,
    entries: [expect.objectContaining({ type: 'ISSUE', refundId })],
  })
})

test('a void writes off what is left, once', async () => {
  const card = await issue()
  await pay(card.code, 25_000)
  const gone = await acme().post(`/gift-cards/${card.id}/void`)
  expect([gone.status, gone.data.writtenOff]).toEqual([200, 75_000])
  expect(gone.data.giftCard).toMatchObject({
    status: 'VOIDED',
    balance: 0,
    voidedAt: '2026-11-21T05:00:00.000Z',
  })
  const again = await acme().post(`/gift-cards/${card.id}/void`)
  expect(refusalOf(again)).toMatchObject({ status: 409, code: 'CONFLICT' })
  const spent = await issue()
  await pay(spent.code, 100_000)
  expect((await acme().post(`/gift-cards/${spent.id}/void`)).data.writtenOff).toBe(0)
})

test('no event and no stored reply holds a full code', async () => {
  const api = await workspace()
  const card = (await api.post('/gift-cards', { amount: 5 }, { idempotencyKey: 'card-1' })).data.giftCard
  await pay(card.code, 2, api)
  const gone = await api.post(`/gift-cards/${card.id}/void`, undefined, { idempotencyKey: 'void-1' })
  expect(gone.data.giftCard.code).toBe(card.code)
  expect(await api.events()).toEqual([
    'service.gift_card.issued.v1',
    'service.gift_card.redeemed.v1',
    'service.gift_card.voided.v1',
  ])
  const { accountId } = api.workspace
  const told = await deps().db.selectFrom('events').selectAll().where('accountId', '=', accountId).execute()
  const kept = await deps()
    .db.selectFrom('idempotencyKeys')
    .selectAll()
    .where('accountId', '=', accountId)
    .execute()
  expect(kept).toHaveLength(2)
  expect(JSON.stringify([told, kept])).not.toContain(card.code)
  expect(JSON.stringify(told)).toContain(`****${card.code.slice(-4)}`)
  const replay = await api.post('/gift-cards', { amount: 5 }, { idempotencyKey: 'card-1' })
  expect(replay.data.giftCard).toEqual(card)
})

describe('the guess limit', () => {
  const guess = (api: Api, code: string) => api.get(`/gift-cards/${code}`)

  test('20 unknown codes in 10 minutes, by reading or paying, stop the credential and nobody else', async () => {
    const api = await workspace()
    const card = await issue({}, api)
    const misses = await Promise.all(Array.from({ length: 12 }, (_, i) => guess(api, `NOPE-${i}`)))
    expect(misses.map(refusalOf)).toMatchObject(Array(12).fill({ status: 404, code: 'NOT_FOUND' }))
    const { db } = deps()
    for (let n = 0; n < 8; n += 1) {
      const refusal = await pay(`WRONG-${n}`, 1, api).catch(
        (error: { afterRollback(db: unknown): unknown }) => error,
      )
      await (refusal as { afterRollback(db: unknown): Promise<unknown> }).afterRollback(db)
    }
    const stopped = await guess(api, card.code)
    expect([stopped.status, stopped.error.code, stopped.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '600',
    ])
    await expect(pay(card.code, 1, api)).rejects.toMatchObject({ status: 429 })
    expect((await guess(acme(), 'NOPE')).status).toBe(404)
    const other = (await api.post('/api-keys', { name: 'Till 2' })).data.key
    expect((await as(other).get(`/gift-cards/${card.code}`)).status).toBe(200)
    clock.advance(9 * 60_000)
    expect((await guess(api, card.code)).headers.get('retry-after')).toBe('60')
    clock.advance(60_000)
    expect((await guess(api, card.code)).data.giftCard.balance).toBe(100_000)
  })

  test('a refused sale leaves its guess counted though nothing else of it remains', async () => {
    const api = await workspace()
    const { outletId, bag } = await openShop(api)
    const card = await issue({}, api)
    const sale = (reference: string) => ({
      outletId,
      items: [{ variantId: bag, quantity: 2 }],
      payments: [{ method: 'GIFT_CARD', amount: 1_000, reference }],
    })
    for (let n = 0; n < 20; n += 1) {
      const refused = await api.post('/sales', sale(`WRONG-${n}`), { idempotencyKey: `guess-${n}` })
      expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'payments[0].reference' })
    }
    expect((await api.post('/sales', sale(card.code))).status).toBe(429)
    expect((await api.get('/sales')).data).toEqual([])
    clock.advance(10 * 60_000)
    expect((await api.post('/sales', sale(card.code))).status).toBe(201)
  })

  test('a known code, a short or a voided card is no guess', async () => {
    const api = await workspace()
    const card = await issue({}, api)
    for (let n = 0; n < 21; n += 1) expect((await guess(api, card.code)).status).toBe(200)
    for (let n = 0; n < 21; n += 1)
      await expect(pay(card.code, 100_001, api)).rejects.toMatchObject({ status: 422 })
  })
})

test('after any history the ledger adds up to the balance', async () => {
  const step = fc.record({
    verb: fc.constantFrom('pay', 'back', 'void'),
    amount: fc.integer({ min: 1, max: 90 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const card = await issue({ amount: 100 })
      let [balance, voided] = [100, false]
      for (const { verb, amount } of steps) {
        if (verb === 'pay') {
          const paid = await pay(card.code, amount).then(
            () => true,
            () => false,
          )
          expect(paid).toBe(!voided && amount <= balance)
          if (paid) balance -= amount
        } else if (verb === 'back') {
          expect(await giveBack(card.id, amount)).toBe(!voided)
          if (!voided) balance += amount
        } else {
          const answer = await acme().post(`/gift-cards/${card.id}/void`)
          expect([answer.status, answer.data?.writtenOff]).toEqual(voided ? [409, undefined] : [200, balance])
          balance = 0
          voided = true
        }
      }
      const { balance: told, entries } = await read(card.code)
      expect(told).toBe(balance)
      expect(entries.reduce((sum: number, entry: { amount: number }) => sum + entry.amount, 0)).toBe(balance)
    }),
    { numRuns: 20 },
  )
})

test('a card of another workspace answers 404 to every verb', async () => {
  const card = await issue()
  const answers = [
    await globex().get(`/gift-cards/${card.code}`),
    await globex().post(`/gift-cards/${card.id}/void`),
    await acme().get(`/gift-cards/${card.id}`),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(3).fill({ status: 404, code: 'NOT_FOUND' }))
  expect(
    await inTx(deps().db, (tx) =>
      creditGiftCard(tx, scopeOf(globex()), {
        giftCardId: card.id,
        amount: 1,
        saleId: newId('sale'),
        refundId: null,
      }),
    ),
  ).toBe(false)
  expect((await globex().get('/gift-cards')).data.map(({ id }: { id: string }) => id)).not.toContain(card.id)
})
