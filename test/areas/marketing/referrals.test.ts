import { beforeAll, describe, expect, test } from 'vitest'
import { isAttributed, rewardOf } from '../../../src/areas/marketing/referrals/rules.ts'
import { processReferrals } from '../../../src/areas/marketing/referrals/worker.ts'
import type { Api } from '../../support/api.ts'
import { makeCustomer, makeOutlet, makeVariant } from '../../support/build.ts'
import { done, refusalOf, saleOf } from '../../support/expect.ts'
import { followSales, marketer, useMarketing } from '../../support/marketing.ts'
import { acme, deps, globex } from '../../support/service.ts'

useMarketing()

const PROGRAM = '/account/referrals'
const REQUIRED = { rewardType: 'percent', referrerValue: 10, refereeValue: 5, currency: 'IDR' }
const DEFAULTS = {
  enabled: false,
  minPurchaseAmount: null,
  rewardExpiryDays: 30,
  attributionWindowDays: 30,
  maxRewardsPerReferrer: null,
  programTerms: null,
  landingUrl: null,
  marketingCampaignId: null,
}

type Link = { id: string; customerId: string; code: string; url: string; clicks: number; conversions: number }
type Attribution = {
  id: string
  linkId: string
  transactionId: string
  status: string
  referrerReward: number
}
const linksOf = async (api: Api): Promise<Link[]> => done(await api.get(`${PROGRAM}/links`)).links
const attributionsOf = async (api: Api): Promise<Attribution[]> =>
  done(await api.get(`${PROGRAM}/attributions`)).attributions
const follow = followSales

describe('the program', () => {
  test('is off until it is replaced, and a replacement leaves nothing of what was before', async () => {
    const unset = { ...DEFAULTS, rewardType: 'percent', referrerValue: 10, refereeValue: 10, currency: 'IDR' }
    expect(done(await globex().get(PROGRAM)).program).toEqual({ ...unset, createdAt: null, updatedAt: null })
    const all = {
      ...REQUIRED,
      minPurchaseAmount: 50_000,
      rewardExpiryDays: 365,
      attributionWindowDays: 180,
      maxRewardsPerReferrer: 3,
      programTerms: 'Satu kali',
      landingUrl: 'https://shop.example/?ref={code}',
      marketingCampaignId: 'teman',
    }
    expect(done(await globex().put(PROGRAM, all)).program).toMatchObject({ ...DEFAULTS, ...all })
    const fixed = { rewardType: 'shipping_fixed', referrerValue: 500, refereeValue: 700, currency: 'USD' }
    expect(done(await globex().put(PROGRAM, fixed)).program).toMatchObject({ ...DEFAULTS, ...fixed })
  })

  test.each([
    [{ rewardType: undefined }, 400, 'rewardType'],
    [{ rewardType: 'points' }, 400, 'rewardType'],
    [{ referrerValue: 0 }, 400, 'referrerValue'],
    [{ refereeValue: undefined }, 400, 'refereeValue'],
    [{ currency: undefined }, 400, 'currency'],
    [{ currency: 'x'.repeat(9) }, 400, 'currency'],
    [{ currency: 'EUR' }, 422, 'currency'],
    [{ referrerValue: 101 }, 422, 'referrerValue'],
    [{ rewardType: 'shipping_percent', refereeValue: 101 }, 422, 'refereeValue'],
    [{ minPurchaseAmount: -1 }, 400, 'minPurchaseAmount'],
    [{ rewardExpiryDays: 366 }, 400, 'rewardExpiryDays'],
    [{ attributionWindowDays: 181 }, 400, 'attributionWindowDays'],
    [{ maxRewardsPerReferrer: 0 }, 400, 'maxRewardsPerReferrer'],
    [{ programTerms: 'x'.repeat(10_001) }, 400, 'programTerms'],
    [{ landingUrl: 'https://{code}.example' }, 400, 'landingUrl'],
    [{ enabled: 'on' }, 400, 'enabled'],
  ])('refuses %j', async (wrong, status, param) => {
    const refused = await acme().put(PROGRAM, { ...REQUIRED, ...wrong })
    expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
  })
})

describe('a program that is on', () => {
  let shop: Api
  let outletId: string
  let variantId: string
  let ani: string
  let linkOfAni: Link

  const sell = async (customerId: string | null, more: object = {}) =>
    saleOf(
      await shop.post('/sales', {
        outletId,
        status: 'COMPLETED',
        ...(customerId === null ? {} : { customerId }),
        items: [{ variantId, quantity: 1 }],
        ...more,
      }),
    ).id as string
  const friend = () => makeCustomer(shop, { name: 'Teman' })
  const refer = async (code = linkOfAni.code) => sell(await friend(), { discountCode: code })
  const statusOf = async (saleId: string) =>
    (await attributionsOf(shop)).find(({ transactionId }) => transactionId === saleId)?.status

  beforeAll(async () => {
    shop = await marketer('Teman & Co')
    outletId = await makeOutlet(shop)
    variantId = await makeVariant(shop, { price: 100_000, trackStock: false })
    ani = await makeCustomer(shop, { name: 'Ani' })
    // Before it is on nothing counts.
    await sell(ani)
    done(await shop.put(PROGRAM, { ...REQUIRED, enabled: true }))
    await follow()
    expect(await linksOf(shop)).toEqual([])
    await sell(ani)
    await sell(null)
    await follow()
    const [link] = await linksOf(shop)
    linkOfAni = link as Link
  })

  test('gives a customer one link with their first sale, at an address of the workspace', async () => {
    await sell(ani)
    await Promise.all(Array.from({ length: 5 }, follow))
    const { publicSlug } = done(await shop.get('/settings')).settings
    expect(publicSlug).toBe('teman-co')
    expect((await linksOf(shop)).filter(({ customerId }) => customerId === ani)).toEqual([
      {
        id: expect.stringMatching(/^ref_/),
        customerId: ani,
        code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{8}$/),
        url: `http://127.0.0.1:3000/api/v1/public/teman-co/r/${linkOfAni.code}`,
        clicks: 0,
        conversions: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect([await linksOf(acme()), await attributionsOf(acme())]).toEqual([[], []])
  })

  test('attributes a sale of somebody else that names the code, once, and none of the referrer or of nobody', async () => {
    const none = [
      await sell(ani, { discountCode: linkOfAni.code }),
      await sell(null, { discountCode: linkOfAni.code }),
      await sell(await friend(), { discountCode: 'ZZZZZZZZ' }),
    ]
    await follow()
    const sale = await refer(linkOfAni.code.toLowerCase())
    await Promise.all(Array.from({ length: 5 }, follow))
    await follow()
    const found = await attributionsOf(shop)
    expect(found.filter(({ transactionId }) => transactionId === sale)).toEqual([
      {
        id: expect.stringMatching(/^rat_/),
        linkId: linkOfAni.id,
        transactionId: sale,
        status: 'pending',
        referrerReward: 10_000,
        refereeReward: 5_000,
        currency: 'IDR',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(found.filter(({ transactionId }) => none.includes(transactionId))).toEqual([])
  })

  test('rejects a sale that is voided or given back as a whole while the reward waits', async () => {
    const [voided, refunded, partly] = [await refer(), await refer(), await refer()]
    await follow()
    done(await shop.post(`/sales/${voided}/void`, { reason: 'wrong' }))
    done(await shop.post(`/sales/${refunded}/refund`, {}))
    done(await shop.post(`/sales/${partly}/refund`, { amount: 1_000 }))
    await follow()
    expect([await statusOf(voided), await statusOf(refunded), await statusOf(partly)]).toEqual([
      'rejected',
      'rejected',
      'pending',
    ])
  })

  test('rewards the oldest when the referrer buys with the code, each once, and lets the others expire', async () => {
    const budi = await friend()
    await sell(budi)
    await follow()
    const link = (await linksOf(shop)).find(({ customerId }) => customerId === budi) as Link
    const sales = [await refer(link.code), await refer(link.code), await refer(link.code)]
    await follow()
    const statuses = () => Promise.all(sales.map(statusOf))
    await sell(budi, { discountCode: link.code })
    await follow()
    await follow()
    expect(await statuses()).toEqual(['rewarded', 'pending', 'pending'])
    await deps().pool.query('update referral_attributions set expires_at = created_at where sale_id = $1', [
      sales[1],
    ])
    await follow()
    expect(await statuses()).toEqual(['rewarded', 'expired', 'pending'])
    const { conversions } = (await linksOf(shop)).find(({ id }) => id === link.id) as Link
    expect(conversions).toBe(3)
  })

  const referrer = async () => {
    const customerId = await friend()
    await sell(customerId)
    await follow()
    const { code } = (await linksOf(shop)).find((one) => one.customerId === customerId) as Link
    const buy = () => sell(customerId, { discountCode: code })
    return { code, buy }
  }
  /** The reward that `earned` brought expires a millisecond after the purchase was completed. */
  const expireAfter = async (purchase: string, earned: string) => {
    const { completedAt } = done(await shop.get(`/sales/${purchase}`)).sale
    await deps().pool.query(
      `update referral_attributions set expires_at = $1::timestamptz + interval '1 millisecond' where sale_id = $2`,
      [completedAt, earned],
    )
  }
  const readLogAgain = () =>
    deps().pool.query(`update referral_programs set seen_tx = '9000000000000000000' where account_id = $1`, [
      shop.workspace.accountId,
    ])

  test('keeps a reward for a purchase after it was earned, also when both are followed in one run or the log is read again', async () => {
    const { code, buy } = await referrer()
    await buy()
    const sameRun = await refer(code)
    await follow()
    expect(await statusOf(sameRun)).toBe('pending')
    await readLogAgain()
    await follow()
    expect(await statusOf(sameRun)).toBe('pending')
    await buy()
    await follow()
    expect(await statusOf(sameRun)).toBe('rewarded')
  })

  test('gives each of many purchases the oldest reward that was earned before it', async () => {
    const { code, buy } = await referrer()
    const first = await refer(code)
    await buy()
    await buy()
    const [second, third] = [await refer(code), await refer(code)]
    await buy()
    await follow()
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([
      'rewarded',
      'rewarded',
      'pending',
    ])
  })

  test('rewards a purchase made before the reward expired although it is followed later', async () => {
    const { code, buy } = await referrer()
    const earned = await refer(code)
    await follow()
    await expireAfter(await buy(), earned)
    await follow()
    expect(await statusOf(earned)).toBe('rewarded')
  })

  test('rewards a purchase made before the reward expired although a long transaction holds the log back until after', async () => {
    const { code, buy } = await referrer()
    const earned = await refer(code)
    await follow()
    const long = await deps().pool.connect()
    try {
      await long.query('begin')
      await long.query('select pg_current_xact_id()')
      await expireAfter(await buy(), earned)
      await processReferrals(deps())
      expect(await statusOf(earned)).toBe('expired')
    } finally {
      await long.query('rollback')
      long.release()
    }
    await follow()
    expect(await statusOf(earned)).toBe('rewarded')
  })

  test('does not reward a purchase made after the reward expired', async () => {
    const { code, buy } = await referrer()
    const earned = await refer(code)
    await follow()
    await deps().pool.query('update referral_attributions set expires_at = $1 where sale_id = $2', [
      deps().clock.now(),
      earned,
    ])
    await buy()
    await follow()
    await buy()
    await follow()
    expect(await statusOf(earned)).toBe('expired')
  })

  test('counts each reward of a referrer once when the log is read again', async () => {
    const { code } = await referrer()
    done(await shop.put(PROGRAM, { ...REQUIRED, enabled: true, maxRewardsPerReferrer: 2 }))
    await refer(code)
    await follow()
    await readLogAgain()
    const [second, third] = [await refer(code), await refer(code)]
    await follow()
    expect([await statusOf(second), await statusOf(third)]).toEqual(['pending', 'rejected'])
    done(await shop.put(PROGRAM, { ...REQUIRED, enabled: true }))
  })

  test('rejects a sale that is too small, and one more than a referrer is rewarded for', async () => {
    const budi = await friend()
    await sell(budi)
    await follow()
    const { code } = (await linksOf(shop)).find(({ customerId }) => customerId === budi) as Link
    done(
      await shop.put(PROGRAM, {
        ...REQUIRED,
        enabled: true,
        minPurchaseAmount: 150_000,
        maxRewardsPerReferrer: 1,
      }),
    )
    const big = async () => sell(await friend(), { discountCode: code, items: [{ variantId, quantity: 2 }] })
    const [small, first, second] = [await refer(code), await big(), await big()]
    await follow()
    expect([await statusOf(small), await statusOf(first), await statusOf(second)]).toEqual([
      'rejected',
      'pending',
      'rejected',
    ])
    done(await shop.put(PROGRAM, { ...REQUIRED, enabled: true }))
  })

  test('counts what it brought', async () => {
    const other = await marketer('Stats')
    const nothing = { links: 0, clicks: 0, conversions: 0, rewardsIssued: 0, revenue: 0 }
    expect(done(await other.get(`${PROGRAM}/stats`))).toEqual(nothing)
    const stats = done(await shop.get(`${PROGRAM}/stats`))
    const attributions = await attributionsOf(shop)
    const counted = attributions.filter(({ status }) => status !== 'rejected')
    expect(stats).toEqual({
      links: (await linksOf(shop)).length,
      clicks: 0,
      conversions: counted.length,
      rewardsIssued: attributions.filter(({ status }) => status === 'rewarded').length,
      revenue: expect.any(Number),
    })
    expect(stats.revenue).toBeGreaterThan(counted.length * 99_000)
  })

  test('counts no revenue of a sale that was voided after its reward was used', async () => {
    const { code, buy } = await referrer()
    const earned = await refer(code)
    await buy()
    await follow()
    expect(await statusOf(earned)).toBe('rewarded')
    const { revenue, ...counts } = done(await shop.get(`${PROGRAM}/stats`))
    done(await shop.post(`/sales/${earned}/void`, { reason: 'wrong' }))
    expect(done(await shop.get(`${PROGRAM}/stats`))).toEqual({ ...counts, revenue: revenue - 100_000 })
  })

  test('loses no sale of fifty tills, however many processes follow at once', async () => {
    const customers = await Promise.all(Array.from({ length: 10 }, friend))
    const going = { on: true }
    const followers = Array.from({ length: 4 }, async () => {
      while (going.on) await processReferrals(deps())
    })
    const sales = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        sell(customers[i % 10] as string, i < 25 ? { discountCode: linkOfAni.code } : {}),
      ),
    )
    going.on = false
    await Promise.all(followers)
    await follow()
    const links = (await linksOf(shop)).filter(({ customerId }) => customers.includes(customerId))
    expect(links.map(({ customerId }) => customerId).toSorted()).toEqual(customers.toSorted())
    const found = (await attributionsOf(shop)).map(({ transactionId }) => transactionId)
    expect(sales.filter((id) => found.includes(id)).toSorted()).toEqual(sales.slice(0, 25).toSorted())
    expect(new Set(found).size).toBe(found.length)
  }, 60_000)

  test('does nothing while it is off, and forgets what was sold meanwhile', async () => {
    const citra = await friend()
    done(await shop.put(PROGRAM, { ...REQUIRED, enabled: false }))
    await sell(citra)
    await follow()
    done(await shop.put(PROGRAM, { ...REQUIRED, enabled: true }))
    await follow()
    const has = async () => (await linksOf(shop)).some(({ customerId }) => customerId === citra)
    expect(await has()).toBe(false)
    await sell(citra)
    await follow()
    expect(await has()).toBe(true)
  })

  test.each([
    ['the program', () => shop.put(PROGRAM, { ...REQUIRED, enabled: false })],
    ['the module', () => shop.post('/modules', { module: 'marketing', enabled: false })],
  ])('still ends the rewards that wait while %s is off', async (_what, switchOff) => {
    const { code } = await referrer()
    const [voided, expired, kept] = [await refer(code), await refer(code), await refer(code)]
    await follow()
    done(await switchOff())
    done(await shop.post(`/sales/${voided}/void`, { reason: 'wrong' }))
    await deps().pool.query('update referral_attributions set expires_at = created_at where sale_id = $1', [
      expired,
    ])
    await follow()
    done(await shop.post('/modules', { module: 'marketing', enabled: true }))
    done(await shop.put(PROGRAM, { ...REQUIRED, enabled: true }))
    expect(await Promise.all([voided, expired, kept].map(statusOf))).toEqual([
      'rejected',
      'expired',
      'pending',
    ])
  })

  test('reads a log again that was restored into another cluster, and makes nothing twice', async () => {
    const before = [await linksOf(shop), await attributionsOf(shop)]
    await deps().pool.query(`update referral_programs set seen_tx = '9000000000000000000'`)
    await follow()
    expect([await linksOf(shop), await attributionsOf(shop)]).toEqual(before)
    const sale = await refer()
    await follow()
    expect(await statusOf(sale)).toBe('pending')
  })
})

const link = {
  linkId: 'l',
  customerId: 'a',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastClickedAt: null,
  earned: 0,
}
const sale = { saleId: 's', customerId: 'b', total: 110_999, deliveryFee: 11_000 }
const program = { ...DEFAULTS, ...REQUIRED, rewardType: 'percent' as const, attributionWindowDays: 30 }

test.each([
  ['2026-01-31T00:00:00.000Z', null, true],
  ['2026-01-31T00:00:00.001Z', null, false],
  ['2025-12-31T23:59:59.999Z', null, false],
  ['2026-03-02T00:00:00.000Z', '2026-02-01T00:00:00.000Z', true],
  ['2026-03-03T00:00:00.000Z', '2026-03-03T00:00:00.000Z', true],
  ['2026-02-10T10:00:00.000Z', '2026-02-10T10:00:20.000Z', false],
  ['2026-01-20T10:00:00.000Z', '2026-01-20T10:00:20.000Z', true],
])('a sale of %s, with a last click at %s, counts: %s', (completedAt, lastClickedAt, counts) => {
  expect(isAttributed({ ...sale, completedAt }, { ...link, lastClickedAt }, program)).toBe(counts)
})

test.each([
  ['percent', 15, 14_999],
  ['fixed', 7_500, 7_500],
  ['shipping_percent', 15, 1_650],
  ['shipping_fixed', 20_000, 20_000],
] as const)('a %s reward of %s is %s', (rewardType, value, reward) => {
  expect(rewardOf({ rewardType }, value, sale)).toBe(reward)
})
