import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { receiptLinkExpires } from '../../../src/areas/selling/receipt-links/index.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { sweep } from '../../../src/platform/jobs/sweep.ts'
import type { Api } from '../../support/api.ts'
import { makeCustomer, makeSale, openBill } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { acme, address, as, deps, globex, startHarness, useService } from '../../support/service.ts'

const clock = manualClock('2026-11-21T03:00:00.000Z')
useService({ clock })

const link = async (api: Api, saleId: string): Promise<{ url: string; expiresAt: string }> =>
  done(await api.post(`/sales/${saleId}/receipt-link`))
/** The page at the path of `url`: the service of a test listens at another port than its settings say. */
const open = (url: string, headers: Record<string, string> = {}, at = address()) => {
  const { pathname, search } = new URL(url, at)
  return fetch(`${at}${pathname}${search}`, { headers })
}
const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }

describe('a public receipt', () => {
  test('opens without a credential, is not cached or indexed, and shows no phone number of the customer', async () => {
    const customerId = await makeCustomer(acme(), { name: 'Dewi', phone: '0812-5550-177' })
    const sale = await makeSale(acme(), { customerId })
    const { url, expiresAt } = await link(acme(), sale.id)
    expect(expiresAt).toBe('2027-02-19T03:00:00.000Z')
    expect(url).toMatch(/\/r\/[0-9A-Z]{26}[A-Za-z0-9_-]{22}$/)
    const page = await open(url)
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).toContain('Dewi')
    expect(html.replaceAll(/\D/g, '')).not.toContain('08125550177')
    expect(html).toContain('Tunai')
    expect(await (await open(`${url}?lang=en&utm_source=wa`)).text()).toContain('Cash')
  })

  test('is kept as the hash of its token only, also in the stored answer of an Idempotency-Key', async () => {
    const { id } = await makeSale(acme())
    const answer = await acme().post(`/sales/${id}/receipt-link`, undefined, { idempotencyKey: 'link-1' })
    const token = String(done(answer).url).split('/r/')[1] ?? ''
    const again = await acme().post(`/sales/${id}/receipt-link`, undefined, { idempotencyKey: 'link-1' })
    expect(done(again).url).toBe(done(answer).url)
    const links = await deps().db.selectFrom('receiptLinks').selectAll().where('saleId', '=', id).execute()
    const keys = await deps().db.selectFrom('idempotencyKeys').selectAll().execute()
    expect(links).toHaveLength(1)
    expect(JSON.stringify([links, keys])).not.toContain(token.slice(26))
  })

  test('shows the sale as it is now: an open bill, a voided sale', async () => {
    const bill = await openBill(acme())
    const ofBill = await link(acme(), bill.id)
    expect(await (await open(ofBill.url)).text()).toContain('TAGIHAN')
    const sale = await makeSale(acme())
    const { url } = await link(acme(), sale.id)
    done(await acme().post(`/sales/${sale.id}/void`))
    expect(await (await open(url)).text()).toContain('BATAL')
    expect((await open((await link(acme(), sale.id)).url)).status).toBe(200)
  })

  test('is 404 after it is revoked, and a new one opens again', async () => {
    const { id } = await makeSale(acme())
    const [first, second] = [await link(acme(), id), await link(acme(), id)]
    expect((await open(first.url)).status).toBe(200)
    expect(done(await acme().delete(`/sales/${id}/receipt-link`))).toEqual({ id, revoked: true })
    for (const { url } of [first, second]) {
      const page = await open(url, { accept: 'text/html' })
      expect(page.status).toBe(404)
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect(await page.text()).toContain('receipt')
    }
    expect(refusalOf(await acme().delete(`/sales/${id}/receipt-link`))).toEqual(NOT_FOUND)
    expect((await open((await link(acme(), id)).url)).status).toBe(200)
  })

  test('has at most five addresses; a sixth ends the oldest, also under concurrent requests', async () => {
    const { id } = await makeSale(acme())
    const first = await link(acme(), id)
    await Promise.all(Array.from({ length: 12 }, () => link(acme(), id)))
    expect((await open(first.url)).status).toBe(404)
    const rows = await deps().db.selectFrom('receiptLinks').select('id').where('saleId', '=', id).execute()
    expect(rows).toHaveLength(5)
  })

  test('ends after 90 days, and the sweep removes it', async () => {
    const { id } = await makeSale(acme())
    const { url } = await link(acme(), id)
    clock.advance(90 * 86_400_000 - 1)
    expect((await open(url)).status).toBe(200)
    clock.advance(1)
    expect((await open(url)).status).toBe(404)
    clock.advance(1)
    await sweep(deps(), receiptLinkExpires)
    const rows = await deps().db.selectFrom('receiptLinks').select('id').where('saleId', '=', id).execute()
    expect(rows).toEqual([])
  })

  test('is revoked when its customer is erased', async () => {
    const customerId = await makeCustomer(acme(), { name: 'Budi' })
    const [own, other] = [await makeSale(acme(), { customerId }), await makeSale(acme())]
    const [{ url }, kept] = [await link(acme(), own.id), await link(acme(), other.id)]
    done(await acme().delete(`/customers/${customerId}`))
    expect((await open(url)).status).toBe(404)
    expect((await open(kept.url)).status).toBe(200)
  })

  test('of a sale in another workspace can be neither made nor revoked', async () => {
    const { id } = await makeSale(acme())
    await link(acme(), id)
    expect(refusalOf(await globex().post(`/sales/${id}/receipt-link`))).toEqual(NOT_FOUND)
    expect(refusalOf(await globex().delete(`/sales/${id}/receipt-link`))).toEqual(NOT_FOUND)
    const cashier = await memberOf(acme(), 'CASHIER')
    expect((await open((await link(cashier.api, id)).url)).status).toBe(200)
    expect(refusalOf(await as(null).post(`/sales/${id}/receipt-link`))).toMatchObject({ status: 401 })
  })

  test('does not open with the random part of a token in another workspace', async () => {
    const { url } = await link(acme(), (await makeSale(acme())).id)
    const other = globex().workspace.accountId.slice(4)
    expect((await open(url.replace(/\/r\/.{26}/, `/r/${other}`))).status).toBe(404)
  })
})

describe('guesses of a token', () => {
  /** RECEIPT_GUESSES=100000 tries so many, in about ten minutes. */
  const GUESSES = Number(process.env['RECEIPT_GUESSES'] ?? 2_000)
  const AT_ONCE = 50
  const guess = (accountId: string) => `/r/${accountId.slice(4)}${randomBytes(16).toString('base64url')}`

  test('find nothing', async () => {
    await link(acme(), (await makeSale(acme())).id)
    const statuses = new Set<number>()
    for (let tried = 0; tried < GUESSES; tried += AT_ONCE) {
      const paths = Array.from({ length: AT_ONCE }, () => guess(acme().workspace.accountId))
      for (const { status } of await Promise.all(paths.map((path) => open(path)))) statuses.add(status)
    }
    for (const path of ['/r/a', `/r/${'A'.repeat(48)}`, `/r/${'%00'.repeat(16)}`, '/r/'])
      statuses.add((await open(path)).status)
    expect([...statuses]).toEqual([404])
  }, 3_600_000)

  test('cost the budget of their address only: another address opens its receipt, and a till of the guesser sells on', async () => {
    // The clock stands still: on a busy machine the budget would fill again between two requests.
    const { harness, stop } = await startHarness({
      clock,
      env: { RATE_LIMIT_PER_MINUTE: '3000', TRUST_PROXY: '1' },
    })
    try {
      const { id } = await makeSale(harness.acme)
      const { url } = await link(harness.acme, id)
      const from = (ip: string) => ({ 'x-forwarded-for': ip })
      const openFrom = (path: string, ip: string) => open(path, from(ip), harness.address)
      const wrong = Array.from({ length: 90 }, () => guess(harness.acme.workspace.accountId))
      const tried = await Promise.all(wrong.map((path) => openFrom(path, '198.51.100.7')))
      const statuses = tried.map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([404, 429]))
      expect(statuses.filter((status) => status === 404).length).toBe(60)
      expect((await openFrom(url, '198.51.100.7')).status).toBe(429)
      expect((await openFrom(url, '198.51.100.8')).status).toBe(200)
      const stranger = harness.as(null)
      const signIn = await stranger.post(
        '/auth/login',
        { email: 'a@example.com', password: 'not the password' },
        { headers: from('198.51.100.7') },
      )
      expect(signIn.status).toBe(401)
      expect((await harness.acme.get(`/sales/${id}`, { headers: from('198.51.100.7') })).status).toBe(200)
    } finally {
      await stop()
    }
  })
})
