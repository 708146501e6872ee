import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noticeExpires } from '../../../src/areas/partners/inbound/expires.ts'
import { sessionExpires } from '../../../src/areas/partners/payments/expires.ts'
import { settleLoose } from '../../../src/areas/partners/payments/jobs.ts'
import { addMs } from '../../../src/core/time.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { sweep } from '../../../src/platform/jobs/sweep.ts'
import type { Api } from '../../support/api.ts'
import {
  enableModule,
  makeComposite,
  makeVariant,
  openShop,
  type Shop,
  setNegativeStock,
  stock,
} from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { notify } from '../../support/notices.ts'
import { sendJson, sessionOf, settingsOf, startPartner } from '../../support/partner.ts'
import { levelOf } from '../../support/read.ts'
import { acme, alongside, deps, globex, useService } from '../../support/service.ts'

const clock = manualClock('2026-03-01T00:00:00.000Z')
const partner = await startPartner()
useService({ clock, env: settingsOf(partner) })
afterAll(() => partner.close())

const DAY_MS = 24 * 3_600_000
type Session = ReturnType<typeof sessionOf> & { status: string }
const sessions = new Map<string, Session>()
const byKey = new Map<string, Session>()
const PATH = /^\/v1\/checkout-sessions(?:\/([^/]+))?(?:\/(cancel))?$/

/** A partner that remembers what it opened. */
const remembering: Parameters<typeof partner.answers>[0] = ({ method, path, body, headers }, response) => {
  const [, id, verb] = PATH.exec(path) ?? []
  if (path === '/v1/workspaces') {
    return void sendJson(response, 201, { data: { workspaceId: 'w', apiKey: 'k' } })
  }
  if (method === 'POST' && id === undefined) {
    const key = String(headers['idempotency-key'])
    const known = byKey.get(key)
    const session = known ?? { ...sessionOf(body), expiresAt: addMs(clock.now(), 15 * 60_000) }
    byKey.set(key, session)
    sessions.set(session.id, session)
    return void sendJson(response, known ? 200 : 201, { data: session })
  }
  const session = sessions.get(id ?? '')
  if (!session) return void sendJson(response, 404, { error: { code: 'NOT_FOUND', message: 'no session' } })
  if (verb === 'cancel' && session.status === 'completed') {
    return void sendJson(response, 409, { error: { code: 'CONFLICT', message: 'it is paid' } })
  }
  if (verb === 'cancel' && session.status === 'open') session.status = 'canceled'
  sendJson(response, 200, { data: session })
}

let shop: Shop
beforeAll(async () => {
  await enableModule(acme(), 'payment')
  await enableModule(globex(), 'payment')
  shop = await openShop(acme())
  await stock(acme(), shop.outletId, shop.latte, 10_000)
})
beforeEach(() => {
  partner.answers(remembering)
  partner.asked.length = 0
})

/** An open bill of 30.000. */
const bill = async (items: object[] = [{ variantId: shop.latte, quantity: 2 }]): Promise<string> =>
  done(await acme().post('/sales', { outletId: shop.outletId, items, status: 'PARKED' })).sale.id
const charge = (transactionId: string, more: object = {}, api = acme()) =>
  api.post('/payments/qris', { transactionId, ...more })
const poll = (id: string) => acme().get(`/payments/qris/${id}`)
const read = async (id: string) => done(await acme().get(`/sales/${id}`)).sale
const eventsOf = async (paymentId: string) =>
  (
    await deps().db.selectFrom('events').select('type').where('refId', '=', paymentId).orderBy('id').execute()
  ).map(({ type }) => type)
const count = async () =>
  (await deps().pool.query('select count(*)::int as n from payment_sessions')).rows[0].n as number

type Told = { outcome?: string; owner?: string | null; amount?: number; id?: string }
/** The partner reports what became of a session. */
const tell = (sessionId: string, { outcome = 'completed', owner, amount, id }: Told = {}) => {
  const session = sessions.get(sessionId) as Session
  session.status = outcome
  return notify(
    {
      type: `vendor.checkout_session.${outcome}.v1`,
      data: {
        workspaceExternalId: owner === undefined ? acme().workspace.accountId : owner,
        session: { ...session, amount: amount ?? session.amount },
      },
    },
    { atMs: clock.ms(), ...(id === undefined ? {} : { id }) },
  )
}

/** A session that was opened through the forwarded routes, for the payment of another one. */
const opensForwarded = (sessionId: string): string => {
  const { metadata } = sessions.get(sessionId) as Session
  const forwarded = {
    ...sessionOf(JSON.stringify({ amount: 30_000, currency: 'IDR', metadata })),
    status: 'open',
  }
  sessions.set(forwarded.id, forwarded)
  return forwarded.id
}

/** A bill whose till called it paid under a reference of its own, with two sessions that nobody has reported yet. */
async function calledPaid() {
  const id = await bill()
  const sent = { method: 'QRIS', amount: 30_000, providerRef: `till-${id}` }
  done(await acme().post(`/sales/${id}/payments`, { ...sent, status: 'PENDING' }))
  const { sessionId } = (await charge(id)).data
  const forwarded = opensForwarded(sessionId)
  done(await acme().post(`/sales/${id}/payments`, sent))
  return { id, sessionId, forwarded }
}

describe('a code for a bill', () => {
  test('is opened for what remains, by a cashier too, and answered again while it can be paid', async () => {
    const id = await bill()
    const opened = await charge(id, {}, (await memberOf(acme(), 'CASHIER')).api)
    expect(opened.status).toBe(201)
    const { payments } = await read(id)
    expect(payments).toMatchObject([
      { method: 'QRIS', amount: 30_000, status: 'PENDING', providerRef: opened.data.sessionId },
    ])
    expect(opened.data).toMatchObject({
      transactionId: id,
      paymentId: payments[0].id,
      method: 'qris',
      amount: 30_000,
      currency: 'IDR',
      status: 'pending',
      qrString: expect.stringMatching(/^000201/),
      vaNumber: null,
      expiresAt: '2026-03-01T00:15:00.000Z',
      paidAt: null,
    })
    const again = await charge(id)
    expect([again.status, again.data]).toEqual([200, opened.data])
    expect(partner.asked.filter(({ path }) => path === '/v1/checkout-sessions').length).toBe(1)
    expect(JSON.parse(partner.asked.at(-1)?.body ?? '')).toMatchObject({
      metadata: { accountId: acme().workspace.accountId, transactionId: id, paymentId: payments[0].id },
    })
  })

  test('uses the pending payment that the till made for it', async () => {
    const id = await bill()
    const sent = { method: 'VA', amount: 12_000, status: 'PENDING', providerRef: `till-${id}` }
    const { payments } = done(await acme().post(`/sales/${id}/payments`, sent)).sale
    expect((await charge(id, { method: 'va' })).data).toMatchObject({
      paymentId: payments[0].id,
      amount: 12_000,
      vaNumber: '8808123456789012',
    })
    expect((await read(id)).payments).toEqual([expect.objectContaining({ providerRef: `till-${id}` })])
  })

  test('above what remains by now fails, and another one takes its place', async () => {
    const id = await bill()
    const first = (await charge(id)).data
    done(await acme().post(`/sales/${id}/payments`, { method: 'CASH', amount: 10_000 }))
    const second = await charge(id)
    expect([second.status, second.data.amount]).toEqual([201, 20_000])
    const { payments } = await read(id)
    expect(payments.map(({ amount, status }: Record<string, unknown>) => [amount, status])).toEqual([
      [30_000, 'FAILED'],
      [10_000, 'PAID'],
      [20_000, 'PENDING'],
    ])
    await settleLoose(deps())
    expect([sessions.get(first.sessionId)?.status, (await poll(first.sessionId)).data.status]).toEqual([
      'canceled',
      'failed',
    ])
    expect(sessions.get(second.data.sessionId)?.status).toBe('open')
  })

  test('that is paid in cash is canceled at the partner however many codes of another workspace are loose', async () => {
    const loose = async (api: Api, { outletId, latte }: Shop): Promise<string> => {
      const items = [{ variantId: latte, quantity: 2 }]
      const sale = done(await api.post('/sales', { outletId, items, status: 'PARKED' })).sale
      const { sessionId } = done(await charge(sale.id, {}, api))
      done(await api.post(`/sales/${sale.id}/payments`, { method: 'CASH', amount: sale.total }))
      return sessionId
    }
    const hoarder = globex()
    const hoarded = await loose(hoarder, await openShop(hoarder))
    await deps().pool.query(
      `insert into payment_sessions select (jsonb_populate_record(s, jsonb_build_object('id', s.id || n, 'payment_id', s.payment_id || n))).*
        from payment_sessions s, generate_series(1, 120) n where s.id = $1`,
      [hoarded],
    )
    const sessionId = await loose(acme(), shop)
    await settleLoose(deps())
    expect(sessions.get(sessionId)?.status).toBe('canceled')
    await deps().pool.query('delete from payment_sessions where account_id = $1', [
      hoarder.workspace.accountId,
    ])
  })

  test('of ten tills at once is one payment and one code', async () => {
    const id = await bill()
    const answers = await Promise.all(Array.from({ length: 10 }, () => charge(id)))
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    expect(new Set(answers.map(({ data }) => data.sessionId)).size).toBe(1)
    expect((await read(id)).payments.length).toBe(1)
    await settleLoose(deps())
    const open = [...sessions.values()].filter(
      ({ status, metadata }) => status === 'open' && metadata.transactionId === id,
    )
    expect(open.map((session) => session.id)).toEqual([answers[0]?.data.sessionId])
  })

  test.each<[string, () => Promise<object>, number, string | undefined]>([
    ['neither bill nor amount', async () => ({}), 422, 'transactionId'],
    ['both', async () => ({ transactionId: await bill(), amount: 5 }), 422, 'amount'],
    ['dollars', async () => ({ amount: 5, currency: 'USD' }), 422, 'currency'],
    ['nothing', async () => ({ amount: 0 }), 422, 'amount'],
    ['more than QRIS carries', async () => ({ amount: 10_000_001 }), 422, 'amount'],
    ['less than an account takes', async () => ({ amount: 9_999, method: 'va' }), 422, 'amount'],
    [
      'a bill above what QRIS carries',
      async () => ({ transactionId: await bill([{ variantId: shop.latte, quantity: 700 }]) }),
      422,
      'transactionId',
    ],
    ['an unknown bill', async () => ({ transactionId: 'txn_none' }), 404, 'transactionId'],
  ])('for %s is refused, and nobody asked', async (_, body, status, param) => {
    const refused = await acme().post('/payments/qris', await body())
    expect(refusalOf(refused)).toMatchObject({ status, ...(param === undefined ? {} : { param }) })
    expect(partner.asked).toEqual([])
  })

  test('for a bill with twenty payments is 409 before the partner is asked, or canceled when it was too late for that', async () => {
    const id = await bill()
    const cash = () => acme().post(`/sales/${id}/payments`, { method: 'CASH', amount: 100 })
    for (let count = 0; count < 19; count += 1) done(await cash())
    partner.answers(async (request, response) => {
      if (request.path === '/v1/checkout-sessions' && request.method === 'POST') done(await cash())
      return remembering(request, response)
    })
    expect(refusalOf(await charge(id))).toMatchObject({ status: 409, code: 'CONFLICT' })
    const [opened] = [...sessions.values()].slice(-1)
    expect(opened?.metadata.transactionId).toBe(id)
    await settleLoose(deps())
    expect(opened?.status).toBe('canceled')
    partner.asked.length = 0
    expect(refusalOf(await charge(id))).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(partner.asked).toEqual([])
  })

  test('for a bill that is edited while the partner opens the session is 409, and its key serves no other request', async () => {
    const [id, other] = [await bill(), await bill()]
    const send = (transactionId: string) =>
      acme().post('/payments/qris', { transactionId }, { idempotencyKey: `edited-${id}` })
    partner.answers(async (request, response) => {
      done(await acme().post(`/sales/${id}/payments`, { method: 'CASH', amount: 5_000 }))
      return remembering(request, response)
    })
    expect(refusalOf(await send(id))).toEqual({ status: 409, code: 'CONFLICT' })
    partner.answers(remembering)
    partner.asked.length = 0
    expect(refusalOf(await send(other))).toEqual({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
    expect(partner.asked).toEqual([])
    const again = await send(id)
    expect([again.status, again.data.amount]).toEqual([201, 25_000])
  })

  test('for a bill that is closed is 409', async () => {
    const id = await bill()
    done(await acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 30_000 }] }))
    expect(refusalOf(await charge(id))).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  test('that the partner does not open leaves the bill as it was', async () => {
    const id = await bill()
    const before = [await read(id), await count()]
    partner.answers((_, response) => void response.writeHead(500).end('oops'))
    expect(refusalOf(await charge(id))).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    partner.answers((_, response) => void sendJson(response, 201, { data: { id: 'x', amount: '30000' } }))
    expect(refusalOf(await charge(id))).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    expect([await read(id), await count()]).toEqual(before)
  })

  test('that the partner answers with an invalid session may be open there, and the message says where to look', async () => {
    const ask = async (body: object, options: object = {}) =>
      (await acme().post('/payments/qris', body, options)).error.message
    const id = await bill()
    partner.answers((_, response) => void sendJson(response, 201, { data: { id: 'x' } }))
    const invalid = 'The payment partner returned no valid session;'
    const look = (at: string) =>
      `${invalid} it may have been done all the same, so look at ${at} before you send it again`
    expect(await ask({ transactionId: id })).toBe(look('the sale'))
    expect(await ask({ amount: 30_000 })).toBe(look('the checkout sessions'))
    expect(await ask({ transactionId: id }, { idempotencyKey: 'invalid-session' })).toBe(
      `${invalid} send the same request again, with its Idempotency-Key where it had one: it is done at most once`,
    )
    partner.answers()
    const { sessionId } = done(await charge(id))
    clock.advance(4_000)
    partner.answers((_, response) => void sendJson(response, 200, { data: { id: 'x' } }))
    expect((await poll(sessionId)).error.message).toBe(`${invalid} try again in a moment`)
  })

  /** A partner whose next answer to a new session is lost; asked again under the same key, it repeats that answer. */
  const loses = () => {
    partner.answers((request, response) => {
      if (request.method !== 'POST' || request.path !== '/v1/checkout-sessions')
        return remembering(request, response)
      const expiresAt = addMs(clock.now(), 15 * 60_000)
      const lost = { ...sessionOf(request.body), expiresAt }
      byKey.set(String(request.headers['idempotency-key']), lost)
      sessions.set(lost.id, lost)
      response.writeHead(500).end('lost')
    })
  }
  const opened = () => partner.asked.filter(({ path }) => path === '/v1/checkout-sessions').length

  test('whose answer was lost and whose time is over is not handed out: another payment gets one that can be paid', async () => {
    const id = await bill()
    done(await acme().post(`/sales/${id}/payments`, { method: 'QRIS', amount: 30_000, status: 'PENDING' }))
    loses()
    expect(refusalOf(await charge(id))).toMatchObject({ status: 502 })
    partner.answers(remembering)
    clock.advance(20 * 60_000)
    const { status, data } = await charge(id)
    expect([status, data.status, data.expiresAt]).toEqual([201, 'pending', addMs(clock.now(), 15 * 60_000)])
    const again = await charge(id)
    expect([again.status, again.data.sessionId]).toEqual([200, data.sessionId])
    await settleLoose(deps())
    const { payments } = await read(id)
    expect(
      payments.map((row: { id: string; status: string }) => [row.id === data.paymentId, row.status]),
    ).toEqual([
      [false, 'FAILED'],
      [true, 'PENDING'],
    ])
    expect(await tell(data.sessionId)).toEqual([200, undefined])
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
  })

  test('that is over however often it is asked for is 502 after the second', async () => {
    const id = await bill()
    partner.answers((request, response) =>
      request.path === '/v1/checkout-sessions'
        ? void sendJson(response, 201, { data: { ...sessionOf(request.body), expiresAt: clock.now() } })
        : remembering(request, response),
    )
    partner.asked.length = 0
    expect(refusalOf(await charge(id))).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    expect(opened()).toBe(2)
    expect(await read(id)).toMatchObject({ status: 'PARKED', payments: [] })
  })

  test('for an amount, whose answer was lost and whose time is over, is another one', async () => {
    const ask = () =>
      acme().post('/payments/qris', { amount: 50_000 }, { idempotencyKey: 'the-amount-of-a-till' })
    loses()
    expect(refusalOf(await ask())).toMatchObject({ status: 502 })
    partner.answers(remembering)
    clock.advance(20 * 60_000)
    const { status, data } = await ask()
    expect([status, data.expiresAt]).toEqual([201, addMs(clock.now(), 15 * 60_000)])
  })

  test('whose answer was lost is the session of the first attempt when the request is repeated under its key', async () => {
    const id = await bill()
    const ask = () =>
      acme().post('/payments/qris', { transactionId: id }, { idempotencyKey: 'the-code-of-a-till' })
    loses()
    expect(refusalOf(await ask())).toMatchObject({ status: 502 })
    const [lost] = [...sessions.values()].slice(-1)
    partner.answers(remembering)
    const charged = await ask()
    expect([charged.status, charged.data.sessionId]).toEqual([201, lost?.id])
    expect((await read(id)).payments).toMatchObject([{ status: 'PENDING', providerRef: lost?.id }])
  })

  test('that the partner opened for another bill of the same amount is 502, and changes neither bill', async () => {
    const [first, second] = [await bill(), await bill()]
    const { sessionId } = (await charge(first)).data
    partner.answers((request, response) =>
      request.path === '/v1/checkout-sessions'
        ? void sendJson(response, 201, { data: sessions.get(sessionId) })
        : remembering(request, response),
    )
    expect(refusalOf(await charge(second))).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    expect((await read(second)).payments).toEqual([])
    const forAmount = await acme().post('/payments/qris', { amount: 30_000 })
    expect(refusalOf(forAmount)).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    expect((await poll(sessionId)).data).toMatchObject({ transactionId: first, status: 'pending' })
  })

  test('is not there for another workspace', async () => {
    const { sessionId } = (await charge(await bill())).data
    expect(refusalOf(await globex().get(`/payments/qris/${sessionId}`))).toMatchObject({ status: 404 })
  })
})

describe('the end of a session', () => {
  test('paid completes the bill, once, though notices, polls, a void and the till come at the same time', async () => {
    for (let round = 0; round < 2; round += 1) {
      const id = await bill()
      const { sessionId, paymentId } = (await charge(id)).data
      clock.advance(4_000)
      ;(sessions.get(sessionId) as Session).status = 'completed'
      const at = (n: number) => (n % 5 === 0 ? acme().post(`/sales/${id}/void`, {}) : null)
      await Promise.all(
        Array.from(
          { length: 50 },
          (_, n): Promise<unknown> =>
            at(n) ??
            (n % 2 === 0 ? tell(sessionId, n % 4 === 0 ? { id: `one-${round}` } : {}) : poll(sessionId)),
        ),
      )
      const sale = await read(id)
      expect(['COMPLETED', 'VOIDED']).toContain(sale.status)
      expect(sale.payments).toMatchObject([
        { id: paymentId, amount: 30_000, status: 'PAID', verified: true, applied: true },
      ])
      expect((await poll(sessionId)).data).toMatchObject({ status: 'paid', paidAt: clock.now() })
      const told = await eventsOf(paymentId)
      expect(told.filter((type) => type === 'service.payment.received.v1').length).toBe(1)
      expect(told.length).toBe(sale.status === 'VOIDED' ? 2 : 1)
    }
  })

  test('paid in the middle of a settlement by cash is in one of two states, and no rupiah is lost', async () => {
    const id = await bill()
    const { sessionId, paymentId } = (await charge(id)).data
    await Promise.all([
      acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 30_000 }] }),
      ...Array.from({ length: 10 }, () => tell(sessionId)),
    ])
    const sale = await read(id)
    expect(sale).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
    const money = sale.payments.find((row: { id: string }) => row.id === paymentId)
    expect(money).toMatchObject({ status: 'PAID', verified: true, amount: 30_000 })
    expect(money.applied).toBe(sale.payments.length === 1)
  })

  test('paid after the bill was discarded is kept unapplied', async () => {
    const id = await bill()
    const { sessionId, paymentId } = (await charge(id)).data
    done(await acme().post(`/sales/${id}/discard`, {}))
    expect(await tell(sessionId)).toEqual([200, undefined])
    expect(await read(id)).toMatchObject({
      status: 'VOIDED',
      payments: [{ status: 'PAID', applied: false, amount: 30_000 }],
    })
    expect(await eventsOf(paymentId)).toEqual(['service.payment.failed.v1', 'service.payment.unapplied.v1'])
  })

  test.each(['expired', 'failed'])('%s fails the payment, and a new code can be had', async (outcome) => {
    const id = await bill()
    const { sessionId } = (await charge(id)).data
    expect(await tell(sessionId, { outcome })).toEqual([200, undefined])
    expect((await read(id)).payments).toMatchObject([{ status: 'FAILED' }])
    expect((await poll(sessionId)).data.status).toBe(outcome)
    const next = await charge(id)
    expect([next.status, next.data.sessionId === sessionId]).toEqual([201, false])
    // The customer had paid after all: partner evidence alone turns it.
    expect(await tell(sessionId)).toEqual([200, undefined])
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
    expect((await poll(sessionId)).data.status).toBe('paid')
    await settleLoose(deps())
    expect(sessions.get(next.data.sessionId)?.status).toBe('canceled')
  })

  test.each(['expired', 'failed'])(
    'that was %s and is paid afterwards reads paid, and no later end takes that back',
    async (outcome) => {
      const id = await bill()
      const { sessionId } = (await charge(id)).data
      const shown = async () => {
        const { status, paidAt } = done(await poll(sessionId))
        return [status, paidAt]
      }
      await tell(sessionId, { outcome })
      expect(await shown()).toEqual([outcome, null])
      clock.advance(1_000)
      const paidAt = clock.now()
      await tell(sessionId)
      expect(await shown()).toEqual(['paid', paidAt])
      clock.advance(1_000)
      for (const late of ['expired', 'failed', 'completed']) {
        expect(await tell(sessionId, { outcome: late })).toEqual([200, undefined])
        expect(await shown()).toEqual(['paid', paidAt])
      }
      expect((await read(id)).payments).toMatchObject([{ status: 'PAID', applied: true }])
    },
  )

  test('that nobody reported is found out by a poll after three seconds, not before', async () => {
    const id = await bill()
    const { sessionId } = (await charge(id)).data
    ;(sessions.get(sessionId) as Session).status = 'completed'
    partner.asked.length = 0
    clock.advance(2_000)
    expect((await poll(sessionId)).data.status).toBe('pending')
    expect(partner.asked).toEqual([])
    clock.advance(2_000)
    expect((await poll(sessionId)).data.status).toBe('paid')
    expect((await read(id)).status).toBe('COMPLETED')
    partner.answers((_, response) => void response.writeHead(500).end())
    expect((await poll(sessionId)).data.status).toBe('paid')
  })

  test('is not touched by the job in its last minute nor in the minute after, while somebody may be paying', async () => {
    const id = await bill()
    const { sessionId } = (await charge(id)).data
    const isLeftAlone = async () => {
      partner.asked.length = 0
      await settleLoose(deps())
      return partner.asked.every(({ path }) => !path.includes(sessionId))
    }
    clock.advance(14 * 60_000 + 1)
    expect(await isLeftAlone()).toBe(true)
    clock.advance(59_998)
    expect(await isLeftAlone()).toBe(true)
    clock.advance(60_001)
    expect([await isLeftAlone(), sessions.get(sessionId)?.status]).toEqual([true, 'open'])
    ;(sessions.get(sessionId) as Session).status = 'completed'
    clock.advance(1)
    expect(await isLeftAlone()).toBe(false)
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
  })

  test('that nobody reported while the service was off for eighty days is found out at the start', async () => {
    const id = await bill()
    const { sessionId } = (await charge(id)).data
    ;(sessions.get(sessionId) as Session).status = 'completed'
    clock.advance(80 * DAY_MS)
    await settleLoose(deps())
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
  })

  test('that the partner leaves open is asked about ever more seldom, until the session is swept', async () => {
    const { sessionId } = (await charge(await bill())).data
    const session = sessions.get(sessionId)
    partner.answers((_, response) => void sendJson(response, 200, { data: session }))
    /** Whether the partner is asked about it once so much more time has passed. */
    const isAskedAfter = async (ms: number) => {
      partner.asked.length = 0
      clock.advance(ms)
      await settleLoose(deps())
      return partner.asked.some(({ path }) => path.includes(sessionId))
    }
    const HOUR_MS = 3_600_000
    clock.advance(15 * 60_000)
    expect([await isAskedAfter(60_000), await isAskedAfter(1_000)]).toEqual([false, true])
    expect([await isAskedAfter(10_000), await isAskedAfter(1_000)]).toEqual([false, true])
    expect(await isAskedAfter(2 * DAY_MS)).toBe(true)
    expect([await isAskedAfter(4.75 * HOUR_MS), await isAskedAfter(0.1 * HOUR_MS)]).toEqual([false, true])
    expect(await isAskedAfter(30 * DAY_MS)).toBe(true)
    expect([await isAskedAfter(DAY_MS), await isAskedAfter(1_000)]).toEqual([false, true])
    clock.advance(58 * DAY_MS)
    await sweep(deps(), sessionExpires)
    expect(await isAskedAfter(0)).toBe(false)
  })

  test('when the bill was paid in cash is a cancel; money that was faster is kept unapplied', async () => {
    const [idle, faster] = [await bill(), await bill()]
    const [first, second] = [(await charge(idle)).data, (await charge(faster)).data]
    for (const id of [idle, faster]) {
      done(await acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 30_000 }] }))
    }
    ;(sessions.get(second.sessionId) as Session).status = 'completed'
    await settleLoose(deps())
    expect([sessions.get(first.sessionId)?.status, (await poll(first.sessionId)).data.status]).toEqual([
      'canceled',
      'failed',
    ])
    expect((await read(faster)).payments).toMatchObject([
      { id: second.paymentId, status: 'PAID', applied: false },
      { method: 'CASH', applied: true },
    ])
  })

  test('paid for goods that must not be sold short keeps the money on the open bill', async () => {
    await setNegativeStock(acme(), 'BLOCK')
    const id = await bill([{ variantId: shop.cake, quantity: 4 }])
    const { sessionId } = (await charge(id)).data
    expect(await tell(sessionId)).toEqual([200, undefined])
    expect(await read(id)).toMatchObject({ status: 'PARKED', paidTotal: 30_000, remaining: 0 })
    await stock(acme(), shop.outletId, shop.cake, 4)
    expect((await acme().post(`/sales/${id}/settle`, { payments: [] })).data.sale.status).toBe('COMPLETED')
    await setNegativeStock(acme(), 'ALLOW')
  })

  test('paid for goods that are not there leaves the books by a correction, a settlement, a void and a correction', async () => {
    await setNegativeStock(acme(), 'BLOCK')
    const variantId = await makeVariant(acme(), { price: 10_000 })
    const id = await bill([{ variantId, quantity: 3 }])
    const { sessionId, paymentId } = (await charge(id)).data
    expect(await tell(sessionId)).toEqual([200, undefined])
    expect(refusalOf(await acme().post(`/sales/${id}/discard`))).toMatchObject({ status: 409 })
    await stock(acme(), shop.outletId, variantId, 3)
    done(await acme().post(`/sales/${id}/settle`, { payments: [] }))
    expect(done(await acme().post(`/sales/${id}/void`, {})).sale.status).toBe('VOIDED')
    await stock(acme(), shop.outletId, variantId, -3)
    expect(await levelOf(acme(), shop.outletId, variantId)).toBe(0)
    expect(await eventsOf(paymentId)).toEqual(['service.payment.received.v1', 'service.payment.unapplied.v1'])
    await setNegativeStock(acme(), 'ALLOW')
  })

  test('paid for goods whose stock can no longer be counted keeps the money on the open bill', async () => {
    const flour = await makeVariant(acme(), { price: 1_000 })
    const bread = await makeComposite(acme(), [[flour, 1_000_000]])
    const id = await bill([{ variantId: bread, quantity: 2_200, unitPrice: 100 }])
    const { sessionId } = (await charge(id)).data
    expect(await tell(sessionId)).toEqual([200, undefined])
    expect(await read(id)).toMatchObject({ status: 'PARKED', paidTotal: 220_000, remaining: 0 })
    expect((await poll(sessionId)).data.status).toBe('paid')
    expect(refusalOf(await acme().post(`/sales/${id}/settle`, { payments: [] }))).toMatchObject({
      status: 422,
    })
  })

  const moneyOf = async (id: string) => {
    const { payments, paidTotal } = await read(id)
    const rows = payments.map((row: { applied: boolean; amount: number }) => [row.applied, row.amount])
    return { paidTotal, rows, ids: payments.map((row: { id: string }) => row.id) }
  }
  const TWICE = [
    [true, 30_000],
    [false, 30_000],
  ]

  test.each([
    ['by a forwarded session after its own', false],
    ['by its own session after a forwarded one', true],
  ])('paid a second time %s is kept unapplied, once', async (_, isForwardedFirst) => {
    const id = await bill()
    const { sessionId, paymentId } = (await charge(id)).data
    const forwarded = opensForwarded(sessionId)
    const [first, second] = isForwardedFirst ? [forwarded, sessionId] : [sessionId, forwarded]
    for (const one of [first, second, second, first, sessionId]) {
      expect(await tell(one)).toEqual([200, undefined])
    }
    clock.advance(4_000)
    await Promise.all([poll(sessionId), settleLoose(deps()), tell(sessionId), tell(forwarded)])
    const { paidTotal, rows, ids } = await moneyOf(id)
    expect([paidTotal, rows]).toEqual([30_000, TWICE])
    const twice = ids.find((one: string) => one !== paymentId)
    expect(await eventsOf(twice)).toEqual(['service.payment.unapplied.v1'])
    expect((await poll(sessionId)).data.status).toBe('paid')
  })

  test.each(['expired', 'failed'])(
    '%s of a forwarded session fails the payment that names it, and none with a code of its own',
    async (outcome) => {
      const id = await bill()
      const { sessionId, paymentId } = (await charge(id)).data
      expect(await tell(opensForwarded(sessionId), { outcome })).toEqual([200, undefined])
      expect((await read(id)).payments).toMatchObject([{ id: paymentId, status: 'PENDING' }])
      const another = await bill()
      const named = opensForwarded(sessionId)
      const sent = { method: 'QRIS', amount: 30_000, status: 'PENDING', providerRef: named }
      const { payments } = done(await acme().post(`/sales/${another}/payments`, sent)).sale
      const { metadata } = sessions.get(named) as Session
      const of = { ...metadata, transactionId: another, paymentId: payments[0].id }
      sessions.set(named, { ...(sessions.get(named) as Session), metadata: of })
      expect(await tell(named, { outcome })).toEqual([200, undefined])
      expect((await read(another)).payments).toMatchObject([{ status: 'FAILED' }])
    },
  )

  test('paid for a payment that a forwarded session has paid is found out without a notice, and kept unapplied once', async () => {
    const id = await bill()
    const { sessionId } = (await charge(id)).data
    await tell(opensForwarded(sessionId))
    ;(sessions.get(sessionId) as Session).status = 'completed'
    clock.advance(4_000)
    await Promise.all([settleLoose(deps()), poll(sessionId), tell(sessionId), poll(sessionId)])
    expect(await moneyOf(id)).toMatchObject({ paidTotal: 30_000, rows: TWICE })
  })

  test('paid for a payment that the till had called paid is the same money, and a second session is not', async () => {
    const { id, sessionId, forwarded } = await calledPaid()
    for (const one of [sessionId, forwarded, sessionId]) expect(await tell(one)).toEqual([200, undefined])
    expect(await moneyOf(id)).toMatchObject({ paidTotal: 30_000, rows: TWICE })
  })

  test('reported for the session of another workspace changes nothing', async () => {
    const id = await bill()
    const { sessionId } = (await charge(id)).data
    expect(await tell(sessionId, { owner: globex().workspace.accountId })).toEqual([200, undefined])
    expect((await read(id)).status).toBe('PARKED')
  })
})

test.each(['txn_none', null])(
  'money for a payment that no bill has (sale %s) is received, and changes no bill',
  async (sale) => {
    const transactionId = sale ?? (await bill())
    const { accountId } = acme().workspace
    const metadata = { accountId, transactionId, paymentId: 'pay_none' }
    const session = { ...sessionOf(JSON.stringify({ amount: 30_000, currency: 'IDR' })), metadata }
    const data = { workspaceExternalId: accountId, session }
    const notice = { type: 'checkout_session.completed', data }
    expect(await notify(notice, { atMs: clock.ms() })).toEqual([200, undefined])
    if (sale === null) expect(await read(transactionId)).toMatchObject({ status: 'PARKED', payments: [] })
  },
)

test('an amount that belongs to no bill is paid by its own code', async () => {
  const { data, status } = await acme().post('/payments/qris', { amount: 50_000 })
  expect([status, data.transactionId, data.paymentId, data.status]).toEqual([201, null, null, 'pending'])
  expect(await tell(data.sessionId)).toEqual([200, undefined])
  expect((await poll(data.sessionId)).data.status).toBe('paid')
})

test('a session is forgotten ninety days after its end, what it paid is not', async () => {
  const id = await bill()
  const { sessionId } = (await charge(id)).data
  await tell(sessionId)
  clock.advance(89 * 24 * 3_600_000)
  await sweep(deps(), sessionExpires)
  expect((await poll(sessionId)).status).toBe(200)
  clock.advance(2 * 24 * 3_600_000)
  await sweep(deps(), sessionExpires)
  expect([(await poll(sessionId)).status, (await read(id)).paidTotal]).toEqual([404, 30_000])
})

test('what two sessions paid for one payment is the same money when both are long forgotten', async () => {
  const { id, sessionId, forwarded } = await calledPaid()
  for (const one of [sessionId, forwarded]) expect(await tell(one)).toEqual([200, undefined])
  const before = await read(id)
  expect(before).toMatchObject({
    paidTotal: 30_000,
    payments: [
      { applied: true, verified: true },
      { applied: false, verified: true },
    ],
  })
  clock.advance(125 * 24 * 3_600_000)
  await sweep(deps(), [...noticeExpires, ...sessionExpires])
  for (const one of [forwarded, sessionId]) expect(await tell(one)).toEqual([200, undefined])
  expect(await read(id)).toEqual(before)
})

test('the overview has balance, sessions and payouts of the partner', async () => {
  partner.answers(({ path }, response) => {
    const data = path === '/v1/payouts/balance' ? { currency: 'IDR', balance: 70_000 } : [{ id: path }]
    sendJson(response, 200, { data, meta: { nextCursor: null } })
  })
  expect(done(await acme().get('/payments/overview'))).toEqual({
    balance: 70_000,
    recentSessions: [{ id: '/v1/checkout-sessions' }],
    payouts: [{ id: '/v1/payouts' }],
  })
})

describe('300 overdue sessions of a workspace that the partner refuses', () => {
  const COUNT = 300
  const pauseMs = 3_000
  const overdue = async () => {
    const { accountId } = acme().workspace
    const [old, now] = [addMs(clock.now(), -DAY_MS / 2), clock.now()]
    const of = { accountId, saleId: null, paymentId: null }
    const code = { qrString: null, qrImageUrl: null, vaNumber: null, vaBank: null }
    const times = { expiresAt: old, paidAt: null, askedAt: null, createdAt: old, updatedAt: now }
    const session = { ...of, ...code, ...times, method: 'qris', amount: 1_000, status: 'pending' } as const
    await deps()
      .db.insertInto('paymentSessions')
      .values(Array.from({ length: COUNT }, (_, at) => ({ ...session, id: `cks_overdue_${at}` })))
      .execute()
  }
  afterEach(() => deps().db.deleteFrom('paymentSessions').where('id', 'like', 'cks_overdue_%').execute())

  test.each([
    [401, 350],
    [429, 7],
  ])(
    'with %i leave the code of another one, whose bill was paid in cash, to be canceled within seconds',
    async (status, most) => {
      const other = await openShop(globex())
      await stock(globex(), other.outletId, other.latte, 10)
      const items = [{ variantId: other.latte, quantity: 1 }]
      const { outletId } = other
      const { sale } = done(await globex().post('/sales', { outletId, items, status: 'PARKED' }))
      const { sessionId, amount } = done(await charge(sale.id, {}, globex()))
      done(await globex().post(`/sales/${sale.id}/settle`, { payments: [{ method: 'CASH', amount }] }))
      await overdue()
      partner.asked.length = 0
      partner.answers((request, response) => {
        const error = { code: 'NONE', message: 'not now' }
        if (request.path.includes('cks_overdue_')) return void sendJson(response, status, { error })
        return remembering(request, response)
      })
      for (let runs = 0; runs < 7; runs += 1) {
        await settleLoose(deps())
        clock.advance(pauseMs)
      }
      expect(sessions.get(sessionId)?.status).toBe('canceled')
      expect(partner.asked.filter(({ path }) => path.includes('cks_overdue_')).length).toBeLessThanOrEqual(
        most,
      )
    },
  )

  test('are left alone for this run while the circuit breaker is open', async () => {
    await overdue()
    partner.answers((_, response) => void response.writeHead(500).end())
    const neighbour = await alongside({ partnerTuning: { failures: 3, restMs: 60_000 } })
    try {
      await settleLoose(neighbour.deps)
    } finally {
      await neighbour.stop()
    }
    const asked = deps().db.selectFrom('paymentSessions').where('askedAt', '=', clock.now()).select('id')
    expect([partner.asked.length, (await asked.execute()).length]).toEqual([3, 4])
  })
})
