import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJourney, settled, updated, walkTwice } from '../../support/readme.ts'
import { type OwnService, ownService } from '../../support/service.ts'

let service: OwnService
beforeAll(async () => {
  service = await ownService()
  await service.start()
}, 240_000)
afterAll(() => service.end())

type Json = { data: Record<string, never>; error: { code: string; message: string } | null }
const call = async (method: string, path: string, key: string, body?: unknown) => {
  const response = await fetch(`${service.address()}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as Json
  expect(json.error).toBeNull()
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
  return json.data as any
}

test('a fresh service sells a plan and switches payment on through the partner that comes along', async () => {
  const signup = await fetch(`${service.address()}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ibu@example.com', password: 'kopi susu gula aren', name: 'Ibu Sari' }),
  })
  const cookie = signup.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const made = await fetch(`${service.address()}/api/v1/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: '{"name":"Till 1"}',
  })
  const { key } = ((await made.json()) as { data: { key: string } }).data
  const { hostedUrl, amount } = await call('POST', '/billing/checkout', key, { tier: 'starter' })
  expect(amount).toBe(99_000)
  expect((await call('GET', '/billing', key)).effectiveTier).toBe('free')
  expect((await fetch(`${hostedUrl}/pay`, { method: 'POST', redirect: 'manual' })).status).toBe(303)
  await expect
    .poll(async () => (await call('GET', '/billing', key)).effectiveTier, { timeout: 30_000 })
    .toBe('starter')
  expect((await call('POST', '/modules', key, { module: 'payment', enabled: true })).module.enabled).toBe(
    true,
  )
  expect(await call('GET', '/payments/checkout-sessions', key)).toEqual([])
  const session = await call('POST', '/payments/checkout-sessions', key, {
    amount: 25_000,
    currency: 'IDR',
    method: 'qris',
  })
  expect(session).toMatchObject({
    amount: 25_000,
    status: 'open',
    qrString: expect.stringMatching(/^000201/),
  })
  expect((await call('GET', '/payments/checkout-sessions', key)).length).toBe(1)
})

const PAGE = fileURLToPath(new URL('../../../docs/payments.md', import.meta.url))

test('a customer pays a bill by QRIS with the lines of docs/payments.md, and ledger, receipts and bill agree', async () => {
  const steps = await readJourney(PAGE)
  const cwd = await mkdtemp(path.join(tmpdir(), 'kasir-payments-'))
  const printed = (await walkTwice(steps, service.address(), cwd)).map(settled)
  await rm(cwd, { recursive: true })
  if (process.env['UPDATE_README']) {
    return writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed))
  }
  expect(printed).toEqual(steps.map((step) => settled(step.printed)))
  expect(steps.length).toBe(8)
}, 240_000)
