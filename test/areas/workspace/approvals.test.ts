import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { APPROVAL_ACTIONS, type ApprovalAction } from '../../../src/core/approvals.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Role } from '../../../src/platform/scope.ts'
import type { Answer, Api } from '../../support/api.ts'
import {
  makeCustomer,
  makeOutlet,
  makeSale,
  makeVariant,
  openBill,
  openShift,
  openShop,
  type Shop,
  setNegativeStock,
  stock,
} from '../../support/build.ts'
import { browser, memberOf } from '../../support/clients.ts'
import { done, refusalOf, saleOf } from '../../support/expect.ts'
import { enrolTill, memberWithPin, signedInAt, type TestTill } from '../../support/pins.ts'
import { acme, deps, globex, useService } from '../../support/service.ts'

const clock = manualClock('2026-04-01T02:00:00.000Z')
useService({ clock })

const REQUIRED = { status: 403, code: 'APPROVAL_REQUIRED' }

let shop: Shop
let till: TestTill
let owner: Api
let manager: { id: string; pin: string; api: Api }
let cashier: Api

/** Switches approvals; those that are not named are off. */
const switchOn = async (approvals: Partial<Record<ApprovalAction, boolean | number>>) => {
  const off = Object.fromEntries(
    APPROVAL_ACTIONS.map((action) => [action, action === 'discountAboveBps' ? null : false]),
  )
  done(await acme().put('/settings', { approvals: { ...off, ...approvals } }))
}

beforeAll(async () => {
  shop = await openShop(acme())
  till = await enrolTill(acme(), { outletId: shop.outletId })
  owner = (await memberOf(acme(), 'OWNER')).api
  manager = await memberWithPin(acme(), 'MANAGER')
  cashier = await signedInAt(till, await memberWithPin(acme(), 'CASHIER'))
})
beforeEach(() => switchOn({}))

type ApprovalRequest = { memberId?: string; pin?: string; subjectId?: string | null; at?: Api }
/** The token of an approval of the manager. */
async function approve(action: ApprovalAction, { subjectId, at = cashier, ...who }: ApprovalRequest = {}) {
  const body = { memberId: manager.id, pin: manager.pin, ...who, action }
  const answer = await at.post('/approvals', subjectId === undefined ? body : { ...body, subjectId })
  expect(answer.status, answer.text).toBe(201)
  return answer.data.token as string
}
const withToken = (...tokens: string[]) => ({ headers: { approval: tokens.join(', ') } })
const itemsOf = (quantity: number, more: object = {}) => [{ variantId: shop.latte, quantity, ...more }]
const voided = (api: Api, id: string, ...tokens: string[]) =>
  api.post(`/sales/${id}/void`, {}, withToken(...tokens))
const soldSale = async () => (await makeSale(acme(), { outletId: shop.outletId, items: itemsOf(2) })).id

type Request = {
  /** The first id in the path; null if there is none. */
  subjectId: string | null
  send(options?: { headers: Record<string, string> }): Promise<Answer>
  /** Who approved it, as the record shows. */
  approvedBy(answer: Answer): string | null
}
type Case = { on: boolean | number; request(api: Api): Promise<Request> }
const ofSale = (answer: Answer) => done(answer).sale.approvedBy

/** A request for each action. A new action needs a line here, or this file does not compile. */
const CASES: Record<ApprovalAction, Case> = {
  void: {
    on: true,
    request: async (api) => {
      const id = await soldSale()
      return { subjectId: id, send: (more) => api.post(`/sales/${id}/void`, {}, more), approvedBy: ofSale }
    },
  },
  refund: {
    on: true,
    request: async (api) => {
      const id = await soldSale()
      return {
        subjectId: id,
        send: (more) => api.post(`/sales/${id}/refund`, { amount: 1_000 }, more),
        approvedBy: (answer) => done(answer).sale.refunds[0].approvedBy,
      }
    },
  },
  discountAboveBps: {
    on: 1_000,
    request: async (api) => ({
      subjectId: null,
      send: (more) =>
        api.post('/sales', { outletId: shop.outletId, items: itemsOf(2), orderDiscount: 3_001 }, more),
      approvedBy: ofSale,
    }),
  },
  priceChange: {
    on: true,
    request: async (api) => {
      const { id } = await openBill(acme(), { outletId: shop.outletId, items: itemsOf(2) })
      return {
        subjectId: id,
        send: (more) => api.patch(`/sales/${id}/items`, { items: itemsOf(2, { unitPrice: 14_999 }) }, more),
        approvedBy: ofSale,
      }
    },
  },
  paidOut: {
    on: true,
    request: async (api) => {
      const { shiftId } = await drawer
      return {
        subjectId: shiftId,
        send: (more) =>
          api.post(
            `/shifts/${shiftId}/cash-movements`,
            { type: 'PAID_OUT', amount: 500, reason: 'Es' },
            more,
          ),
        approvedBy: (answer) => done(answer).cashMovement.approvedBy,
      }
    },
  },
  creditOverLimit: {
    on: true,
    request: async (api) => {
      const customerId = await makeCustomer(acme())
      const { id } = await openBill(acme(), { outletId: shop.outletId, items: itemsOf(1), customerId })
      return {
        subjectId: id,
        send: (more) => api.post(`/sales/${id}/payments`, { method: 'CREDIT', amount: 1_000 }, more),
        approvedBy: ofSale,
      }
    },
  },
  openItem: {
    on: true,
    request: async (api) => ({
      subjectId: null,
      send: (more) =>
        api.post(
          '/sales',
          { outletId: shop.outletId, items: [{ name: 'Parkir', unitPrice: 2_000, quantity: 1 }] },
          more,
        ),
      approvedBy: ofSale,
    }),
  },
  waiveService: {
    on: true,
    request: async (api) => {
      const outletId = await makeOutlet(acme(), { serviceChargeBps: 500 })
      return {
        subjectId: null,
        send: (more) =>
          api.post(
            '/sales',
            { outletId, orderType: 'DINE_IN', items: itemsOf(1), waiveServiceCharge: true },
            more,
          ),
        approvedBy: ofSale,
      }
    },
  },
  correctTender: {
    on: true,
    request: async (api) => {
      const id = await soldSale()
      const [payment] = done(await acme().get(`/sales/${id}`)).sale.payments
      return {
        subjectId: id,
        send: (more) => api.post(`/sales/${id}/payments/${payment.id}/correct`, { method: 'QRIS' }, more),
        approvedBy: ofSale,
      }
    },
  },
}

let drawer: Promise<{ shiftId: string }>
beforeAll(() => {
  drawer = openShift(acme(), shop.outletId, 1_000_000).then((shiftId) => ({ shiftId }))
})

const CALLERS: Record<Role | 'API key', () => Api> = {
  CASHIER: () => cashier,
  MANAGER: () => manager.api,
  OWNER: () => owner,
  'API key': acme,
}
const cells = APPROVAL_ACTIONS.flatMap((action) =>
  (Object.keys(CALLERS) as (keyof typeof CALLERS)[]).flatMap((caller) =>
    [true, false].map((isOn) => ({ action, caller, isOn, isAsked: isOn && caller === 'CASHIER' })),
  ),
)

describe('the table of roles, actions and settings', () => {
  test.each(cells.filter(({ action, isAsked }) => !isAsked && action !== 'creditOverLimit'))(
    '$caller does $action without an approval; approvals.$action on: $isOn',
    async ({ action, caller, isOn }) => {
      if (isOn) await switchOn({ [action]: CASES[action].on })
      const request = await CASES[action].request(CALLERS[caller]())
      const answer = await request.send()
      done(answer)
      expect(request.approvedBy(answer)).toBeNull()
    },
  )

  test.each(cells.filter(({ action, isAsked }) => !isAsked && action === 'creditOverLimit'))(
    '$caller cannot exceed a credit limit without an approval; approvals.$action on: $isOn',
    async ({ action, caller, isOn }) => {
      if (isOn) await switchOn({ [action]: CASES[action].on })
      const request = await CASES[action].request(CALLERS[caller]())
      expect(refusalOf(await request.send())).toMatchObject({ status: 422, param: 'amount' })
    },
  )

  test.each(cells.filter(({ isAsked }) => isAsked))(
    '$caller needs an approval for $action, which names the member who gave it',
    async ({ action, caller }) => {
      await switchOn({ [action]: CASES[action].on })
      const request = await CASES[action].request(CALLERS[caller]())
      const refused = await request.send()
      expect(refusalOf(refused)).toEqual(REQUIRED)
      expect(refused.error.details).toEqual({ action })
      const answer = await request.send(withToken(await approve(action, { subjectId: request.subjectId })))
      expect(request.approvedBy(answer)).toBe(manager.id)
    },
  )

  test.each(APPROVAL_ACTIONS)('an approval of %s fits no other action', async (action) => {
    const token = await approve(action)
    for (const other of APPROVAL_ACTIONS.filter((one) => one !== action)) {
      await switchOn({ [other]: CASES[other].on })
      const request = await CASES[other].request(cashier)
      expect(refusalOf(await request.send(withToken(token)))).toEqual(REQUIRED)
    }
    await switchOn({ [action]: CASES[action].on })
    done(await (await CASES[action].request(cashier)).send(withToken(token)))
  })
})

describe('a sale that is refused anyway', () => {
  beforeEach(async () => {
    await switchOn({ discountAboveBps: 1_000, creditOverLimit: true })
    await setNegativeStock(acme(), 'BLOCK')
  })
  afterEach(() => setNegativeStock(acme(), 'ALLOW'))

  test('for its stock or its gift card needs no approval of its discount or its credit', async () => {
    const variantId = await makeVariant(acme(), { price: 10_000 })
    await stock(acme(), shop.outletId, variantId, 3)
    const customerId = await makeCustomer(acme())
    const sale = (quantity: number, more: object) => ({
      outletId: shop.outletId,
      items: [{ variantId, quantity }],
      ...more,
    })
    const sell = (body: object) => cashier.post('/sales', { ...body, status: 'COMPLETED' })
    const discounted = { orderDiscount: 10_000 }
    const onCredit = (amount: number) => ({ customerId, payments: [{ method: 'CREDIT', amount }] })
    const payLater = async (quantity: number, amount: number) => {
      const { id } = await openBill(acme(), sale(quantity, { customerId }))
      return cashier.post(`/sales/${id}/payments`, { method: 'CREDIT', amount })
    }
    expect(refusalOf(await sell(sale(5, discounted)))).toMatchObject({ status: 422 })
    expect(refusalOf(await sell(sale(5, onCredit(50_000))))).toMatchObject({ status: 422 })
    expect(refusalOf(await payLater(5, 50_000))).toMatchObject({ status: 422 })
    const card = { payments: [{ method: 'GIFT_CARD', amount: 10_000, reference: 'UNKNOWN-1' }] }
    expect(refusalOf(await sell(sale(2, { ...discounted, ...card })))).toMatchObject({
      status: 422,
      param: 'payments[0].reference',
    })
    expect(refusalOf(await sell(sale(2, discounted)))).toEqual(REQUIRED)
    expect(refusalOf(await sell(sale(2, onCredit(20_000))))).toEqual(REQUIRED)
    expect(refusalOf(await payLater(2, 20_000))).toEqual(REQUIRED)
  })
})

describe('discarding a bill', () => {
  beforeEach(() => switchOn({ void: true }))
  const paidBill = async () => {
    const { id } = await openBill(acme(), { outletId: shop.outletId, items: itemsOf(2) })
    done(await acme().post(`/sales/${id}/payments`, { method: 'CASH', amount: 5_000 }))
    return id
  }

  test('on which money was taken needs the approval of a void, which names the member who gave it', async () => {
    const id = await paidBill()
    const refused = await cashier.post(`/sales/${id}/discard`, {})
    expect(refusalOf(refused)).toEqual(REQUIRED)
    expect(refused.error.details).toEqual({ action: 'void' })
    expect(done(await acme().get(`/sales/${id}`)).sale).toMatchObject({ status: 'PARKED', paidTotal: 5_000 })
    const token = await approve('void', { subjectId: id })
    const { sale } = done(await cashier.post(`/sales/${id}/discard`, {}, withToken(token)))
    expect(sale).toMatchObject({ status: 'VOIDED', approvedBy: manager.id })
  })

  test('on which no money was taken needs no approval', async () => {
    const { id } = await openBill(acme(), { outletId: shop.outletId, items: itemsOf(2) })
    const { sale } = done(await cashier.post(`/sales/${id}/discard`, {}))
    expect(sale).toMatchObject({ status: 'VOIDED', approvedBy: null })
  })

  test('that cannot be discarded is refused for its state, not for an approval', async () => {
    const id = await soldSale()
    expect(refusalOf(await cashier.post(`/sales/${id}/discard`, {}))).toMatchObject({ status: 409 })
  })
})

describe('the token of an approval', () => {
  beforeEach(() => switchOn({ void: true, refund: true }))

  test('stays unused if another one in the same request fits: the one for the record is used first', async () => {
    await switchOn({ void: true, refund: true })
    const [first, second, third] = [await soldSale(), await soldSale(), await soldSale()]
    const tokens = [await approve('void'), await approve('void', { subjectId: first }), await approve('void')]
    done(await voided(cashier, first, ...tokens))
    done(await voided(cashier, second, ...tokens))
    done(await voided(cashier, third, ...tokens))
    expect(refusalOf(await voided(cashier, await soldSale(), ...tokens))).toEqual(REQUIRED)
  })

  test('is used once by requests that send the same ones at the same time', async () => {
    await switchOn({ void: true })
    const tokens = [await approve('void'), await approve('void')]
    const sales = [await soldSale(), await soldSale(), await soldSale(), await soldSale()]
    const answers = await Promise.all(sales.map((id) => voided(cashier, id, ...tokens)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403, 403])
  })

  test('works once, and of twenty concurrent requests one gets it', async () => {
    const [first, second] = [await soldSale(), await soldSale()]
    const token = await approve('void')
    done(await voided(cashier, first, token))
    expect(refusalOf(await voided(cashier, second, token))).toEqual(REQUIRED)
    const sales = await Promise.all(Array.from({ length: 20 }, soldSale))
    const shared = await approve('void')
    const answers = await Promise.all(sales.map((id) => voided(cashier, id, shared)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(403)])
  })

  test('fits its subject only', async () => {
    const [mine, other] = [await soldSale(), await soldSale()]
    const token = await approve('void', { subjectId: mine })
    expect(refusalOf(await voided(cashier, other, token))).toEqual(REQUIRED)
    done(await voided(cashier, mine, token))
  })

  test('with a subject fits no request without one', async () => {
    await switchOn({ discountAboveBps: 0 })
    const token = await approve('discountAboveBps', { subjectId: await soldSale() })
    const body = { outletId: shop.outletId, items: itemsOf(1), orderDiscount: 1 }
    expect(refusalOf(await cashier.post('/sales', body, withToken(token)))).toEqual(REQUIRED)
  })

  test('fits its till only', async () => {
    const id = await soldSale()
    const elsewhere = await signedInAt(await enrolTill(acme()), await memberWithPin(acme(), 'CASHIER'))
    const token = await approve('void')
    expect(refusalOf(await voided(elsewhere, id, token))).toEqual(REQUIRED)
    const { api: untilled } = await memberOf(acme(), 'CASHIER')
    expect(refusalOf(await voided(untilled, id, token))).toEqual(REQUIRED)
    done(await voided(cashier, id, token))
  })

  test('works for two minutes', async () => {
    const [first, second] = [await soldSale(), await soldSale()]
    const token = await approve('void')
    clock.advance(119_999)
    done(await voided(cashier, first, token))
    const late = await approve('void')
    clock.advance(120_000)
    expect(refusalOf(await voided(cashier, second, late))).toEqual(REQUIRED)
  })

  test('is not spent by a request that is refused for another reason', async () => {
    const id = await soldSale()
    const token = await approve('refund', { subjectId: id })
    const refund = (body: object) => cashier.post(`/sales/${id}/refund`, body, withToken(token))
    expect(refusalOf(await refund({ amount: 0.5 }))).toMatchObject({ status: 400 })
    expect(refusalOf(await refund({ amount: 30_001 }))).toMatchObject({ status: 422 })
    expect(refusalOf(await refund({ lines: [{ transactionItemId: 'itm_unknown', qty: 1 }] }))).toMatchObject({
      status: 404,
    })
    done(await refund({ amount: 30_000 }))
    const other = await soldSale()
    const forVoid = await approve('void')
    expect(refusalOf(await voided(cashier, id, forVoid))).toMatchObject({ status: 409 })
    done(await voided(cashier, other, forVoid))
  })

  test('is not needed to repeat a request under its Idempotency-Key', async () => {
    const id = await soldSale()
    const send = (headers: Record<string, string>) =>
      cashier.post(`/sales/${id}/void`, {}, { idempotencyKey: `void-${id}`, headers })
    const first = await send({ approval: await approve('void', { subjectId: id }) })
    const again = await send({})
    expect([first.status, again.status, again.data]).toEqual([200, 200, first.data])
  })

  test.each([
    ['demoted', () => acme().patch(`/members/${leaving.id}`, { role: 'CASHIER' })],
    ['removed', () => acme().delete(`/members/${leaving.id}`)],
    ['given another PIN', () => acme().patch(`/members/${leaving.id}`, { pin: '99887' })],
  ])('of a member who was %s meanwhile is refused', async (_, leave) => {
    leaving = await memberWithPin(acme(), 'MANAGER')
    const id = await soldSale()
    const token = await approve('void', { memberId: leaving.id, pin: leaving.pin })
    done(await leave())
    expect(refusalOf(await voided(cashier, id, token))).toEqual(REQUIRED)
    // The request was refused, not the sale.
    done(await voided(cashier, id, await approve('void')))
  })

  test('does not come back when its member becomes a manager again', async () => {
    const member = await memberWithPin(acme(), 'MANAGER')
    const id = await soldSale()
    const token = await approve('void', { memberId: member.id, pin: member.pin })
    for (const role of ['CASHIER', 'MANAGER']) done(await acme().patch(`/members/${member.id}`, { role }))
    expect(refusalOf(await voided(cashier, id, token))).toEqual(REQUIRED)
  })

  test('ends with its till, also for a cashier who signed in there with a password', async () => {
    const other = await enrolTill(acme())
    const { cookie } = await memberOf(acme(), 'CASHIER')
    const there = browser(`${other.cookie}; ${cookie}`)
    const id = await soldSale()
    const token = await approve('void', { at: there })
    done(await acme().delete(`/tills/${other.id}`))
    expect(refusalOf(await voided(there, id, token))).toEqual(REQUIRED)
  })

  test('is one of several that a request needs', async () => {
    await switchOn({ discountAboveBps: 0, priceChange: true })
    const body = {
      outletId: shop.outletId,
      items: itemsOf(1, { unitPrice: 20_000 }),
      orderDiscount: 100,
      status: 'COMPLETED',
    }
    const [discount, price] = [await approve('discountAboveBps'), await approve('priceChange')]
    const short = await cashier.post('/sales', body, withToken(price))
    expect([refusalOf(short), short.error.details]).toEqual([REQUIRED, { action: 'discountAboveBps' }])
    const sale = saleOf(await cashier.post('/sales', body, withToken(discount, price)))
    expect(sale).toMatchObject({ status: 'COMPLETED', total: 19_900, approvedBy: manager.id })
  })

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(43)},`.repeat(20), 'null, undefined'])(
    'is not "%s"',
    async (approval) => {
      const id = await soldSale()
      expect(refusalOf(await cashier.post(`/sales/${id}/void`, {}, { headers: { approval } }))).toEqual(
        REQUIRED,
      )
    },
  )

  test('of another workspace is worth nothing', async () => {
    const foreign = await enrolTill(globex())
    const boss = await memberWithPin(globex(), 'MANAGER')
    const clerk = await signedInAt(foreign, await memberWithPin(globex(), 'CASHIER'))
    const token = await approve('void', { memberId: boss.id, pin: boss.pin, at: clerk })
    const id = await soldSale()
    expect(refusalOf(await voided(cashier, id, token))).toEqual(REQUIRED)
  })
})

let leaving: { id: string; pin: string }

describe('giving an approval', () => {
  const body = () => ({ memberId: manager.id, pin: manager.pin, action: 'void' })

  test('takes an enrolled till, a manager or owner, and their PIN', async () => {
    const { api: untilled } = await memberOf(acme(), 'CASHIER')
    expect(refusalOf(await untilled.post('/approvals', body()))).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(refusalOf(await acme().post('/approvals', body()))).toEqual({ status: 403, code: 'FORBIDDEN' })
    const other = await memberWithPin(acme(), 'CASHIER')
    const byCashier = { ...body(), memberId: other.id, pin: other.pin }
    expect(refusalOf(await cashier.post('/approvals', byCashier))).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(refusalOf(await cashier.post('/approvals', { ...body(), pin: '0000' }))).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    })
    const unknown = { ...body(), action: 'everything' }
    expect(refusalOf(await cashier.post('/approvals', unknown))).toMatchObject({
      status: 400,
      param: 'action',
    })
  })

  test('is recorded with till, action, approver and the cashier who asked, and shows the token once', async () => {
    const id = await soldSale()
    const answer = await cashier.post('/approvals', { ...body(), subjectId: id })
    const { approval, token } = done(answer)
    expect(approval).toMatchObject({ action: 'void', subjectId: id, tillId: till.id, approvedBy: manager.id })
    expect(Date.parse(approval.expiresAt) - clock.ms()).toBe(120_000)
    const rows = await deps()
      .db.selectFrom('events')
      .select('body')
      .where('type', '=', 'audit.approval.given.v1')
      .where('refId', '=', approval.id)
      .execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.body).not.toContain(token)
    const stored = await deps()
      .db.selectFrom('approvals')
      .select('tokenHash')
      .where('id', '=', approval.id)
      .executeTakeFirstOrThrow()
    expect(stored.tokenHash).not.toContain(token)
  })

  test('with a wrong PIN is recorded as an attempt on that member', async () => {
    const member = await memberWithPin(acme(), 'MANAGER')
    const wrong = { memberId: member.id, pin: '0000', action: 'refund' }
    expect(refusalOf(await cashier.post('/approvals', wrong))).toMatchObject({ status: 401 })
    const { body: told } = await deps()
      .db.selectFrom('events')
      .select('body')
      .where('type', '=', 'audit.approval.refused.v1')
      .where('refId', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(told).data).toEqual({ memberId: member.id, action: 'refund', tillId: till.id })
  })

  test('names the approver in the events of the void, the refund and the payout', async () => {
    await switchOn({ void: true, refund: true, paidOut: true })
    const bodyOf = async (type: string, refId: string) =>
      (
        await deps()
          .db.selectFrom('events')
          .select('body')
          .where('type', '=', type)
          .where('refId', '=', refId)
          .executeTakeFirstOrThrow()
      ).body
    const sale = await soldSale()
    done(await voided(cashier, sale, await approve('void')))
    expect(JSON.parse(await bodyOf('service.sale.voided.v1', sale)).data.sale.approvedBy).toBe(manager.id)
    const other = await soldSale()
    done(await cashier.post(`/sales/${other}/refund`, {}, withToken(await approve('refund'))))
    expect(JSON.parse(await bodyOf('service.sale.refunded.v1', other)).data.refund.approvedBy).toBe(
      manager.id,
    )
    const { shiftId } = await drawer
    const { cashMovement } = done(
      await cashier.post(
        `/shifts/${shiftId}/cash-movements`,
        { type: 'PAID_OUT', amount: 100, reason: 'Es' },
        withToken(await approve('paidOut', { subjectId: shiftId })),
      ),
    )
    const moved = await bodyOf('service.shift.cash_moved.v1', cashMovement.id)
    expect(JSON.parse(moved).data.cashMovement.approvedBy).toBe(manager.id)
  })
})

describe('what needs an approval', () => {
  const sell = (fields: object) =>
    cashier.post('/sales', { outletId: shop.outletId, items: itemsOf(2), status: 'COMPLETED', ...fields })

  test('a discount above the limit, not one of exactly the limit, however it is split', async () => {
    await switchOn({ discountAboveBps: 1_000 })
    expect(saleOf(await sell({ orderDiscount: 3_000 })).approvedBy).toBeNull()
    expect(refusalOf(await sell({ orderDiscount: 3_001 }))).toEqual(REQUIRED)
    done(await sell({ items: itemsOf(2, { discount: 3_000 }) }))
    expect(refusalOf(await sell({ items: itemsOf(2, { discount: 2_000 }), orderDiscount: 1_001 }))).toEqual(
      REQUIRED,
    )
  })

  test('a limit of 0 asks for every discount, and null for none', async () => {
    await switchOn({ discountAboveBps: 0 })
    expect(refusalOf(await sell({ orderDiscount: 1 }))).toEqual(REQUIRED)
    done(await sell({}))
    await switchOn({})
    done(await sell({ orderDiscount: 30_000 }))
  })

  test('an edit that leaves an approved discount or price alone needs no second approval', async () => {
    await switchOn({ discountAboveBps: 1_000, priceChange: true })
    const bill = saleOf(
      await cashier.post(
        '/sales',
        {
          outletId: shop.outletId,
          items: itemsOf(2, { unitPrice: 10_000 }),
          orderDiscount: 4_000,
          status: 'PARKED',
        },
        withToken(await approve('discountAboveBps'), await approve('priceChange')),
      ),
    )
    const [item] = bill.items
    const edit = (fields: object, items: object[] = [{ id: item.id, variantId: shop.latte, quantity: 2 }]) =>
      cashier.patch(`/sales/${bill.id}/items`, { items, ...fields })
    expect(saleOf(await edit({ note: 'meja 4' })).approvedBy).toBe(manager.id)
    expect(refusalOf(await edit({ orderDiscount: 4_001 }))).toEqual(REQUIRED)
    const more = [{ id: item.id, variantId: shop.latte, quantity: 3, unitPrice: 10_000 }]
    expect(refusalOf(await edit({}, more))).toEqual(REQUIRED)
    done(await edit({ orderDiscount: 3_000 }))
  })

  test('a split that leaves either bill a larger share of discounts needs one, and the bill names who gave it', async () => {
    await switchOn({ discountAboveBps: 1_000 })
    const cake = await makeVariant(acme(), { price: 60_000 })
    const body = {
      outletId: shop.outletId,
      items: [...itemsOf(1, { discount: 7_500 }), { variantId: cake, quantity: 1 }],
      status: 'PARKED',
    }
    const bill = saleOf(await cashier.post('/sales', body))
    const [latte, rest] = bill.items
    const split = (id: string, ...tokens: string[]) =>
      cashier.post(`/sales/${bill.id}/split`, { items: [{ id, quantity: 1 }] }, withToken(...tokens))
    // 7,500 of 75,000 needs none; 7,500 of 15,000 does, on the new bill and on the one that stays.
    for (const { id } of [latte, rest]) {
      const refused = await split(id)
      expect([refusalOf(refused), refused.error.details]).toEqual([REQUIRED, { action: 'discountAboveBps' }])
    }
    const token = await approve('discountAboveBps', { subjectId: bill.id })
    const { sale, from } = done(await split(latte.id, token))
    expect([sale.total, sale.approvedBy]).toEqual([7_500, manager.id])
    expect([from.total, from.approvedBy]).toEqual([60_000, null])
  })

  test('cash put into the drawer, a discarded bill and a sale at the price of the catalogue need none', async () => {
    await switchOn({ void: true, refund: true, discountAboveBps: 0, priceChange: true, paidOut: true })
    const { shiftId } = await drawer
    done(
      await cashier.post(`/shifts/${shiftId}/cash-movements`, { type: 'PAID_IN', amount: 500, reason: 'Es' }),
    )
    const bill = await openBill(acme(), { outletId: shop.outletId, items: itemsOf(1) })
    done(await cashier.post(`/sales/${bill.id}/discard`, {}))
    done(await sell({ items: itemsOf(1, { unitPrice: 15_000 }) }))
  })

  test('the settings refuse a limit that is no share, and keep what is not sent', async () => {
    const settings = (approvals: object) => acme().put('/settings', { approvals })
    expect(refusalOf(await settings({ discountAboveBps: 10_001 }))).toMatchObject({
      status: 400,
      param: 'approvals.discountAboveBps',
    })
    expect(refusalOf(await settings({ void: 'yes' }))).toMatchObject({ status: 400, param: 'approvals.void' })
    expect(refusalOf(await settings({ discard: true }))).toMatchObject({
      status: 400,
      param: 'approvals.discard',
    })
    done(await settings({ void: true }))
    expect(done(await settings({ refund: true })).settings.approvals).toMatchObject({
      void: true,
      refund: true,
    })
  })
})
