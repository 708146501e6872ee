import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPrinting } from '../../../src/areas/dining/printers/index.ts'
import { OFFICE_PAGES } from '../../../web/src/office/page-routes.ts'
import { describeInChromium } from '../../support/browser.ts'
import {
  enableModule,
  makeCard,
  makeCategory,
  makeCustomer,
  makeModifier,
  makeModifierGroup,
  makeOutlet,
  makeProduct,
  makePurchaseOrder,
  makeSupplier,
  openShift,
  stock,
} from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { makeShipment, openDelivery, PARCEL, startFulfillment } from '../../support/fulfillment.ts'
import { unusedPort } from '../../support/printer.ts'
import { startReferencePayment } from '../../support/reference-payment.ts'
import { photograph, requireBuiltRegister, type Screen, visit } from '../../support/register-page.ts'
import { acme, address, deps, useService } from '../../support/service.ts'

requireBuiltRegister()
const payments = await startReferencePayment()
const partner = await startFulfillment()
useService({ env: { PRINTER_NETWORKS: '127.0.0.0/8', ...payments.settings, ...partner.settings } })
afterAll(() => Promise.all([payments.close(), partner.close()]))

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LONG = 'Nasi Goreng Spesial Pedas dengan Telur Mata Sapi dan Kerupuk Udang'
const UNBROKEN = 'SuperkalifragilistikekspialidosiusKopiSusuGulaArenLiteran'

/** What each page is opened at: its list, its tabs and its editors. */
const views: string[] = []

beforeAll(async () => {
  const outletId = await makeOutlet(acme(), { name: 'Kopi Senja Cikini', taxRateBps: 1_100, taxLabel: 'PPN' })
  await makeOutlet(acme(), { name: UNBROKEN })
  const categoryId = await makeCategory(acme(), { name: 'Makanan' })
  const rice = await makeProduct(acme(), {
    name: LONG,
    categoryId,
    variants: [
      {
        price: 25_000,
        sku: 'NG-1',
        barcodes: ['8991000000011', '8991000000028'],
        packs: [{ name: LONG.slice(0, 40), factor: 10, barcode: '8991000000035', price: 240_000 }],
      },
    ],
  })
  const made = await makeProduct(acme(), {
    name: UNBROKEN,
    variants: [
      { name: 'Panas', price: 1_250_000 },
      { name: 'Dingin', price: 2_500_000 },
    ],
  })
  const components = [{ componentVariantId: rice.variants[0].id, quantity: 5 }]
  const recipe = { isComposite: true, components }
  done(await acme().put(`/products/${made.id}/variants/${made.variants[0].id}/recipe`, recipe))
  const groupId = await makeModifierGroup(acme(), { name: 'Topping' })
  await makeModifier(acme(), groupId, { name: 'Keju' })
  await stock(acme(), outletId, rice.variants[0].id, 12)
  done(await acme().put('/inventory/reorder', { outletId, variantId: rice.variants[0].id, reorderPoint: 20 }))
  const shiftId = await openShift(acme(), outletId, 200_000)
  for (let count = 0; count < 3; count += 1)
    done(
      await acme().post('/sales', {
        outletId,
        items: [{ variantId: rice.variants[0].id, quantity: 1 }],
        payments: [{ method: count === 0 ? 'QRIS' : 'CASH', amount: 27_750 }],
        status: 'COMPLETED',
      }),
    )
  const customerId = await makeCustomer(acme(), {
    name: LONG,
    phone: '081234567890',
    creditLimit: 1_000_000_000,
  })
  done(
    await acme().post('/sales', {
      outletId,
      customerId,
      items: [{ variantId: rice.variants[0].id, quantity: 1 }],
      payments: [{ method: 'CREDIT', amount: 27_750, dueDate: '2026-01-31' }],
    }),
  )
  const card = await makeCard(acme(), 150_000, { customerId, note: LONG })
  const supplierId = await makeSupplier(acme(), { name: LONG })
  const order = await makePurchaseOrder(acme(), {
    outletId,
    supplierId,
    items: [{ variantId: rice.variants[0].id, qty: 5 }],
  })
  await memberOf(acme(), 'CASHIER', LONG)
  const printerId = await failedPrinter(outletId)
  const groupOfCustomers = done(await acme().post('/customer-groups', { name: UNBROKEN })).customerGroup.id
  const priceListId = await longPriceList(groupOfCustomers, rice.variants[0].id, categoryId)
  const promotionId = await longPromotion(rice.variants[0].id, categoryId)
  const countId = await openCount(outletId, rice.variants[0].id)
  const paymentViews = await longPayments()
  const level = done(await acme().get('/inventory/levels')).levels[0]
  const delivery = await longDelivery(outletId, rice.variants[0].id)
  const postId = await longPost()
  const more: Readonly<Record<string, readonly string[]>> = {
    '/beranda': [],
    '/produk': [
      '?q=nothing-like-this',
      `?id=${rice.id}`,
      '?id=new',
      '?tab=categories',
      '?tab=modifiers',
      `?tab=modifiers&id=${groupId}`,
      '?tab=import',
      '?tab=prices',
      `?tab=prices&id=${priceListId}`,
    ],
    '/promo': ['?id=new', `?id=${promotionId}`],
    '/laporan': [
      '?range=30',
      '?tab=hours',
      '?tab=goods',
      '?tab=promotions',
      '?tab=people',
      '?range=own',
      '?tab=shifts',
      `?tab=shifts&id=${shiftId}`,
      '?tab=expenses',
      '?tab=value',
      '?tab=receivables',
    ],
    '/pengaturan': [
      `?id=${outletId}`,
      '?tab=business',
      '?tab=approvals',
      '?tab=modules',
      '?tab=plan',
      '?tab=printers',
      '?tab=printers&id=new',
      `?tab=printers&id=${printerId}`,
      '?tab=jobs',
    ],
    '/stok': [
      `?id=${level.id}`,
      '?id=new',
      '?id=transfer',
      '?id=batch',
      '?tab=movements',
      '?tab=batches',
      '?tab=composites',
      '?tab=counts',
      '?tab=counts&id=new',
      `?tab=counts&id=${countId}`,
    ],
    '/orang': ['?tab=members&id=new', '?tab=tills', '?tab=keys', '?tab=keys&id=new'],
    '/pelanggan': [`?id=${customerId}`, '?tab=groups', `?tab=groups&id=${groupOfCustomers}`],
    '/kartu-hadiah': ['?id=new', `?id=${card.code}`],
    '/pembelian': ['?id=new', `?id=${order.id}`, '?tab=suppliers', `?tab=suppliers&id=${supplierId}`],
    '/pembayaran': paymentViews,
    '/pengiriman': [
      '?id=new',
      `?id=${delivery.shipment.id}`,
      '?tab=orders',
      `?tab=orders&id=${delivery.saleId}`,
      '?tab=origin',
      '?tab=couriers',
      '?tab=credits',
      '?tab=credits&id=new',
      '?tab=warehouses',
      '?tab=warehouses&id=new',
      '?tab=levels',
      '?tab=levels&id=new',
      '?tab=movements',
      '?tab=partner',
      '?tab=licenses',
      '?tab=licenses&id=new',
      `?tab=partner&id=${delivery.shipment.providerRef}`,
    ],
    '/pemasaran': [
      '?id=new',
      `?id=${postId}`,
      '?tab=feeds',
      '?tab=pixels',
      '?tab=referrals',
      '?tab=links',
      '?tab=attributions',
      '?tab=carts',
      '?tab=reminders',
    ],
    '/pengembang': ['?id=new', '?tab=deliveries', '?tab=events'],
  }
  for (const { path } of OFFICE_PAGES) {
    expect(Object.keys(more)).toContain(path)
    views.push(path, ...(more[path] ?? []).map((search) => path + search))
  }
  views.push('/akun')
})

/** A price list with every condition, with goods and a category. */
async function longPriceList(groupId: string, variantId: string, categoryId: string): Promise<string> {
  const made = await acme().post('/price-lists', {
    name: LONG,
    customerGroupIds: [groupId],
    orderTypes: ['TAKEAWAY', 'DELIVERY'],
    channels: ['GOFOOD'],
    weekdays: [1, 2, 3, 6],
    from: '15:00',
    to: '17:00',
    startsAt: '2026-01-01T00:00:00.000Z',
    entries: [
      { variantId, price: 22_000 },
      { categoryId, adjustBps: -1_250, roundTo: 500 },
    ],
  })
  return done(made).priceList.id
}

/** A bundle of goods and a category, as a voucher. */
async function longPromotion(variantId: string, categoryId: string): Promise<string> {
  const made = await acme().post('/promotions', {
    name: LONG.slice(0, 80),
    kind: 'BUNDLE',
    bundlePrice: 35_000,
    bundle: [
      { variantId, quantity: 2 },
      { categoryId, quantity: 1 },
    ],
    code: 'W'.repeat(50),
    usageLimit: 1_000_000,
  })
  return done(made).promotion.id
}

/** Records of every payment page; returns its lists and editors. */
async function longPayments(): Promise<string[]> {
  await enableModule(acme(), 'payment')
  const write = async (path: string, body: object) => done(await acme().post(`/payments${path}`, body))
  const plan = await write('/plans', { name: UNBROKEN, prices: [{ amount: 1_250_000, interval: 'month' }] })
  const customer = await write('/customers', { name: LONG, email: `${'a'.repeat(40)}@example.com` })
  const subscription = await write('/subscriptions', { customerId: customer.id, priceId: plan.prices[0].id })
  const open = await write('/checkout-sessions', { amount: 75_000, method: 'qris', description: LONG })
  const session = await write('/checkout-sessions', { amount: 7_500_000, description: UNBROKEN })
  await write(`/checkout-sessions/${session.id}/confirm`, {})
  const account = { bankName: LONG, accountNumber: '1234567890', accountHolder: UNBROKEN }
  done(await acme().put('/payments/payouts/bank-account', account))
  const payout = await write('/payouts', { amount: 1_250_000 })
  const [receipt] = done(await acme().get('/payments/receipts'))
  const [entry] = done(await acme().get('/payments/ledger/entries'))
  return [
    '?tab=links',
    '?tab=links&id=new',
    `?tab=links&id=${open.id}`,
    '?tab=receipts',
    `?tab=receipts&id=${receipt.id}`,
    '?tab=unapplied',
    '?tab=payouts',
    '?tab=payouts&id=bank',
    '?tab=payouts&id=new',
    `?tab=payouts&id=${payout.id}`,
    '?tab=ledger',
    `?tab=ledger&id=${entry.id}`,
    '?tab=reports',
    '?tab=subscriptions',
    '?tab=subscriptions&id=new',
    `?tab=subscriptions&id=${subscription.id}`,
    '?tab=plans',
    `?tab=plans&id=${plan.id}`,
    '?tab=customers',
    `?tab=customers&id=${customer.id}`,
    '?tab=invoices',
    `?tab=invoices&id=${subscription.latestInvoiceId}`,
  ]
}

/** A booked shipment, warehouse stock, and a sale whose destination the register kept. */
async function longDelivery(outletId: string, variantId: string) {
  await openDelivery(acme())
  const shipment = await makeShipment(acme(), UNBROKEN)
  done(await acme().post(`/delivery/shipments/${shipment.id}/confirm-pickup`))
  const at = { name: LONG, address: UNBROKEN, postalCode: '13920' }
  const warehouse = done(await acme().post('/fulfillment/warehouses', at))
  const adjust = {
    warehouseId: warehouse.id,
    sku: 'W'.repeat(64),
    name: LONG,
    qtyDelta: 1_000_000,
    reason: UNBROKEN,
  }
  done(await acme().post('/fulfillment/inventory/adjust', adjust))
  done(await acme().post('/fulfillment/licenses', { product: UNBROKEN }))
  const draft = { destination: { contactName: UNBROKEN, address: LONG }, courierCode: 'jne', items: PARCEL }
  const { sale } = done(
    await acme().post('/sales', {
      outletId,
      items: [{ variantId, quantity: 1 }],
      payments: [{ method: 'CASH', amount: 27_750 }],
      orderType: 'DELIVERY',
      deliveryDraft: draft,
    }),
  )
  return { shipment, saleId: sale.id }
}

/** A post with words that are wider than a phone. */
async function longPost(): Promise<string> {
  await enableModule(acme(), 'marketing')
  const body = `${LONG}\n\n${UNBROKEN.repeat(3)}`
  const post = { title: UNBROKEN, body, authorName: LONG, tags: ['W'.repeat(40)], status: 'published' }
  return done(await acme().post('/account/blog/posts', post)).post.id
}

/** A count in which one line differs. */
async function openCount(outletId: string, variantId: string): Promise<string> {
  const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
  done(await acme().post(`/stock-counts/${id}/lines`, { lines: [{ variantId, quantity: 7 }] }))
  return id
}

/** A printer with a drawer whose test page failed, because no program listens at its port. */
async function failedPrinter(outletId: string): Promise<string> {
  const { id } = done(
    await acme().post('/printers', {
      outletId,
      kind: 'NETWORK',
      name: LONG,
      host: '127.0.0.1',
      port: await unusedPort(),
      opensDrawer: true,
      stations: ['Dapur panas', UNBROKEN.slice(0, 40)],
    }),
  ).printer
  done(await acme().post(`/printers/${id}/drawer`, { reason: LONG }))
  done(await acme().post(`/printers/${id}/test`))
  const worker = startPrinting(deps(), { lookEveryMs: 20 })
  const states = async () =>
    done(await acme().get(`/print-jobs?printerId=${id}`)).map((job: { status: string }) => job.status)
  await vi.waitFor(async () => expect(await states()).toEqual(['failed', 'failed']), 30_000)
  await worker.stop()
  return id
}

const TAGS = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** Another theme changes the colours of a page and nothing else. */
const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

async function violations(page: Page, where: string, rules: typeof TAGS): Promise<string[]> {
  const found = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(rules)} })`)) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return found.violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes[0]?.html.slice(0, 200)}`)
}

const hasSidewaysScroll = (page: Page) =>
  page.evaluate(
    "[document.documentElement, ...document.querySelectorAll('main div')].some((it) => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).overflowX !== 'visible' && !it.classList.contains('truncate'))",
  ) as Promise<boolean>

/** Opens a view and waits until nothing is being loaded. */
async function open(page: Page, view: string) {
  await page.goto(address() + view)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** Each view on every screen takes ten minutes, and longer on a busy machine: WEB_LONG=1. Else each is seen on one of them, in turn. */
const isLong = process.env['WEB_LONG'] !== undefined
const TIMEOUT_MS = isLong ? 2_400_000 : 600_000
const isSeen = (view: string, screen: Screen) =>
  isLong || views.indexOf(view) % SCREENS.length === SCREENS.indexOf(screen)

const SCREENS = [390, 1_280].flatMap((width) =>
  (['id', 'en'] as const).map((language): Screen => ({ width, height: width === 390 ? 844 : 800, language })),
)

describeInChromium('every page of the back office', (browser) => {
  for (const screen of SCREENS)
    it(
      `has nothing for axe to find in either theme, and never scrolls sideways, not even at 320 px: ${screen.width} px, ${screen.language}`,
      async () => {
        const found: string[] = []
        const { page, strangers, complaints } = await visit(browser(), screen)
        // Colours change without a transition, so that none is judged half way.
        await page.emulateMedia({ reducedMotion: 'reduce' })
        for (const view of views.filter((each) => isSeen(each, screen))) {
          await open(page, view)
          await page.evaluate(AXE)
          for (const [theme, rules] of [
            ['dark', COLOUR_RULES],
            ['light', TAGS],
          ] as const) {
            await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
            found.push(...(await violations(page, `${view}, ${theme}`, rules)))
            const name = view.replaceAll(/[^a-z]+/g, '-').slice(0, 40)
            await photograph(page, `office${name}-${screen.width}-${theme}-${screen.language}`)
          }
          for (const width of [screen.width, 320]) {
            await page.setViewportSize({ width, height: screen.height })
            await page.evaluate(
              'new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))',
            )
            if (await hasSidewaysScroll(page)) found.push(`${view}: scrolls sideways at ${width} px`)
          }
          await page.setViewportSize(screen)
        }
        expect([...found, ...strangers, ...complaints]).toEqual([])
      },
      TIMEOUT_MS,
    )
})
