import { expect, test } from 'vitest'
import { as, startHarness, useService } from '../support/service.ts'

useService()

const POLICY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}
const ofPolicy = (headers: Headers) =>
  Object.fromEntries(Object.keys(POLICY).map((name) => [name, headers.get(name)]))

test.each([
  ['an answer', '/auth/providers'],
  ['an unknown address', '/nothing'],
  ['one that cannot be read', '/outlets/%zz'],
  ['a caller without a credential', '/outlets'],
])('browsers are told what they should refuse to do with %s', async (_, path) => {
  const { headers } = await as(null).get(path)
  expect(ofPolicy(headers)).toEqual(POLICY)
  expect(headers.get('strict-transport-security')).toBeNull()
})

test('where the service is reached by https alone, browsers are told so', async () => {
  const { harness, stop } = await startHarness({ env: { PUBLIC_URL: 'https://kasir.example' } })
  try {
    const { headers } = await harness.as(null).get('/outlets')
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+; includeSubDomains$/)
  } finally {
    await stop()
  }
})
