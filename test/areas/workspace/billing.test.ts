import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { announceLapses, hasLapses } from '../../../src/areas/workspace/billing/service.ts'
import { newId } from '../../../src/core/ids.ts'
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
beforeEach(() => {
  clock.set('2026-03-01T00:00:00.000Z')
  partner.asked.length = 0
  partner.answers(({ path, body }, response) => {
    if (path !== '/v1/checkout-sessions')
      return void sendJson(response, 201, { data: { workspaceId: 'w', apiKey: 'k' } })
    const { amount, currency, metadata } = JSON.parse(body)
    const session = {
      amount,
      currency,
      metadata,
      id: 'cks_1',
      hostedUrl: 'https://pay.example/cks_1',
      status: 'open',
    }
    sendJson(response, 201, { data: { ...session, expiresAt: '2026-03-02T00:00:00Z' } })
  })
})

type Paid = { tier?: string; session?: string; owner?: string | null; currency?: string; id?: string }
/** The partner reports that a plan was paid for. */
const paid = (
  api: Api,
  { tier = 'starter', session = newId('event'), owner = null, currency = 'IDR', id }: Paid = {},
) =>
  notify(
    {
      type: 'checkout_session.completed',
      timestamp: clock.now(),
      data: {
        workspaceExternalId: owner,
        session: {
          id: session,
          amount: 99_000,
          currency,
          metadata: { accountId: api.workspace.accountId, tier },
        },
      },
    },
    { atMs: clock.ms(), ...(id === undefined ? {} : { id }) },
  )
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
    createdAt: null,
    updatedAt: null,
  })
  expect(await billingOf(shop)).toMatchObject({ effectiveTier: 'free' })
})

describe('checkout', () => {
  const open = (body: object, headers: Record<string, string> = {}) =>
    acme().post('/billing/checkout', body, { headers })

  test('opens a page of the partner under the key of the installation, and writes nothing', async () => {
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
    expect(
      partner.asked.map(({ path, headers }) => [path, headers.authorization, headers['idempotency-key']]),
    ).toEqual([['/v1/checkout-sessions', 'Bearer platform-key', 'up-1']])
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

  test('cannot be canceled where there is none: 200 and nothing changes', async () => {
    const shop = await workspace()
    expect(done(await shop.post('/billing/cancel')).subscription.status).toBe('free')
    expect(await shop.events()).toEqual([])
  })

  test('is bought once by one session, however often and under however many notices it is reported at once', async () => {
    const shop = await workspace()
    const once = Array.from({ length: 10 }, () => paid(shop, { session: 'cks_once', id: 'msg_1' }))
    const again = Array.from({ length: 10 }, () => paid(shop, { session: 'cks_once' }))
    expect((await Promise.all([...once, ...again])).map(([status]) => status)).toEqual(Array(20).fill(200))
    expect(await billingOf(shop)).toMatchObject({ currentPeriodEnd: '2026-03-31T00:00:00.000Z' })
    expect(await shop.events()).toEqual(['service.subscription.changed.v1'])
  })

  test('cannot be bought by a session that a workspace made, whatever its metadata say', async () => {
    const shop = await workspace()
    expect(await paid(shop, { owner: shop.workspace.accountId, tier: 'business' })).toEqual([200, undefined])
    expect(await billingOf(shop)).toMatchObject({ tier: 'free', effectiveTier: 'free' })
  })

  test.each([['free'], ['gold'], ['']])(
    '%s is none that can be paid for: the notice is accepted and does nothing',
    async (tier) => {
      const shop = await workspace()
      expect(await paid(shop, { tier })).toEqual([200, undefined])
      expect(await billingOf(shop)).toMatchObject({ tier: 'free', effectiveTier: 'free' })
    },
  )
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
