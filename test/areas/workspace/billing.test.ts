import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { checkCheckouts, hasUnreported } from '../../../src/areas/workspace/billing/checks.ts'
import { announceLapses, hasLapses } from '../../../src/areas/workspace/billing/service.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { enableModule, makeOutlet } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { notify } from '../../support/notices.ts'
import { sendJson, settingsOf, startPartner } from '../../support/partner.ts'
import { acme, as, deps, useService, workspace } from '../../support/service.ts'

const DAY_MS = 24 * 3_600_000
const clock = manualClock('2026-03-01T00:00:00.000Z')
const partner = await startPartner()
useService({
  clock,
  env: {
    ...settingsOf(partner),
    DEFAULT_TIER: 'free',
    TRUST_PROXY: '127.0.0.1',
    COUNTRY_HEADER: 'x-country',
  },
})
afterAll(() => partner.close())
let opened = 0
beforeEach(() => {
  opened = 0
  clock.set('2026-03-01T00:00:00.000Z')
  partner.asked.length = 0
  partner.answers(({ path, body }, response) => {
    if (path !== '/v1/checkout-sessions')
      return void sendJson(response, 201, { data: { workspaceId: 'w', apiKey: 'k' } })
    const { amount, currency, metadata } = JSON.parse(body)
    const id = `cks_${(opened += 1)}`
    const session = { amount, currency, metadata, id, hostedUrl: `https://pay.example/${id}`, status: 'open' }
    sendJson(response, 201, { data: { ...session, expiresAt: new Date(clock.ms() + DAY_MS).toISOString() } })
  })
})

type Checkout = { sessionId: string; amount: number; currency: string; tier: string }
const checkout = async (api: Api, tier: string, currency = 'IDR'): Promise<Checkout> =>
  done(await api.post('/billing/checkout', { tier, currency }))

type Notice = Partial<Checkout> & { owner?: string | null; id?: string; paidAt?: string }
/** The partner reports that a session was paid for. */
const report = (api: Api, { sessionId, tier, amount, currency, owner = null, id, paidAt }: Notice) =>
  notify(
    {
      type: 'checkout_session.completed',
      timestamp: clock.now(),
      data: {
        workspaceExternalId: owner,
        session: {
          id: sessionId,
          amount,
          currency,
          metadata: { accountId: api.workspace.accountId, tier },
          ...(paidAt === undefined ? {} : { paidAt }),
        },
      },
    },
    { atMs: clock.ms(), ...(id === undefined ? {} : { id }) },
  )
/** A plan is checked out, and the partner reports that it was paid for. */
const paid = async (api: Api, { tier = 'starter', currency = 'IDR' } = {}) =>
  report(api, await checkout(api, tier, currency))
const billingOf = async (api: Api) => {
  const { subscription, effectiveTier } = done(await api.get('/billing'))
  const { tier, status, currentPeriodEnd, cancelAtPeriodEnd } = subscription
  return { tier, status, currentPeriodEnd, cancelAtPeriodEnd, effectiveTier }
}

test('the plans are public, with their prices and caps', async () => {
  const { tiers } = done(await as(null).get('/billing/tiers'))
  expect(
    tiers.map(({ tier, prices, modulesAllowed }: Record<string, unknown>) => [tier, prices, modulesAllowed]),
  ).toEqual([
    ['free', { IDR: 0, USD: 0 }, false],
    ['starter', { IDR: 99_000, USD: 7 }, true],
    ['growth', { IDR: 199_000, USD: 13 }, true],
    ['business', { IDR: 449_000, USD: 29 }, true],
  ])
  expect(tiers[1].caps).toEqual({
    outlets: 5,
    products: 2_000,
    members: 10,
    tables: 300,
    apiKeys: 10,
    webhookSubscriptions: 10,
  })
})

test('a workspace that never paid is free', async () => {
  const shop = await workspace()
  expect(done(await shop.get('/billing')).subscription).toEqual({
    id: null,
    tier: 'free',
    status: 'free',
    currency: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    following: [],
    createdAt: null,
    updatedAt: null,
  })
  expect(await billingOf(shop)).toMatchObject({ effectiveTier: 'free' })
})

describe('checkout', () => {
  const open = (body: object, headers: Record<string, string> = {}) =>
    acme().post('/billing/checkout', body, { headers })

  test('opens a page of the partner under the key of the installation, and changes no plan', async () => {
    const answer = await acme().post('/billing/checkout', { tier: 'growth' }, { idempotencyKey: 'up-1' })
    expect([answer.status, answer.data]).toEqual([
      201,
      {
        sessionId: 'cks_1',
        hostedUrl: 'https://pay.example/cks_1',
        tier: 'growth',
        currency: 'IDR',
        amount: 199_000,
        expiresAt: '2026-03-02T00:00:00.000Z',
      },
    ])
    expect(partner.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/checkout-sessions', 'Bearer platform-key'],
    ])
    expect(JSON.parse(partner.asked[0]?.body ?? '')).toMatchObject({
      amount: 199_000,
      currency: 'IDR',
      method: 'hosted',
      metadata: { accountId: acme().workspace.accountId, tier: 'growth' },
    })
    expect(await billingOf(acme())).toMatchObject({ tier: 'free', effectiveTier: 'free' })
  })

  test.each([
    [{}, { 'x-country': 'SG' }, 'USD', 13],
    [{}, { 'x-country': 'ID' }, 'IDR', 199_000],
    [{}, {}, 'IDR', 199_000],
    [{ currency: 'IDR' }, { 'x-country': 'SG' }, 'IDR', 199_000],
    [{ currency: 'USD' }, {}, 'USD', 13],
  ])('asked for with %j behind an edge that says %j costs %s %d', async (more, headers, currency, amount) => {
    expect(done(await open({ tier: 'growth', ...more }, headers as Record<string, string>))).toMatchObject({
      currency,
      amount,
    })
  })

  /** A partner that keeps every Idempotency-Key for good: it repeats its answer, and refuses another body. */
  const remembering = () => {
    const kept = new Map<string, { body: string; session: object }>()
    partner.answers(({ body, headers }, response) => {
      const key = String(headers['idempotency-key'])
      const { amount, currency, metadata } = JSON.parse(body)
      const id = `cks_${(opened += 1)}`
      const expiresAt = new Date(clock.ms() + DAY_MS).toISOString()
      const fresh = { id, amount, currency, metadata, hostedUrl: `https://pay.example/${id}`, expiresAt }
      const known = kept.get(key) ?? { body, session: fresh }
      kept.set(key, known)
      if (known.body === body) return void sendJson(response, 201, { data: known.session })
      sendJson(response, 409, { error: { code: 'IDEMPOTENCY_KEY_IN_USE', message: 'another body' } })
    })
  }
  const upgrade = (api: Api, tier = 'growth') =>
    api.post('/billing/checkout', { tier }, { idempotencyKey: 'checkout-1' })

  test('two workspaces may use the same Idempotency-Key: each gets a session of its own', async () => {
    remembering()
    const [one, other] = [await workspace(), await workspace()]
    const sessions = [done(await upgrade(one)).sessionId, done(await upgrade(other)).sessionId]
    expect(new Set(sessions).size).toBe(2)
    // The same request comes again, as after a crash.
    await deps().db.deleteFrom('idempotencyKeys').execute()
    expect(done(await upgrade(one)).sessionId).toBe(sessions[0])
  })

  test('a key that is used again after a month opens a new session, also for another plan', async () => {
    remembering()
    const shop = await workspace()
    // The time of a key is the database's if that is later than this clock, so the key is removed by hand.
    const passMonth = () => {
      clock.advance(31 * DAY_MS)
      return deps().db.deleteFrom('idempotencyKeys').execute()
    }
    const first = done(await upgrade(shop)).sessionId
    await passMonth()
    const second = done(await upgrade(shop))
    expect(second.sessionId).not.toBe(first)
    expect(second.expiresAt).toBe('2026-04-02T00:00:00.000Z')
    await passMonth()
    expect(done(await upgrade(shop, 'business')).amount).toBe(449_000)
  })

  test('a key whose session has been paid opens a new one', async () => {
    remembering()
    const shop = await workspace()
    const first = done(await upgrade(shop))
    await report(shop, first)
    await deps().db.deleteFrom('idempotencyKeys').execute()
    const second = done(await upgrade(shop))
    expect(second.sessionId).not.toBe(first.sessionId)
    await report(shop, second)
    expect(await billingOf(shop)).toMatchObject({ currentPeriodEnd: '2026-04-30T00:00:00.000Z' })
  })

  test('of the free plan is 422, of an unknown one 400, and only owners may', async () => {
    expect(refusalOf(await open({ tier: 'free' }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'tier',
    })
    expect(refusalOf(await open({ tier: 'gold' }))).toMatchObject({ status: 400, param: 'tier' })
    const manager = await memberOf(acme(), 'MANAGER')
    expect((await manager.api.post('/billing/checkout', { tier: 'starter' })).status).toBe(403)
  })

  test.each([
    ['no address', { data: { id: 'cks_1', expiresAt: '2026-03-02T00:00:00Z' } }],
    [
      'a script for an address',
      { data: { id: 'cks_1', hostedUrl: 'javascript:alert(1)', expiresAt: '2026-03-02T00:00:00Z' } },
    ],
    ['no time', { data: { id: 'cks_1', hostedUrl: 'https://pay.example/1', expiresAt: 'soon' } }],
  ])('that the partner answers with %s is 502', async (_, body) => {
    partner.answers((_request, response) => void sendJson(response, 201, body))
    expect(refusalOf(await open({ tier: 'growth' }))).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
  })
})

describe('a plan', () => {
  test('begins with the notice of its payment, for 30 days and 3 of grace, and then lapses', async () => {
    const shop = await workspace()
    expect(await paid(shop, { currency: 'USD' })).toEqual([200, undefined])
    expect(done(await shop.get('/billing')).subscription).toMatchObject({
      id: expect.stringMatching(/^bsub_/),
      tier: 'starter',
      status: 'active',
      currency: 'USD',
      currentPeriodEnd: '2026-03-31T00:00:00.000Z',
      cancelAtPeriodEnd: false,
    })
    await enableModule(shop, 'marketing')
    clock.set('2026-04-02T23:59:59.999Z')
    expect(await billingOf(shop)).toMatchObject({ status: 'active', effectiveTier: 'starter' })
    expect((await shop.get('/account/pixels')).status).toBe(200)
    expect(await hasLapses(deps())).toBe(false)
    clock.set('2026-04-03T00:00:00.000Z')
    expect(refusalOf(await shop.get('/account/pixels'))).toMatchObject({ code: 'MARKETING_MODULE_DISABLED' })
    expect(await billingOf(shop)).toMatchObject({ tier: 'starter', status: 'lapsed', effectiveTier: 'free' })
    expect(done(await shop.get('/modules')).modules[2]).toMatchObject({ enabled: false, allowed: false })
    expect((await shop.post('/modules', { module: 'marketing', enabled: true })).status).toBe(402)
    expect(await hasLapses(deps())).toBe(true)
    await announceLapses(deps())
    await announceLapses(deps())
    expect(await shop.events()).toEqual([
      'service.subscription.changed.v1',
      'service.module.changed.v1',
      'service.subscription.changed.v1',
    ])
    // A late payment begins a period of its own, and brings back what was switched on.
    expect(await paid(shop)).toEqual([200, undefined])
    expect(await billingOf(shop)).toMatchObject({
      status: 'active',
      currentPeriodEnd: '2026-05-03T00:00:00.000Z',
    })
    expect(done(await shop.get('/modules')).modules[2]).toMatchObject({ enabled: true, allowed: true })
  })

  test('that is paid again before its end goes on from there; another one begins at once', async () => {
    const shop = await workspace()
    await paid(shop)
    clock.advance(10 * DAY_MS)
    await paid(shop)
    expect(await billingOf(shop)).toMatchObject({
      tier: 'starter',
      currentPeriodEnd: '2026-04-30T00:00:00.000Z',
    })
    await paid(shop, { tier: 'business' })
    expect(await billingOf(shop)).toMatchObject({
      tier: 'business',
      effectiveTier: 'business',
      currentPeriodEnd: '2026-04-10T00:00:00.000Z',
    })
  })

  test('that is canceled stays to the end of its period without grace; paying again undoes it', async () => {
    const shop = await workspace()
    await paid(shop)
    const canceled = done(await shop.post('/billing/cancel'))
    expect(canceled.subscription).toMatchObject({ status: 'canceled', cancelAtPeriodEnd: true })
    expect(canceled.effectiveTier).toBe('starter')
    expect(done(await shop.post('/billing/cancel'))).toEqual(canceled)
    expect(await shop.events()).toEqual([
      'service.subscription.changed.v1',
      'service.subscription.changed.v1',
    ])
    await paid(shop)
    expect(await billingOf(shop)).toMatchObject({
      status: 'active',
      currentPeriodEnd: '2026-04-30T00:00:00.000Z',
    })
    await shop.post('/billing/cancel')
    clock.set('2026-04-30T00:00:00.000Z')
    expect(await billingOf(shop)).toMatchObject({ status: 'canceled', effectiveTier: 'free' })
  })

  test('that is canceled inside the days of grace ends immediately', async () => {
    const shop = await workspace()
    await paid(shop)
    clock.set('2026-04-02T23:59:59.999Z')
    expect(await billingOf(shop)).toMatchObject({ status: 'active', effectiveTier: 'starter' })
    expect(done(await shop.post('/billing/cancel'))).toMatchObject({
      subscription: { tier: 'starter', status: 'canceled', cancelAtPeriodEnd: true },
      effectiveTier: 'free',
    })
    expect(await billingOf(shop)).toMatchObject({ status: 'canceled', effectiveTier: 'free' })
    expect((await shop.events()).length).toBe(2)
  })

  test('that has lapsed is not canceled any more: 200 and nothing changes', async () => {
    const shop = await workspace()
    await paid(shop)
    clock.set('2026-04-03T00:00:00.000Z')
    expect(done(await shop.post('/billing/cancel')).subscription.status).toBe('lapsed')
    expect((await shop.events()).length).toBe(1)
  })

  test('cannot be canceled where there is none: 200 and nothing changes', async () => {
    const shop = await workspace()
    expect(done(await shop.post('/billing/cancel')).subscription.status).toBe('free')
    expect(await shop.events()).toEqual([])
  })

  test('is bought once by one session, however often and under however many notices it is reported at once', async () => {
    const shop = await workspace()
    const session = await checkout(shop, 'starter')
    const once = Array.from({ length: 10 }, () => report(shop, { ...session, id: 'msg_1' }))
    const again = Array.from({ length: 10 }, () => report(shop, session))
    expect((await Promise.all([...once, ...again])).map(([status]) => status)).toEqual(Array(20).fill(200))
    expect(await billingOf(shop)).toMatchObject({ currentPeriodEnd: '2026-03-31T00:00:00.000Z' })
    expect(await shop.events()).toEqual(['service.subscription.changed.v1'])
  })

  test('cannot be bought by a session that a workspace made, whatever its metadata say', async () => {
    const shop = await workspace()
    const session = await checkout(shop, 'business')
    expect(await report(shop, { ...session, owner: shop.workspace.accountId })).toEqual([200, undefined])
    expect(await billingOf(shop)).toMatchObject({ tier: 'free', effectiveTier: 'free' })
  })

  test('cannot be bought by a session that no checkout of the workspace opened', async () => {
    const [shop, other] = [await workspace(), await workspace()]
    const session = await checkout(other, 'business')
    expect(await report(shop, session)).toEqual([200, undefined])
    expect(await report(shop, { ...session, sessionId: 'cks_foreign' })).toEqual([200, undefined])
    expect(await billingOf(shop)).toMatchObject({ tier: 'free', effectiveTier: 'free' })
    expect(await billingOf(other)).toMatchObject({ tier: 'free', effectiveTier: 'free' })
  })

  test.each([
    ['one rupiah', { amount: 1 }],
    ['one rupiah too much', { amount: 449_001 }],
    ['as many dollars', { currency: 'USD' }],
  ])('of 449,000 rupiah is not bought for %s', async (_, change) => {
    const shop = await workspace()
    const session = await checkout(shop, 'business')
    expect(await report(shop, { ...session, ...change })).toEqual([200, undefined])
    expect(await billingOf(shop)).toMatchObject({ tier: 'free', effectiveTier: 'free' })
    await report(shop, session)
    expect(await billingOf(shop)).toMatchObject({ tier: 'business', effectiveTier: 'business' })
  })

  test('is the one of the checkout, whatever tier the notice names', async () => {
    const shop = await workspace()
    await report(shop, { ...(await checkout(shop, 'starter')), tier: 'business' })
    expect(await billingOf(shop)).toMatchObject({ tier: 'starter', effectiveTier: 'starter' })
  })

  test('a payment reported late never replaces the plan that was paid for after it', async () => {
    const shop = await workspace()
    const [starter, business] = [await checkout(shop, 'starter'), await checkout(shop, 'business')]
    clock.set('2026-03-01T14:10:00.000Z')
    await report(shop, { ...business, paidAt: '2026-03-01T14:10:00.000Z' })
    clock.set('2026-03-01T14:35:00.000Z')
    await report(shop, { ...starter, paidAt: '2026-03-01T14:00:00.000Z' })
    expect(await billingOf(shop)).toEqual({
      tier: 'business',
      status: 'active',
      currentPeriodEnd: '2026-03-31T14:10:00.000Z',
      cancelAtPeriodEnd: false,
      effectiveTier: 'business',
    })
    expect(done(await shop.get('/billing')).subscription.following).toEqual([])
  })

  test('two payments for the same plan buy sixty days in whatever order they are reported', async () => {
    const shop = await workspace()
    const [first, second] = [await checkout(shop, 'growth'), await checkout(shop, 'growth')]
    await report(shop, { ...second, paidAt: '2026-02-28T23:00:00.000Z' })
    await report(shop, { ...first, paidAt: '2026-02-28T22:00:00.000Z' })
    expect(await billingOf(shop)).toMatchObject({
      tier: 'growth',
      currentPeriodEnd: '2026-04-30T00:00:00.000Z',
    })
  })

  test('a lesser plan begins when the better one that was paid for before it has ended', async () => {
    const shop = await workspace()
    await paid(shop, { tier: 'business' })
    clock.advance(10 * DAY_MS)
    await paid(shop, { tier: 'starter' })
    await paid(shop, { tier: 'growth' })
    const following = [
      { tier: 'growth', currentPeriodEnd: '2026-04-30T00:00:00.000Z' },
      { tier: 'starter', currentPeriodEnd: '2026-05-30T00:00:00.000Z' },
    ]
    expect(done(await shop.get('/billing'))).toMatchObject({
      subscription: { tier: 'business', currentPeriodEnd: '2026-03-31T00:00:00.000Z', following },
      effectiveTier: 'business',
    })
    expect(await hasLapses(deps())).toBe(false)
    clock.set('2026-03-31T00:00:00.000Z')
    const next = {
      subscription: {
        tier: 'growth',
        currentPeriodEnd: '2026-04-30T00:00:00.000Z',
        following: [following[1]],
      },
      effectiveTier: 'growth',
    }
    expect(done(await shop.get('/billing'))).toMatchObject(next)
    expect((await shop.events()).length).toBe(3)
    await announceLapses(deps())
    await announceLapses(deps())
    expect(done(await shop.get('/billing'))).toMatchObject(next)
    expect((await shop.events()).length).toBe(4)
    await paid(shop, { tier: 'growth' })
    expect(done(await shop.get('/billing')).subscription).toMatchObject({
      tier: 'growth',
      currentPeriodEnd: '2026-05-30T00:00:00.000Z',
      following: [{ tier: 'starter', currentPeriodEnd: '2026-06-29T00:00:00.000Z' }],
    })
    clock.set('2026-07-01T23:59:59.999Z')
    expect(await billingOf(shop)).toMatchObject({
      tier: 'starter',
      status: 'active',
      effectiveTier: 'starter',
    })
    clock.set('2026-07-02T00:00:00.000Z')
    expect(await billingOf(shop)).toMatchObject({ tier: 'starter', status: 'lapsed', effectiveTier: 'free' })
    await announceLapses(deps())
    await announceLapses(deps())
    await announceLapses(deps())
    expect(await hasLapses(deps())).toBe(false)
  })

  test('a payment that was made before a cancellation and reported after it leaves the plan canceled', async () => {
    const shop = await workspace()
    await paid(shop)
    const late = await checkout(shop, 'starter')
    clock.advance(60_000)
    done(await shop.post('/billing/cancel'))
    clock.advance(60_000)
    await report(shop, { ...late, paidAt: '2026-03-01T00:00:30.000Z' })
    expect(await billingOf(shop)).toMatchObject({
      status: 'canceled',
      currentPeriodEnd: '2026-04-30T00:00:00.000Z',
    })
  })

  test('a payment that the partner dates into the future counts as paid when it is reported', async () => {
    const shop = await workspace()
    await report(shop, { ...(await checkout(shop, 'starter')), paidAt: '2036-01-01T00:00:00Z' })
    clock.advance(1_000)
    await paid(shop, { tier: 'business' })
    const { subscription } = done(await shop.get('/billing'))
    expect(subscription).toMatchObject({ tier: 'business', following: [] })
  })
})

describe('a checkout whose payment was not reported', () => {
  /** Checkouts of the tests above are not checked. */
  beforeEach(async () => {
    await deps().db.updateTable('billingCheckouts').set({ checkAt: null }).execute()
  })
  /** The partner answers with this state of every session. */
  const isThere = (state: object) =>
    partner.answers((_, response) => void sendJson(response, 200, { data: { id: 'cks_1', ...state } }))
  const asked = async (ms = 0) => {
    partner.asked.length = 0
    clock.advance(ms)
    await checkCheckouts(deps())
    return partner.asked.map(({ method, path, headers }) => [method, path, headers.authorization])
  }

  test('is read at the partner when the service starts after eighty days, and its plan begins', async () => {
    const shop = await workspace()
    const opened = await checkout(shop, 'starter')
    isThere({ status: 'completed', amount: 99_000, currency: 'IDR', paidAt: '2026-03-01T00:05:00Z' })
    expect(await asked(80 * DAY_MS)).toEqual([['GET', '/v1/checkout-sessions/cks_1', 'Bearer platform-key']])
    const begun = { tier: 'starter', currentPeriodEnd: '2026-06-19T00:00:00.000Z', effectiveTier: 'starter' }
    expect(await billingOf(shop)).toMatchObject(begun)
    expect(await shop.events()).toEqual(['service.subscription.changed.v1'])
    await report(shop, opened)
    expect(await billingOf(shop)).toMatchObject(begun)
    expect(await hasUnreported(deps())).toBe(false)
    expect(await asked(DAY_MS)).toEqual([])
  })

  test('is checked less and less often, and not after its page has ended unpaid', async () => {
    await checkout(await workspace(), 'starter')
    isThere({ status: 'open', amount: 99_000, currency: 'IDR' })
    const MINUTE_MS = 60_000
    expect(await asked(15 * MINUTE_MS - 1)).toEqual([])
    expect(await asked(1)).toHaveLength(1)
    expect([await asked(15 * MINUTE_MS - 1), await asked(1)]).toMatchObject([[], [{}]])
    expect(await asked(12 * 60 * MINUTE_MS)).toHaveLength(1)
    expect([await asked(3 * 60 * MINUTE_MS), await asked(10 * MINUTE_MS)]).toMatchObject([[], [{}]])
    isThere({ status: 'expired', amount: 99_000, currency: 'IDR' })
    expect(await asked(DAY_MS)).toHaveLength(1)
    expect([await hasUnreported(deps()), await asked(DAY_MS)]).toEqual([false, []])
  })

  test('delays no other while the partner answers nothing of use about it', async () => {
    const [one, other] = [await workspace(), await workspace()]
    await checkout(one, 'starter')
    clock.advance(1)
    await checkout(other, 'starter')
    const paidOne = { id: 'cks_2', status: 'completed', amount: 99_000, currency: 'IDR' }
    partner.answers(({ path }, response) =>
      path.endsWith('cks_2')
        ? void sendJson(response, 200, { data: paidOne })
        : void sendJson(response, 404, { error: { code: 'NOT_FOUND', message: 'no such session' } }),
    )
    expect(await asked(DAY_MS)).toHaveLength(2)
    expect([(await billingOf(one)).tier, (await billingOf(other)).tier]).toEqual(['free', 'starter'])
    expect((await asked(DAY_MS)).map(([, path]) => path)).toEqual(['/v1/checkout-sessions/cks_1'])
  })

  test('waits as long as a partner with too many requests asks, and the others of that round are not sent', async () => {
    await checkout(await workspace(), 'starter')
    clock.advance(1)
    await checkout(await workspace(), 'starter')
    partner.answers((_, response) => {
      response.setHeader('retry-after', '120')
      sendJson(response, 429, { error: { code: 'RATE_LIMITED', message: 'too many requests' } })
    })
    expect((await asked(4 * DAY_MS)).map(([, path]) => path)).toEqual(['/v1/checkout-sessions/cks_1'])
    isThere({ status: 'open', amount: 99_000, currency: 'IDR' })
    expect((await asked(119_999)).map(([, path]) => path)).toEqual(['/v1/checkout-sessions/cks_2'])
    expect((await asked(1)).map(([, path]) => path)).toEqual(['/v1/checkout-sessions/cks_1'])
  })

  test('does not wait for the many checkouts that another workspace opened before', async () => {
    const [busy, shop] = [await workspace(), await workspace()]
    const { accountId } = busy.workspace
    const [createdAt, expiresAt] = [clock.now(), new Date(clock.ms() + DAY_MS).toISOString()]
    const price = { tier: 'starter', currency: 'IDR', amount: 99_000 } as const
    const many = Array.from({ length: 60 }, (_, n) => {
      return { ...price, accountId, sessionId: `many_${n}`, createdAt, expiresAt, checkAt: createdAt }
    })
    await deps().db.insertInto('billingCheckouts').values(many).execute()
    const { sessionId } = await checkout(shop, 'starter')
    isThere({ status: 'open', amount: 99_000, currency: 'IDR' })
    const paths = (await asked(DAY_MS)).map(([, path]) => path)
    expect(paths).toContain(`/v1/checkout-sessions/${sessionId}`)
    expect(paths).toHaveLength(50)
  })

  test('is told apart from one whose payment was reported, which is not checked', async () => {
    const [one, other] = [await workspace(), await workspace()]
    await paid(one)
    await checkout(other, 'starter')
    isThere({ status: 'open', amount: 99_000, currency: 'IDR' })
    expect((await asked(DAY_MS)).map(([, path]) => path)).toEqual(['/v1/checkout-sessions/cks_2'])
  })

  test('buys nothing for another amount, and is not checked again', async () => {
    const shop = await workspace()
    await checkout(shop, 'starter')
    isThere({ status: 'completed', amount: 1, currency: 'IDR' })
    expect(await asked(DAY_MS)).toHaveLength(1)
    expect([(await billingOf(shop)).tier, await asked(DAY_MS)]).toEqual(['free', []])
  })
})

describe('caps follow the plan that holds', () => {
  test('twenty outlets at once end at the cap of the plan, and with a better plan go on', async () => {
    const shop = await workspace()
    const make = () => shop.post('/outlets', { name: 'One more' })
    const statuses = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, make))).map(({ status }) => status).toSorted()
    expect(await statuses(20)).toEqual([...Array(3).fill(201), ...Array(17).fill(403)])
    const refused = await make()
    expect(refusalOf(refused)).toEqual({ status: 403, code: 'LIMIT_REACHED', param: 'outlets' })
    expect(refused.error.message).toContain('free plan includes 3 outlets')
    await paid(shop)
    expect(await statuses(5)).toEqual([...Array(2).fill(201), ...Array(3).fill(403)])
    clock.set('2026-04-03T00:00:00.000Z')
    expect((await make()).status).toBe(403)
    const { outlets } = done(await shop.get('/outlets'))
    expect(outlets.length).toBe(5)
    const one = `/outlets/${outlets[0].id}`
    done(await shop.patch(one, { isActive: false }))
    expect(refusalOf(await shop.patch(one, { isActive: true }))).toEqual({
      status: 403,
      code: 'LIMIT_REACHED',
      param: 'outlets',
    })
    expect(done(await shop.get('/auth/me')).account.effectiveTier).toBe('free')
  })

  test('an installation whose every workspace is better off than what was paid for stays so', async () => {
    const { startHarness } = await import('../../support/service.ts')
    const { harness, stop } = await startHarness({ env: { DEFAULT_TIER: 'business' } })
    try {
      expect(done(await harness.acme.get('/billing'))).toMatchObject({
        subscription: { tier: 'free', status: 'free' },
        effectiveTier: 'business',
      })
      for (let n = 0; n < 4; n += 1) await makeOutlet(harness.acme)
    } finally {
      await stop()
    }
  })
})
