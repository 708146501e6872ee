import { afterAll, expect, inject, test, vi } from 'vitest'
import { openPartnerPulse } from '../../../src/platform/partners/pulse.ts'
import { settingsOf, startPartner } from '../../support/partner.ts'
import { as, useService } from '../../support/service.ts'

const [well, failing, silent] = [await startPartner(), await startPartner(), await startPartner()]
failing.answers((_, response) => void response.writeHead(500).end())
silent.answers(() => {})
useService({
  env: {
    ...settingsOf(well),
    FULFILLMENT_PARTNER_URL: failing.url,
    FULFILLMENT_PARTNER_KEY: 'key',
    MARKETING_PARTNER_URL: silent.url,
    MARKETING_PARTNER_KEY: 'key',
  },
})
afterAll(async () => {
  for (const partner of [well, failing, silent]) await partner.close()
})

test('health asks each partner without a key and waits for none; many who ask at once ask once, and what is down degrades it', async () => {
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, () => as(null).get('/health')))
  expect(performance.now() - began).toBeLessThan(5_000)
  for (const { status, data } of answers) {
    expect([status, data.status, data.checks]).toEqual([
      200,
      'degraded',
      {
        database: 'ok',
        storage: 'ok',
        workers: inject('workerUrls').length > 0 ? 'ok' : 'off',
        replica: 'off',
        paymentPartner: 'ok',
        fulfillmentPartner: 'down',
        marketingPartner: 'down',
      },
    ])
  }
  for (const { asked } of [well, failing, silent]) {
    expect(asked.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ['GET', '/v1/health', undefined],
    ])
  }
})

test('what was seen of a partner is looked at again after a while, not before', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    let status = 500
    let looks = 0
    const pulse = openPartnerPulse(async () => {
      looks += 1
      return { status }
    })
    expect(await pulse()).toBe('down')
    status = 404
    expect([await pulse(), looks]).toEqual(['down', 1])
    vi.advanceTimersByTime(5_001)
    expect([await pulse(), looks]).toEqual(['ok', 2])
  } finally {
    vi.useRealTimers()
  }
})
