import type { ServerResponse } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startReferencePaymentPartner } from '../../../reference-partners/src/payment/index.ts'
import { settleMoves } from '../../../src/areas/selling/gift-cards/jobs.ts'
import { giftCards } from '../../../src/cli/doctor/gift-cards.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { makeLog } from '../../../src/platform/log/log.ts'
import { clientOf } from '../../reference-partners/payment/partner.ts'
import type { Api } from '../../support/api.ts'
import { enableModule, fresh, openShop, type Shop, stock } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { cloneDatabase } from '../../support/db.ts'
import { done, refusalOf, saleOf } from '../../support/expect.ts'
import { describeOnOneServer, onOneServer } from '../../support/one-server.ts'
import { type PartnerRequest, sendJson, settingsOf, startPartner } from '../../support/partner.ts'
import { eventsAbout } from '../../support/read.ts'
import { acme, alongside, deps, useService, workspace } from '../../support/service.ts'

// The reference partner itself, behind a server that does to its answers what networks do.
const database = await cloneDatabase()
const wire = await startPartner()
const reference = await startReferencePaymentPartner({
  databaseUrl: database.url,
  port: 0,
  platformKey: 'platform-key-of-these-tests',
  webhookSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  noticeUrl: null,
  log: makeLog('fatal'),
})
const clock = manualClock('2026-03-01T00:00:00.000Z')
useService({
  clock,
  env: settingsOf({ url: wire.url, platformKey: 'platform-key-of-these-tests' }),
})
afterAll(async () => {
  await wire.close()
  await reference.close()
  await database.drop()
})

async function handOn({ method, path, query, headers, body }: PartnerRequest) {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers
  return fetch(`${reference.url}${path}${query && `?${query}`}`, {
    method,
    headers: rest as Record<string, string>,
    ...(body === '' ? {} : { body }),
  })
}
type Fault = (response: ServerResponse) => void
/** What happens to the next requests whose path matches: done and then at fault, or at fault at once. */
let fault: { path: RegExp; times: number; isDone: boolean; by: Fault } | null = null
const failing = (path: RegExp, by: Fault, { times = 1, isDone = false } = {}) => {
  fault = { path, times, isDone, by }
}
const lost: Fault = (response) => void response.destroy()

let shop: Shop
let there: ReturnType<typeof clientOf>
beforeAll(async () => {
  wire.answers(async (request, response) => {
    const active = fault && fault.times > 0 && fault.path.test(request.path) ? fault : null
    if (active) active.times -= 1
    if (active && !active.isDone) return active.by(response)
    const answer = await handOn(request)
    if (active) return active.by(response)
    const type = answer.headers.get('content-type') ?? ''
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  })
  shop = await openShop(acme())
  await stock(acme(), shop.outletId, shop.latte, 10_000)
  await enableModule(acme(), 'payment')
  const opened = await clientOf(reference.url, 'platform-key-of-these-tests').post('/v1/workspaces', {
    externalId: acme().workspace.accountId,
    name: 'Acme',
  })
  there = clientOf(reference.url, opened.data.apiKey)
})
beforeEach(() => {
  fault = null
  wire.asked.length = 0
})

const issue = async (amount = 100_000, more: object = {}) =>
  done(await acme().post('/gift-cards', { amount, ...more })).giftCard
/** What the partner says of a card. */
const cardThere = async (code: string) => (await there.get(`/v1/gift-cards/${code}`)).data
const shown = async (code: string, api: Api = acme()) => done(await api.get(`/gift-cards/${code}`)).giftCard
const items = (quantity: number) => [{ variantId: shop.latte, quantity }]
/** One latte is 15.000. */
const sale = (code: string, quantity = 2, more: object = {}) => ({
  outletId: shop.outletId,
  items: items(quantity),
  payments: [{ method: 'GIFT_CARD', amount: quantity * 15_000, reference: code }],
  ...more,
})
const movements = async () =>
  (await deps().db.selectFrom('giftCardMoves').select(['kind', 'state']).orderBy('id').execute()).map(
    ({ kind, state }) => `${kind} ${state}`,
  )
const doctor = async () => {
  const client = await deps().pool.connect()
  try {
    return (await giftCards(client)).map(({ state, found }) => ({ state, found }))
  } finally {
    client.release()
  }
}
type Moment = 'before the commit' | 'in the commit'
/** Runs `work` while no transaction succeeds that updates such a row of the table. */
async function unableToStore<T>(table: string, when: string, moment: Moment, work: () => Promise<T>) {
  const { pool } = deps()
  const isEarly = moment === 'before the commit'
  const failure = isEarly
    ? `raise exception using errcode = '53300', message = 'no slot'`
    : 'perform pg_terminate_backend(pg_backend_pid())'
  await pool.query(
    `create function fail() returns trigger language plpgsql as $$ begin ${failure}; return new; end $$`,
  )
  await pool.query(
    isEarly
      ? `create trigger fail before update on ${table} for each row when (${when}) execute function fail()`
      : `create constraint trigger fail after update on ${table} deferrable initially deferred
          for each row when (${when}) execute function fail()`,
  )
  try {
    return await work()
  } finally {
    await pool.query(`drop trigger fail on ${table}`)
    await pool.query('drop function fail()')
  }
}
/** Runs `work` while no transaction that stores what the partner answered succeeds. */
const unableToHold = <T>(moment: Moment, work: () => Promise<T>) =>
  unableToStore('gift_card_moves', `new.state = 'HELD'`, moment, work)
const sales = async () => Number((await deps().pool.query('select count(*)::int as n from sales')).rows[0].n)

describe('a card of a workspace with the payment module', () => {
  test('lives at the partner under the code that our answer shows, in the shape of any card', async () => {
    const card = await issue(100_000, { note: 'Hadiah', code: 'kado-2026-a' })
    expect(card).toMatchObject({
      code: 'KADO-2026-A',
      kind: 'GIFT_CARD',
      balance: 100_000,
      status: 'ACTIVE',
      note: 'Hadiah',
    })
    expect(card.id).toMatch(/^gft_/)
    expect(Object.keys(card)).not.toContain('partnerCardId')
    expect(await cardThere('KADO2026A')).toMatchObject({ balance: 100_000, note: 'Hadiah' })
    expect((await shown('kado2026a')).entries).toMatchObject([
      { type: 'ISSUE', amount: 100_000, balanceAfter: 100_000 },
    ])
    expect(refusalOf(await acme().post('/gift-cards', { amount: 1, code: 'KADO-2026-A' }))).toMatchObject({
      status: 409,
    })
    expect(await movements()).toEqual([])
  })

  test('pays, takes refunds back and is voided there; lists know its balance, masked for cashiers', async () => {
    const { id, code } = await issue()
    const sold = saleOf(await acme().post('/sales', sale(code)))
    expect([sold.status, sold.payments[0].reference]).toEqual(['COMPLETED', `****${code.slice(-4)}`])
    expect([(await cardThere(code)).balance, (await shown(code)).balance]).toEqual([70_000, 70_000])
    const back = done(await acme().post(`/sales/${sold.id}/refund`, { amount: 10_000 }))
    expect(back.sale.refundedTotal).toBe(10_000)
    expect(await movements()).toEqual(['CREDIT OWED'])
    await settleMoves(deps())
    expect([await movements(), (await cardThere(code)).balance]).toEqual([[], 80_000])
    const { entries, balance } = await shown(code)
    expect([balance, entries.map((row: { type: string; amount: number }) => [row.type, row.amount])]).toEqual(
      [
        80_000,
        [
          ['REFUND', 10_000],
          ['REDEEM', -30_000],
          ['ISSUE', 100_000],
        ],
      ],
    )
    const cashier = (await memberOf(acme(), 'CASHIER')).api
    const listed = (await cashier.get('/gift-cards')).data.find((row: { id: string }) => row.id === id)
    expect([listed.code, listed.balance]).toEqual([`****${code.slice(-4)}`, 80_000])
    const voided = done(await acme().post(`/gift-cards/${id}/void`))
    expect([voided.writtenOff, voided.giftCard.status]).toEqual([80_000, 'VOIDED'])
    expect((await cardThere(code)).status).toBe('VOIDED')
    expect(refusalOf(await acme().post(`/gift-cards/${id}/void`))).toMatchObject({ status: 409 })
    expect(refusalOf(await acme().post('/sales', sale(code)))).toMatchObject({
      status: 422,
      param: 'payments[0].reference',
    })
  })

  test('is refused with its balance where it holds too little, and a void that the partner knows of is believed', async () => {
    const { id, code } = await issue(20_000)
    const short = await acme().post('/sales', sale(code))
    expect([refusalOf(short), short.error.message]).toEqual([
      { status: 422, code: 'VALIDATION_ERROR', param: 'payments[0].reference' },
      'This gift card has a balance of 20000; pay at most that much with it',
    ])
    const { id: partnerId } = await cardThere(code)
    await there.post(`/v1/gift-cards/${partnerId}/void`)
    expect(refusalOf(await acme().post('/sales', sale(code, 1)))).toMatchObject({ status: 422 })
    expect(refusalOf(await acme().post(`/gift-cards/${id}/void`))).toMatchObject({ status: 409 })
    expect((await shown(code)).status).toBe('VOIDED')
    expect(await movements()).toEqual([])
  })

  test.each([404, 400])(
    'that the partner does not know any more (%i) is refused like any unknown code',
    async (status) => {
      const { code } = await issue(20_000)
      failing(/debit$/, (response) =>
        sendJson(response, status, {
          error: { code: status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR', message: 'No card', param: 'id' },
        }),
      )
      expect(refusalOf(await acme().post('/sales', sale(code, 1)))).toEqual({
        status: 422,
        code: 'VALIDATION_ERROR',
        param: 'payments[0].reference',
      })
      expect(await movements()).toEqual([])
    },
  )

  test('is store credit of a refund as well, whose code works at once', async () => {
    const paid = saleOf(
      await acme().post('/sales', { outletId: shop.outletId, items: items(2), status: 'COMPLETED' }),
    )
    const { giftCard } = done(await acme().post(`/sales/${paid.id}/refund`, { refundToStoreCredit: true }))
    expect(await cardThere(giftCard.code)).toMatchObject({ kind: 'STORE_CREDIT', balance: 30_000 })
    expect(saleOf(await acme().post('/sales', sale(giftCard.code))).status).toBe('COMPLETED')
    expect((await shown(giftCard.code)).status).toBe('REDEEMED')
  })

  test('goes back whole when its sale is voided or its bill discarded', async () => {
    const { code } = await issue()
    const sold = saleOf(await acme().post('/sales', sale(code)))
    const bill = saleOf(await acme().post('/sales', sale(code, 1, { status: 'PARKED' })))
    expect((await cardThere(code)).balance).toBe(55_000)
    done(await acme().post(`/sales/${sold.id}/void`))
    done(await acme().post(`/sales/${bill.id}/discard`))
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, (await shown(code)).balance]).toEqual([100_000, 100_000])
  })

  test('that was issued at the partner by somebody else is found by its code, and belongs to the books from then on', async () => {
    const { data } = await there.post('/v1/gift-cards', { amount: 45_000, code: 'FROM-THE-PARTNER' })
    expect(data.balance).toBe(45_000)
    expect(saleOf(await acme().post('/sales', sale('fromthepartner', 1))).status).toBe('COMPLETED')
    expect(await shown('FROM-THE-PARTNER')).toMatchObject({ balance: 30_000, initialAmount: 45_000 })
    expect(refusalOf(await acme().get('/gift-cards/NOBODY-KNOWS-THIS'))).toMatchObject({ status: 404 })
    expect(refusalOf(await acme().post('/sales', sale('NOBODY-KNOWS-THIS')))).toMatchObject({ status: 422 })
  })
})

test('a card is not debited for a sale whose approval is missing', async () => {
  const { code } = await issue(100_000)
  done(await acme().put('/settings', { approvals: { discountAboveBps: 1_000 } }))
  const { api: cashier } = await memberOf(acme(), 'CASHIER')
  wire.asked.length = 0
  const payments = [{ method: 'GIFT_CARD', amount: 20_000, reference: code }]
  const refused = await cashier.post('/sales', sale(code, 2, { orderDiscount: 10_000, payments }))
  done(await acme().put('/settings', { approvals: { discountAboveBps: null } }))
  expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'APPROVAL_REQUIRED' })
  expect(wire.asked.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('switching the module on or off loses no card: each stays where it was issued', async () => {
  const api = await workspace('Switching')
  const own = await openShop(api)
  await stock(api, own.outletId, own.latte, 100)
  const ours = done(await api.post('/gift-cards', { amount: 50_000 })).giftCard
  await enableModule(api, 'payment')
  const theirs = done(await api.post('/gift-cards', { amount: 50_000 })).giftCard
  const pay = async (code: string) =>
    saleOf(
      await api.post('/sales', {
        outletId: own.outletId,
        items: [{ variantId: own.latte, quantity: 1 }],
        payments: [{ method: 'GIFT_CARD', amount: 15_000, reference: code }],
      }),
    ).status
  expect([await pay(ours.code), await pay(theirs.code)]).toEqual(['COMPLETED', 'COMPLETED'])
  done(await api.post('/modules', { module: 'payment', enabled: false }))
  expect([await pay(ours.code), await pay(theirs.code)]).toEqual(['COMPLETED', 'COMPLETED'])
  const debits = wire.asked.filter(({ path }) => path.endsWith('/debit')).length
  expect(debits).toBe(2)
  expect([(await shown(ours.code, api)).balance, (await shown(theirs.code, api)).balance]).toEqual([
    20_000, 20_000,
  ])
  const last = done(await api.post('/gift-cards', { amount: 1_000 })).giftCard
  wire.asked.length = 0
  expect([(await shown(last.code, api)).balance, wire.asked.length]).toEqual([1_000, 0])
  expect((await api.get('/gift-cards')).data.length).toBe(3)
})

describe('when something fails', () => {
  test('a debit whose answer was lost is settled by the same request under its key, once', async () => {
    const { code } = await issue()
    failing(/debit$/, lost, { isDone: true })
    const key = { idempotencyKey: `till-${code}` }
    expect(refusalOf(await acme().post('/sales', sale(code), key))).toMatchObject({
      status: 502,
      code: 'PARTNER_ERROR',
    })
    expect([(await cardThere(code)).balance, await movements()]).toEqual([70_000, ['DEBIT ASKED']])
    expect(saleOf(await acme().post('/sales', sale(code), key)).status).toBe('COMPLETED')
    expect(saleOf(await acme().post('/sales', sale(code), key)).status).toBe('COMPLETED')
    expect([(await cardThere(code)).balance, await movements()]).toEqual([70_000, []])
  })

  test.each([
    ['was debited', true, 70_000],
    ['was not debited', false, 100_000],
  ])('a card that %s for a sale that never came gets its money back', async (_, isDone, between) => {
    const { code } = await issue()
    failing(/debit$/, lost, { isDone })
    expect((await acme().post('/sales', sale(code))).status).toBe(502)
    await settleMoves(deps())
    expect((await cardThere(code)).balance).toBe(between)
    clock.advance(11_000)
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, (await shown(code)).balance, await movements()]).toEqual([
      100_000,
      100_000,
      [],
    ])
  })

  test('after a partner timeout, the retry under the same key uses the debit, and issues its own card', async () => {
    const { code } = await issue()
    const hasty = await alongside({ partnerTuning: { timeoutMs: 300, failures: 100 } })
    const api = hasty.as(acme().workspace.key)
    // The time that a partner has by default passes while the request waits.
    const late: Fault = () => clock.advance(10_000)
    const keyed = (word: string) => ({ idempotencyKey: `${word}-${code}` })
    const card = { amount: 20_000, code: fresh('LATE-ANSWER').replaceAll(' ', '-') }
    try {
      failing(/debit$/, late, { isDone: true })
      expect(refusalOf(await api.post('/sales', sale(code), keyed('debit')))).toMatchObject({ status: 504 })
      await settleMoves(deps())
      expect(await movements()).toEqual(['DEBIT ASKED'])
      expect(saleOf(await acme().post('/sales', sale(code), keyed('debit'))).status).toBe('COMPLETED')
      failing(/gift-cards$/, late, { isDone: true })
      expect(refusalOf(await api.post('/gift-cards', card, keyed('issue')))).toMatchObject({ status: 504 })
      await settleMoves(deps())
      expect(await movements()).toEqual(['ISSUE ASKED'])
      expect(done(await acme().post('/gift-cards', card, keyed('issue'))).giftCard.balance).toBe(20_000)
      expect([(await cardThere(code)).balance, await movements()]).toEqual([70_000, []])
    } finally {
      await hasty.stop()
    }
  })

  test('a debit with an invalid answer may have been made: the caller is to look, and the money goes back', async () => {
    const { id, code } = await issue(30_000)
    const none: Fault = (to) =>
      void to.writeHead(200, { 'content-type': 'application/json' }).end('{"data":null}')
    const advice = async (path: RegExp, ask: () => ReturnType<Api['post']>) => {
      failing(path, none, { isDone: true })
      return (await ask()).error.message.split('; ')[1]
    }
    const look = (at: string) =>
      `it may have been done all the same, so look at ${at} before you send it again`
    const again =
      'send the same request again, with its Idempotency-Key where it had one: it is done at most once'
    const sell = (options: object = {}) => acme().post('/sales', sale(code, 1), options)
    expect(await advice(/debit$/, sell)).toBe(look('the gift card'))
    expect(await advice(/debit$/, () => sell({ idempotencyKey: 'invalid-debit' }))).toBe(again)
    expect(await advice(/gift-cards$/, () => acme().post('/gift-cards', { amount: 1_000 }))).toBe(
      look('the gift cards'),
    )
    expect((await cardThere(code)).balance).toBe(0)
    clock.advance(11_000)
    // The job repeats each request to learn its outcome; an invalid answer is no outcome.
    failing(/debit$|gift-cards$/, none, { times: 3 })
    await settleMoves(deps())
    expect(await movements()).toEqual(['DEBIT RETURNING', 'DEBIT RETURNING', 'ISSUE RETURNING'])
    fault = null
    clock.advance(60_000)
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, await movements()]).toEqual([30_000, []])
    expect(await advice(/void$/, () => acme().post(`/gift-cards/${id}/void`))).toBe(again)
    done(await acme().post(`/gift-cards/${id}/void`))
  })

  test('money that was debited goes back at once when the sale is refused after it', async () => {
    const [{ code }, { code: small }] = [await issue(), await issue(1_000)]
    const before = await sales()
    const refused = await acme().post('/sales', {
      ...sale(code),
      payments: [
        { method: 'GIFT_CARD', amount: 20_000, reference: code },
        { method: 'GIFT_CARD', amount: 10_000, reference: small },
      ],
    })
    expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'payments[1].reference' })
    expect([(await cardThere(code)).balance, (await shown(code)).balance]).toEqual([100_000, 100_000])
    expect([await sales(), await movements()]).toEqual([before, []])
  })

  test('a process that died between debit and sale leaves a movement that the job undoes', async () => {
    const { id, code } = await issue()
    const { id: partnerCardId } = await cardThere(code)
    const stamps = { createdAt: clock.now(), updatedAt: clock.now(), dueAt: clock.now() }
    const place = await deps()
      .db.selectFrom('giftCards')
      .select('partnerPlace')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const move = {
      accountId: acme().workspace.accountId,
      giftCardId: id,
      partnerCardId,
      partnerPlace: String(place.partnerPlace),
      amount: 25_000,
      ...stamps,
    }
    const asked = JSON.stringify({ amount: 25_000, reference: 'x' })
    await there.post(`/v1/gift-cards/${partnerCardId}/debit`, JSON.parse(asked), {
      'idempotency-key': 'gcv_died',
    })
    await deps()
      .db.insertInto('giftCardMoves')
      .values({ ...move, id: 'gcv_died', kind: 'DEBIT', state: 'HELD', balanceAfter: 75_000, asked })
      .execute()
    failing(/credit$/, lost, { isDone: true })
    await settleMoves(deps())
    expect(await movements()).toEqual(['DEBIT RETURNING'])
    clock.advance(60_000)
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, await movements()]).toEqual([100_000, []])
  })

  describeOnOneServer('triggers').each(['before the commit', 'in the commit'] as const)(
    'while the database fails %s of what the partner answered',
    (moment) => {
      test('a debit is made once, and the same request under its key uses it', async () => {
        const { code } = await issue()
        const key = { idempotencyKey: `debit-${moment.replaceAll(' ', '-')}` }
        const answer = await unableToHold(moment, () => acme().post('/sales', sale(code), key))
        expect(refusalOf(answer)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
        expect([(await cardThere(code)).balance, await movements()]).toEqual([70_000, ['DEBIT ASKED']])
        expect(saleOf(await acme().post('/sales', sale(code), key)).status).toBe('COMPLETED')
        expect([(await cardThere(code)).balance, (await shown(code)).balance, await movements()]).toEqual([
          70_000,
          70_000,
          [],
        ])
      })

      test('a debit of a request that is never sent again goes back to its card', async () => {
        const { code } = await issue()
        await unableToHold(moment, () => acme().post('/sales', sale(code)))
        clock.advance(61_000)
        await settleMoves(deps())
        expect([(await cardThere(code)).balance, (await shown(code)).balance, await movements()]).toEqual([
          100_000,
          100_000,
          [],
        ])
      })

      test('a card is issued once, and the same request under its key answers it', async () => {
        const key = { idempotencyKey: `issue-${moment.replaceAll(' ', '-')}` }
        const ask = () => acme().post('/gift-cards', { amount: 66_000 }, key)
        expect(refusalOf(await unableToHold(moment, ask))).toMatchObject({ status: 503 })
        expect(await movements()).toEqual(['ISSUE ASKED'])
        const { code } = done(await ask()).giftCard
        const issued = wire.asked.filter(({ path }) => path === '/v1/gift-cards')
        expect([
          issued.length,
          new Set(issued.map(({ headers }) => headers['idempotency-key'])).size,
        ]).toEqual([2, 1])
        expect([(await cardThere(code)).balance, await movements()]).toEqual([66_000, []])
      })
    },
  )

  test('a debit whose answer was lost stays known while the partner is left alone, and is made once', async () => {
    const { code } = await issue()
    const key = { idempotencyKey: `left-alone-${code}` }
    const impatient = await alongside({ partnerTuning: { failures: 1, restMs: 600_000 } })
    const api = impatient.as(acme().workspace.key)
    failing(/debit$/, lost, { isDone: true })
    expect((await api.post('/sales', sale(code), key)).status).toBe(502)
    expect(refusalOf(await api.post('/sales', sale(code), key))).toMatchObject({ status: 503 })
    await impatient.stop()
    expect(await movements()).toEqual(['DEBIT ASKED'])
    expect(saleOf(await acme().post('/sales', sale(code), key)).status).toBe('COMPLETED')
    expect([(await cardThere(code)).balance, await movements()]).toEqual([70_000, []])
  })

  test('a debit whose answer was lost stays known when the partner answers the next attempt 429', async () => {
    const { code } = await issue()
    const key = { idempotencyKey: `limited-${code}` }
    failing(/debit$/, lost, { isDone: true })
    expect((await acme().post('/sales', sale(code), key)).status).toBe(502)
    failing(/debit$/, (to) => sendJson(to, 429, { error: { code: 'RATE_LIMITED', message: 'Slow down' } }))
    expect(refusalOf(await acme().post('/sales', sale(code), key))).toMatchObject({ status: 429 })
    expect(saleOf(await acme().post('/sales', sale(code), key)).status).toBe('COMPLETED')
    expect([(await cardThere(code)).balance, await movements()]).toEqual([70_000, []])
  })

  test('a debit that was never sent leaves nothing behind', async () => {
    const { code } = await issue()
    const impatient = await alongside({ partnerTuning: { failures: 1, restMs: 600_000 } })
    const api = impatient.as(acme().workspace.key)
    failing(/payouts/, (to) => void to.writeHead(500).end())
    expect((await api.get('/payments/payouts/balance')).status).toBe(502)
    expect(refusalOf(await api.post('/sales', sale(code)))).toMatchObject({ status: 503 })
    await impatient.stop()
    expect([(await cardThere(code)).balance, await movements()]).toEqual([100_000, []])
  })

  const voidsOf = async (id: string, code: string) => ({
    entries: (await shown(code)).entries
      .filter(({ type }: { type: string }) => type === 'VOID')
      .map((entry: { amount: number; balanceAfter: number }) => [entry.amount, entry.balanceAfter]),
    events: (await eventsAbout(acme(), id)).filter(({ type }) => type === 'service.gift_card.voided.v1')
      .length,
  })

  onOneServer('triggers').each(['before the commit', 'in the commit'] as const)(
    'a void that fails %s, after the partner did it, is in the ledger and announced once, however it is learned of',
    async (moment) => {
      const failingVoid = (id: string) =>
        unableToStore('gift_cards', `new.status = 'VOIDED'`, moment, () =>
          acme().post(`/gift-cards/${id}/void`),
        )
      const retried = await issue(40_000)
      expect((await failingVoid(retried.id)).status).toBe(503)
      expect(done(await acme().post(`/gift-cards/${retried.id}/void`)).writtenOff).toBe(40_000)
      expect(await voidsOf(retried.id, retried.code)).toEqual({ entries: [[-40_000, 0]], events: 1 })

      const looked = await issue(30_000)
      expect((await failingVoid(looked.id)).status).toBe(503)
      expect((await shown(looked.code)).status).toBe('VOIDED')
      expect(refusalOf(await acme().post(`/gift-cards/${looked.id}/void`))).toMatchObject({ status: 409 })
      expect(await voidsOf(looked.id, looked.code)).toEqual({ entries: [[-30_000, 0]], events: 1 })
    },
  )

  test('a card that was voided at the partner has its entry and event from the first request that learns of it', async () => {
    const { id, code } = await issue(20_000)
    await there.post(`/v1/gift-cards/${(await cardThere(code)).id}/void`)
    expect(refusalOf(await acme().post('/sales', sale(code, 1)))).toMatchObject({ status: 422 })
    expect(await voidsOf(id, code)).toEqual({ entries: [[-20_000, 0]], events: 1 })
    const event = (await eventsAbout(acme(), id)).at(-1)
    expect(event?.data.giftCard).toMatchObject({
      status: 'VOIDED',
      balance: 0,
      code: `****${code.slice(-4)}`,
    })
  })

  test('a card whose issue was not answered is that card when asked again, or is voided', async () => {
    const key = { idempotencyKey: 'issue-once' }
    failing(/gift-cards$/, lost, { isDone: true, times: 2 })
    const body = { amount: 77_000, code: 'LOST-ANSWER' }
    expect((await acme().post('/gift-cards', body, key)).status).toBe(502)
    expect((await acme().post('/gift-cards', { amount: 88_000, code: 'NEVER-AGAIN' })).status).toBe(502)
    expect(done(await acme().post('/gift-cards', body, key)).giftCard).toMatchObject({
      code: 'LOST-ANSWER',
      balance: 77_000,
    })
    clock.advance(11_000)
    await settleMoves(deps())
    expect([(await cardThere('LOST-ANSWER')).status, (await cardThere('NEVER-AGAIN')).status]).toEqual([
      'ACTIVE',
      'VOIDED',
    ])
    expect(await movements()).toEqual([])
  })

  test('a refund is made while the partner is down, and its card paid once it is back, once', async () => {
    const { code } = await issue()
    const sold = saleOf(await acme().post('/sales', sale(code)))
    failing(/./, (response) => void response.writeHead(500).end(), { times: 100 })
    done(await acme().post(`/sales/${sold.id}/refund`, {}))
    await settleMoves(deps())
    expect(await movements()).toEqual(['CREDIT OWED'])
    failing(/credit$/, lost, { isDone: true })
    clock.advance(600_000)
    await settleMoves(deps())
    clock.advance(600_000)
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, await movements()]).toEqual([100_000, []])
  })

  test.each([404, 409, 422])(
    'a debit that the partner will not undo (%i) stays on record for the doctor, unless the card is voided there',
    async (status) => {
      const rejected: Fault = (to) =>
        sendJson(to, status, { error: { code: 'VALIDATION_ERROR', message: 'This key had another body' } })
      const undoRejected = async (code: string, meanwhile = async () => {}) => {
        failing(/debit$/, lost, { isDone: true })
        expect((await acme().post('/sales', sale(code))).status).toBe(502)
        await meanwhile()
        clock.advance(11_000)
        failing(/credit$/, rejected)
        await settleMoves(deps())
      }
      const { code } = await issue()
      await undoRejected(code)
      expect([(await cardThere(code)).balance, await movements()]).toEqual([70_000, ['DEBIT REFUSED']])
      const owed = `the payment partner refused Rp 30000 for the card …${code.slice(-4)} of `
      expect(await doctor()).toEqual([{ state: 'warn', found: expect.stringContaining(owed) }])
      await deps().db.deleteFrom('giftCardMoves').execute()

      const { id, code: voided } = await issue()
      await undoRejected(voided, async () => {
        await there.post(`/v1/gift-cards/${(await cardThere(voided)).id}/void`)
      })
      expect(await movements()).toEqual([])
      expect(await voidsOf(id, voided)).toMatchObject({ events: 1 })
    },
  )

  test('a debit whose undo the partner rejects is tried again until its card can be read there', async () => {
    const { code } = await issue()
    failing(/debit$/, lost, { isDone: true })
    expect((await acme().post('/sales', sale(code))).status).toBe(502)
    clock.advance(11_000)
    // The credit is rejected, and the read of the card behind it gets no answer.
    failing(
      /credit$|gift-cards\/[A-Z0-9]+$/,
      (to) => (wire.asked.at(-1)?.method === 'GET' ? lost(to) : sendJson(to, 404, { error: {} })),
      { times: 3 },
    )
    await settleMoves(deps())
    expect(await movements()).toEqual(['DEBIT RETURNING'])
    fault = null
    clock.advance(60_000)
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, await movements()]).toEqual([100_000, []])
  })

  const attempts = async () =>
    (await deps().db.selectFrom('giftCardMoves').select('tries').orderBy('tries').execute()).map(
      ({ tries }) => tries,
    )
  /** Refunds of 30,000 each that are owed to partner cards. */
  async function owed(count: number, api: Api = acme(), at = shop) {
    for (let n = 0; n < count; n += 1) {
      const { code } = done(await api.post('/gift-cards', { amount: 30_000 })).giftCard
      const payments = [{ method: 'GIFT_CARD', amount: 30_000, reference: code }]
      const goods = [{ variantId: at.latte, quantity: 2 }]
      const sold = saleOf(await api.post('/sales', { outletId: at.outletId, items: goods, payments }))
      done(await api.post(`/sales/${sold.id}/refund`, {}))
    }
  }

  test('refunds wait for an open circuit breaker without counting attempts', async () => {
    await owed(5)
    failing(/credit$/, (response) => void response.writeHead(500).end(), { times: 100 })
    wire.asked.length = 0
    const neighbour = await alongside({ partnerTuning: { failures: 3, restMs: 60_000 } })
    try {
      await settleMoves(neighbour.deps)
      await settleMoves(neighbour.deps)
    } finally {
      await neighbour.stop()
    }
    expect([wire.asked.length, await attempts()]).toEqual([3, [0, 0, 1, 1, 1]])
    fault = null
    clock.advance(2_000)
    await settleMoves(deps())
    expect(await movements()).toEqual([])
  })

  test('refunds of a workspace wait as long as the partner asks with 429', async () => {
    await owed(3)
    const limited: Fault = (response) => {
      response.setHeader('retry-after', '120')
      sendJson(response, 429, { error: { code: 'RATE_LIMITED', message: 'slow down' } })
    }
    failing(/credit$/, limited, { times: 100 })
    wire.asked.length = 0
    for (let run = 0; run < 3; run += 1) await settleMoves(deps())
    expect([wire.asked.length, await attempts()]).toEqual([1, [0, 0, 0]])
    fault = null
    clock.advance(119_000)
    await settleMoves(deps())
    expect(await movements()).toHaveLength(3)
    clock.advance(1_000)
    await settleMoves(deps())
    expect(await movements()).toEqual([])
  })

  test('refunds of one workspace delay no refund of another', async () => {
    await owed(1)
    const { db, pool } = deps()
    await pool.query(
      `insert into gift_card_moves select (jsonb_populate_record(m, jsonb_build_object('id', m.id || n))).*
        from gift_card_moves m, generate_series(1, 60) n`,
    )
    clock.advance(1_000)
    const other = await workspace('Warung Giliran')
    await enableModule(other, 'payment')
    await owed(1, other, await openShop(other))
    failing(/credit$/, (response) => void response.writeHead(500).end(), { times: 1_000 })
    const neighbour = await alongside()
    try {
      await settleMoves(neighbour.deps)
    } finally {
      await neighbour.stop()
    }
    const { tries } = await db
      .selectFrom('giftCardMoves')
      .select('tries')
      .where('accountId', '=', other.workspace.accountId)
      .executeTakeFirstOrThrow()
    expect(tries).toBe(1)
    await pool.query('delete from gift_card_moves')
  })

  test('what the partner will not put back on a card is shown by the doctor, with the amount and whose card it is', async () => {
    expect(await doctor()).toEqual([
      { state: 'ok', found: 'nothing is owed to cards at the payment partner' },
    ])
    const { id, code } = await issue(30_000)
    const sold = saleOf(await acme().post('/sales', sale(code)))
    const { data } = await there.get(`/v1/gift-cards/${code}`)
    await there.post(`/v1/gift-cards/${data.id}/void`, {})
    done(await acme().post(`/sales/${sold.id}/refund`, {}))
    await settleMoves(deps())
    expect(await movements()).toEqual(['CREDIT REFUSED'])
    const shownBy = await doctor()
    expect(shownBy).toEqual([
      {
        state: 'warn',
        found: expect.stringMatching(
          new RegExp(
            `^the payment partner refused Rp 30000 for the card …${code.slice(-4)} of ${acme().workspace.accountId}, owed since 2026-03-01T`,
          ),
        ),
      },
    ])
    await deps().db.updateTable('giftCardMoves').set({ state: 'OWED' }).where('giftCardId', '=', id).execute()
    expect(await doctor()).toEqual([
      {
        state: 'warn',
        found: expect.stringMatching(
          /^1 movements of Rp 30000 wait for the payment partner, the oldest since/,
        ),
      },
    ])
    await deps().db.deleteFrom('giftCardMoves').where('giftCardId', '=', id).execute()
  })

  test('a partner that never answers is 504 in its time for card, sale and void, holds no till up, and loses nothing', async () => {
    const hasty = await alongside({ partnerTuning: { timeoutMs: 300, failures: 100 } })
    const api = hasty.as(acme().workspace.key)
    const { id, code } = await issue(30_000)
    const before = [await sales(), (await acme().get('/gift-cards')).data]
    failing(/gift-cards/, () => {}, { times: 100 })
    const asked = [
      api.get(`/gift-cards/${code}`),
      api.post('/sales', sale(code)),
      api.post(`/gift-cards/${id}/void`),
      api.post('/gift-cards', { amount: 1_000 }),
    ]
    const cash = { outletId: shop.outletId, items: items(1), status: 'COMPLETED' }
    expect(saleOf(await api.post('/sales', cash)).status).toBe('COMPLETED')
    for (const answer of await Promise.all(asked)) {
      expect(refusalOf(answer)).toMatchObject({ status: 504, code: 'PARTNER_TIMEOUT' })
    }
    expect([await sales(), (await acme().get('/gift-cards')).data]).toEqual([
      Number(before[0]) + 1,
      before[1],
    ])
    fault = null
    clock.advance(11_000)
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, await movements()]).toEqual([30_000, []])
    await hasty.stop()
  })

  const json = { 'content-type': 'application/json' }
  const deep = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const FAULTS: [string, Fault][] = [
    ['that is down', lost],
    ['with an error', (to) => void to.writeHead(500).end('<h1>')],
    ['with half an answer', (to) => void to.writeHead(200, json).end('{"data":{"id":"gft')],
    ['with garbage', (to) => void to.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0x00]))],
    ['with JSON 100,000 deep', (to) => void to.writeHead(200, json).end(deep)],
    ['with 9 MB', (to) => void to.writeHead(200, json).end(`{"data":"${'x'.repeat(9_000_000)}"}`)],
    ['with wrong types', (to) => void to.writeHead(200, json).end('{"data":{"id":1,"balance":"x"}}')],
    [
      'with the card of somebody else',
      (to) =>
        void to.writeHead(200, json).end(
          JSON.stringify({
            data: {
              id: 'gft_other',
              code: 'OTHER-CARD',
              kind: 'GIFT_CARD',
              initialAmount: 1,
              balance: 1,
              status: 'ACTIVE',
              updatedAt: clock.now(),
            },
          }),
        ),
    ],
  ]
  test.each(FAULTS)(
    'a partner %s is 502 for card, sale and void, and no book of ours changes',
    async (what, by) => {
      const { id, code } = await issue(30_000)
      const before = [await sales(), (await acme().get('/gift-cards')).data]
      const answers: unknown[] = []
      for (const ask of [
        () => acme().get(`/gift-cards/${code}`),
        () => acme().post('/sales', sale(code)),
        () => acme().post(`/gift-cards/${id}/void`),
        ...(what.includes('somebody') ? [] : [() => acme().post('/gift-cards', { amount: 1_000 })]),
      ]) {
        failing(/gift-cards/, by, { times: 2 })
        answers.push((await ask()).status)
        // A good answer in between: what is tested is not the patience with a partner that keeps failing.
        fault = null
        await acme().get('/payments/payouts/balance')
      }
      expect(answers).toEqual(answers.map(() => 502))
      expect([await sales(), (await acme().get('/gift-cards')).data]).toEqual(before)
      const cash = { outletId: shop.outletId, items: items(1), status: 'COMPLETED' }
      expect(saleOf(await acme().post('/sales', cash)).status).toBe('COMPLETED')
      clock.advance(11_000)
      await settleMoves(deps())
      expect([(await cardThere(code)).balance, await movements()]).toEqual([30_000, []])
    },
  )
})

test('of fifty tills at once on one card only as many are paid as it holds, and nothing is lost', async () => {
  const { code } = await issue(10 * 15_000)
  const answers = await Promise.all(Array.from({ length: 50 }, () => acme().post('/sales', sale(code, 1))))
  const paid = answers.filter(({ status }) => status === 201)
  expect(paid.length).toBe(10)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(refusalOf(answer)).toMatchObject({ status: 422, param: 'payments[0].reference' })
  }
  expect([(await cardThere(code)).balance, (await shown(code)).status, await movements()]).toEqual([
    0,
    'REDEEMED',
    [],
  ])
})

describe('more than a month after the partner forgot its Idempotency-Keys', () => {
  const DAY_MS = 24 * 3_600_000
  const forgetKeys = async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('delete from reference_payment.idempotency_keys')
    await client.end()
  }
  const giveUp = async (code: string, balance: number, kind: string) => {
    expect([(await cardThere(code)).balance, await movements()]).toEqual([balance, [`${kind} EXPIRED`]])
    const { accountId } = acme().workspace
    const found = `the payment partner gave no answer about Rp 30000 for the card …${code.slice(-4)} of ${accountId} since `
    expect(await doctor()).toEqual([{ state: 'warn', found: expect.stringContaining(found) }])
    await settleMoves(deps())
    expect((await cardThere(code)).balance).toBe(balance)
    await deps().db.deleteFrom('giftCardMoves').execute()
  }

  test('a debit without an answer is not sent again, and the doctor shows it', async () => {
    const { code } = await issue()
    failing(/debit$/, lost, { isDone: true })
    expect((await acme().post('/sales', sale(code))).status).toBe(502)
    clock.advance(31 * DAY_MS)
    await forgetKeys()
    await settleMoves(deps())
    await giveUp(code, 70_000, 'DEBIT')
  })

  test('a refund without an answer is not paid again, and the doctor shows it', async () => {
    const { code } = await issue()
    const sold = saleOf(await acme().post('/sales', sale(code)))
    done(await acme().post(`/sales/${sold.id}/refund`, {}))
    failing(/credit$/, lost, { isDone: true })
    await settleMoves(deps())
    clock.advance(31 * DAY_MS)
    await forgetKeys()
    await settleMoves(deps())
    await giveUp(code, 100_000, 'CREDIT')
  })

  test('a refund that was never sent is paid', async () => {
    const { code } = await issue()
    const sold = saleOf(await acme().post('/sales', sale(code)))
    done(await acme().post(`/sales/${sold.id}/refund`, {}))
    clock.advance(31 * DAY_MS)
    await forgetKeys()
    await settleMoves(deps())
    expect([(await cardThere(code)).balance, await movements()]).toEqual([100_000, []])
  })

  test('a request under the same Idempotency-Key debits anew, and the debit without an answer stays on record', async () => {
    const { code } = await issue()
    const key = { idempotencyKey: 'every-month' }
    failing(/debit$/, lost, { isDone: true })
    expect((await acme().post('/sales', sale(code), key)).status).toBe(502)
    clock.advance(31 * DAY_MS)
    await forgetKeys()
    expect(saleOf(await acme().post('/sales', sale(code), key)).status).toBe('COMPLETED')
    expect(await movements()).toEqual(['DEBIT ASKED'])
    await settleMoves(deps())
    await giveUp(code, 40_000, 'DEBIT')
  })
})
