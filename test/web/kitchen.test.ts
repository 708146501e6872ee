import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeTable, makeVariant, openBill } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { holdAnswer, list, requireBuiltRegister, visit } from '../support/register-page.ts'
import { insertSale } from '../support/rows.ts'
import { acme, address, deps, useService } from '../support/service.ts'
import { streamProxy } from '../support/stream-proxy.ts'

requireBuiltRegister()
useService()

const BOARD = { width: 1_280, height: 800 }
let outletId = ''
let [soup, tea] = ['', '']

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  done(await acme().put('/settings', { businessType: 'FNB' }))
  soup = await makeVariant(acme(), { name: 'Soto Ayam' })
  tea = await makeVariant(acme(), { name: 'Es Teh' })
})

let orders = 0
const order = async (goods: readonly { variantId: string; quantity: number }[]) => {
  orders += 1
  const label = `K${orders}`
  const table = await makeTable(acme(), outletId, label)
  return { label, bill: await openBill(acme(), { outletId, tableId: table.id, items: goods }) }
}
const twoDishes = () => [
  { variantId: soup, quantity: 2 },
  { variantId: tea, quantity: 1 },
]

const tickets = (page: Page) => list(page, 'Tiket').getByRole('article')
const ticket = (page: Page, label: string) => page.getByRole('article', { name: new RegExp(`^${label} `) })
const step = (page: Page, label: string, name: string) =>
  ticket(page, label).getByRole('button', { name, exact: true })

async function openBoard(page: Page, at = address(), path = 'dapur') {
  await page.goto(`${at}/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
/** Counts the tones of the page; a chime is two. */
const COUNT_TONES = `{
  window.tones = 0
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...args) { window.tones += 1; return start.apply(this, args) }
}`
const tones = (page: Page) => page.evaluate('window.tones') as Promise<number>
/** Moves every ticket on until none is left: digits reach nine, and a second try would come after those of the first. */
async function emptyBoard() {
  for (;;) {
    const { tickets: waiting } = done(await acme().get('/kds'))
    if (waiting.length === 0) return
    for (const { id } of waiting) done(await acme().post(`/kds/${id}/advance`))
  }
}
const statusesOf = async (saleId: string) =>
  done(await acme().get(`/sales/${saleId}`)).sale.items.map(
    (item: { kitchenStatus: string }) => item.kitchenStatus,
  )

describeInChromium('the kitchen', (browser) => {
  it('two cooks press one button at the same moment: the order moves one step, both see it, neither sees an error', async () => {
    const { label, bill } = await order(twoDishes())
    const cooks = await Promise.all([visit(browser(), BOARD), visit(browser(), BOARD)])
    for (const { page } of cooks) {
      await openBoard(page)
      await step(page, label, 'Mulai').waitFor()
    }
    await Promise.all(cooks.map(({ page }) => step(page, label, 'Mulai').click()))
    for (const { page } of cooks) await step(page, label, 'Siap').waitFor()
    await expect.poll(() => statusesOf(bill.id)).toEqual(['PREPARING', 'PREPARING'])
    for (const { page } of cooks) {
      expect(await page.getByRole('alert').count()).toBe(0)
      await step(page, label, 'Siap').waitFor()
    }
  })

  it('a cancelled dish is struck through until the cook has seen it, after a reload as well', async () => {
    const { label, bill } = await order(twoDishes())
    const { page } = await visit(browser(), BOARD)
    await openBoard(page)
    await step(page, label, 'Mulai').click()
    await step(page, label, 'Siap').waitFor()
    const kept = bill.items.filter(({ variantId }) => variantId === soup)
    done(await acme().patch(`/sales/${bill.id}/items`, { items: kept.map(({ id }) => ({ id })) }))
    const struck = ticket(page, label).locator('s', { hasText: 'Es Teh' })
    await struck.waitFor()
    await page.reload()
    await struck.waitFor()
    await ticket(page, label).getByRole('button', { name: 'Sudah dilihat Es Teh' }).click()
    await struck.waitFor({ state: 'detached' })
    await page.reload()
    await ticket(page, label).waitFor()
    expect(await struck.count()).toBe(0)
  })

  it('an order that is cancelled as a whole stays struck through until the cook has seen it', async () => {
    const { label, bill } = await order(twoDishes())
    const { page } = await visit(browser(), BOARD)
    await openBoard(page)
    await step(page, label, 'Mulai').waitFor()
    done(await acme().post(`/sales/${bill.id}/discard`, { reason: 'Tamu pergi' }))
    await ticket(page, label).getByText('Pesanan dibatalkan').waitFor()
    await ticket(page, label)
      .getByRole('button', { name: new RegExp(`^Sudah dilihat ${label} `) })
      .click()
    await ticket(page, label).waitFor({ state: 'detached' })
  })

  it('a cancelled order is shown as such when the service answers again after a refused question', async () => {
    const { label, bill } = await order(twoDishes())
    const { page } = await visit(browser(), BOARD)
    await openBoard(page)
    await step(page, label, 'Mulai').waitFor()
    let refused = 0
    await page.route(`**/api/v1/sales/${bill.id}`, (route) => {
      refused += 1
      const error = { code: 'FORBIDDEN', message: 'Not now', requestId: 'req_1' }
      return route.fulfill({ status: 403, json: { data: null, error } })
    })
    done(await acme().post(`/sales/${bill.id}/discard`, { reason: 'Tamu pergi' }))
    await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThan(0)
    await page.unroute(`**/api/v1/sales/${bill.id}`)
    await ticket(page, label).getByText('Pesanan dibatalkan').waitFor()
  })

  it('only the dishes of a later order are new work: served ones do not come back', async () => {
    const { label, bill } = await order([{ variantId: soup, quantity: 2 }])
    for (let each = 0; each < 3; each += 1) done(await acme().post(`/kds/${bill.id}/advance`))
    const { page } = await visit(browser(), BOARD)
    await openBoard(page)
    await page.getByText('Tidak ada pesanan').or(tickets(page).first()).first().waitFor()
    expect(await ticket(page, label).count()).toBe(0)
    const items = [...bill.items.map(({ id }) => ({ id })), { variantId: tea, quantity: 3 }]
    done(await acme().patch(`/sales/${bill.id}/items`, { items }))
    await ticket(page, label).getByText('3 Es Teh').waitFor()
    expect(await ticket(page, label).getByText('Soto Ayam').count()).toBe(0)
  })

  it('a new ticket sounds once, and not while the sound is off; what was there before is silent', async () => {
    const { label: before } = await order(twoDishes())
    const { page } = await visit(browser(), BOARD)
    await page.addInitScript(COUNT_TONES)
    await openBoard(page)
    await ticket(page, before).waitFor()
    expect(await tones(page)).toBe(0)
    const { label: loud } = await order(twoDishes())
    await ticket(page, loud).waitFor()
    await expect.poll(() => tones(page)).toBe(2)
    await page.getByRole('button', { name: 'Suara nyala' }).click()
    const { label: quiet } = await order(twoDishes())
    await ticket(page, quiet).waitFor()
    expect(await tones(page)).toBe(2)
  })

  it('a bump bar works the board: a digit chooses, Enter moves on, Backspace undoes', async () => {
    await emptyBoard()
    const { label, bill } = await order(twoDishes())
    const { page } = await visit(browser(), BOARD)
    await openBoard(page)
    await ticket(page, label).waitFor()
    const names: (string | null)[] = []
    for (const each of await tickets(page).all()) names.push(await each.getAttribute('aria-label'))
    const place = names.findIndex((name) => name?.startsWith(`${label} `))
    expect(place).toBeLessThan(9)
    await page.keyboard.press(String(place + 1))
    await page.keyboard.press('Enter')
    await step(page, label, 'Siap').waitFor()
    await expect.poll(() => statusesOf(bill.id)).toEqual(['PREPARING', 'PREPARING'])
    const undo = page.getByRole('button', { name: 'Batal' })
    await expect.poll(() => undo.isEnabled()).toBe(true)
    await page.keyboard.press('Backspace')
    await step(page, label, 'Mulai').waitFor()
    await expect.poll(() => statusesOf(bill.id)).toEqual(['NEW', 'NEW'])
  })

  it('undo takes back the last step, also before its answer is here', async () => {
    const [first, last] = [await order(twoDishes()), await order(twoDishes())]
    const { page } = await visit(browser(), BOARD)
    await openBoard(page)
    await step(page, first.label, 'Mulai').click()
    const undo = page.getByRole('button', { name: 'Batal' })
    await expect.poll(() => undo.isEnabled()).toBe(true)
    const late = await holdAnswer(page, `**/api/v1/kds/${last.bill.id}/*`)
    await step(page, last.label, 'Mulai').click()
    await late.reached
    await undo.click()
    await late.release()
    await step(page, last.label, 'Mulai').waitFor()
    await expect.poll(() => statusesOf(last.bill.id)).toEqual(['NEW', 'NEW'])
    expect(await statusesOf(first.bill.id)).toEqual(['PREPARING', 'PREPARING'])
  })

  it('without its stream the board says so and reads again by itself, until the stream is back', async () => {
    const proxy = await streamProxy(address())
    onTestFinished(() => proxy.close())
    const { page } = await visit(browser(), { ...BOARD, at: proxy.url })
    await openBoard(page, proxy.url)
    const { label: first } = await order(twoDishes())
    await ticket(page, first).waitFor()
    const band = page.getByRole('status').filter({ hasText: 'Sambungan terputus' })
    expect(await band.count()).toBe(0)
    proxy.cut()
    await band.waitFor()
    const { label: meanwhile } = await order(twoDishes())
    await ticket(page, meanwhile).waitFor()
    expect(await band.count()).toBe(1)
    proxy.restore()
    await band.waitFor({ state: 'detached', timeout: 60_000 })
    const { label: last } = await order(twoDishes())
    await ticket(page, last).waitFor()
  }, 120_000)

  it('shows 200 orders, and a change draws the order that changed alone', async () => {
    const busyId = await makeOutlet(acme(), { name: 'Ramai' })
    const sales = []
    for (let at = 0; at < 200; at += 1)
      sales.push(await insertSale(deps(), acme(), { outletId: busyId, lines: [{ status: 'NEW' }] }))
    const { page } = await visit(browser(), BOARD)
    await page.addInitScript(
      `localStorage.setItem('kasir-device', JSON.stringify({ state: { language: 'id', theme: 'light', outletId: '${busyId}' }, version: 0 }))`,
    )
    await openBoard(page)
    await expect.poll(() => tickets(page).count()).toBe(200)
    await page.evaluate(`{
      // The minutes in the heads change by themselves.
      window.drawn = new Set()
      const cards = document.querySelectorAll('article > ul, [data-bump]')
      const watch = new MutationObserver((changes) => {
        for (const { target } of changes) {
          const card = (target instanceof Element ? target : target.parentElement)?.closest('article')
          if (card) window.drawn.add(card.getAttribute('aria-label'))
        }
      })
      for (const card of cards) watch.observe(card, { subtree: true, childList: true, characterData: true })
    }`)
    const changed = sales[57]
    done(await acme().post(`/kds/${changed?.id}/advance`))
    const card = page.getByRole('article', { name: new RegExp(`${changed?.number}$`) })
    await card.getByRole('button', { name: 'Siap' }).waitFor()
    const drawn = (await page.evaluate('[...window.drawn]')) as string[]
    expect(drawn.filter((name) => name.endsWith(changed?.number ?? '-'))).toHaveLength(1)
    expect(drawn).toHaveLength(1)
  }, 120_000)
})
