import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeVisit } from '../../src/areas/selling/customers/statements-loyalty.ts'
import { settleMoves } from '../../src/areas/selling/gift-cards/jobs.ts'
import { hasToTell } from '../../src/areas/selling/promotions/worker.ts'
import { finishCloses } from '../../src/areas/selling/shifts/service.ts'
import { encodeCursor } from '../../src/core/cursor.ts'
import { newId } from '../../src/core/ids.ts'
import { jobs as allJobs } from '../../src/jobs.ts'
import { namedWrite } from '../../src/platform/db/open.ts'
import { LEASE } from '../../src/platform/webhooks/statements.ts'
import { due } from '../../src/platform/webhooks/store-dispatch.ts'
import {
  makeCard,
  makeCustomer,
  makeOutlet,
  makePurchaseOrder,
  makeSale,
  openBill,
  openShift,
  openShop,
  type Shop,
  stock,
} from '../support/build.ts'
import { scopeOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { fillTable } from '../support/fill.ts'
import { forgetLooks, look, lookNoMore } from '../support/looks.ts'
import { allPlans, looksOf, withClient } from '../support/plans.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ synthetic: true, env: { SALES_TOGETHER: '1' } })

const ROWS = 20_000
/** Pages that one page of a list may touch; all of any of these tables is twice as many and more. */
const FEW = 250

/** A made id, in the order of `n`. */
const made = (prefix: string) => `'${prefix}_7' || lpad(n::text, 25, '0')`
const TXN = made('txn')

/** How the one row of each table is multiplied: what tells its copies apart, in SQL over their number `n`. */
const COPIES: Readonly<Record<string, Record<string, string>>> = {
  sales: { id: TXN, number: 'n::text' },
  sale_items: { id: made('itm'), sale_id: TXN },
  payments: { id: made('pay'), sale_id: TXN },
  shifts: {
    id: made('shf'),
    status: `'CLOSED'`,
    closed_at: 'now()',
    closed_by: `'usr_1'`,
    counted_cash: '0',
    summary: `'{}'::jsonb`,
  },
  customers: { id: made('cus'), name: `'Ibu ' || md5(n::text)`, phone: 'null', phone_key: 'md5(n::text)' },
  loyalty_entries: { id: made('loy') },
  customer_credit_entries: { id: made('cce'), open: '0' },
  gift_cards: { id: made('gft'), code: `'C' || n`, code_key: `'C' || n` },
  gift_card_entries: { id: made('gfe') },
  purchase_orders: { id: made('po'), number: `'P' || n` },
  products: { id: made('prd'), name: `'Barang ' || md5(n::text)` },
  variants: { id: made('var'), product_id: made('prd'), sku: `'S-' || n`, barcode: `'899' || n` },
  stock_levels: { id: made('lvl'), variant_id: made('var') },
  stock_movements: { id: made('stk') },
  events: { id: made('evt'), type: `'service.sale.completed.v1'`, ref_id: TXN },
  idempotency_keys: { key: `'k' || n` },
}
const TABLES = [
  ...Object.keys(COPIES),
  'gift_card_moves',
  'webhook_deliveries',
  'stock_batches',
  'refunds',
  'cash_movements',
  'outlets',
]

async function multiply(client: pg.Client, table: string) {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const columns = rows.map(({ name }) => name)
  const values = columns.map((name) => COPIES[table]?.[name] ?? `r.${name}`)
  await fillTable(
    client,
    table,
    `insert into ${table} (${columns.join()}) select ${values.join()} from (select * from ${table}
      where account_id = $1 order by created_at limit 1) r, generate_series(1, ${ROWS}) n`,
    [acme().workspace.accountId],
  )
}

/** What no route leaves behind by itself: deliveries of one endpoint that arrived, and money that a partner refused. */
async function fillOthers(client: pg.Client) {
  const account = [acme().workspace.accountId]
  await fillTable(
    client,
    'webhook_deliveries',
    `insert into webhook_deliveries (account_id, id, subscription_id, event_id, type, status, attempts, by_hand,
        attempt_log, created_at, updated_at)
      select $1, ${made('whd')}, 'whk_busy', 'evt_1', 'service.sale.completed.v1', 'succeeded', 1, false, '[]', now(), now()
      from generate_series(1, ${ROWS}) n`,
    account,
  )
  await fillTable(
    client,
    'stock_batches',
    `insert into stock_batches (account_id, id, outlet_id, variant_id, batch_no, expiry_date, received_qty, remaining_qty,
        created_at, updated_at)
      select $1, ${made('bat')}, '${shop.outletId}', ${made('var')}, 'B' || n, current_date + n % 1000, 1, 1, now(), now()
      from generate_series(1, ${ROWS}) n`,
    account,
  )
  await fillTable(
    client,
    'gift_card_moves',
    `insert into gift_card_moves (account_id, id, kind, gift_card_id, partner_place, partner_card_id, amount, asked, state,
        due_at, created_at, updated_at)
      select $1, ${made('gcm')}, 'CREDIT', 'gft_1', 'p', 'c', 1, '{}', 'REFUSED', now() - interval '1 day', now(), now()
      from generate_series(1, ${ROWS}) n`,
    account,
  )
}

let shop: Shop
let busy = { customer: '', sale: '', card: '' }

const oneOfEach = async () => {
  shop = await openShop(acme())
  const customer = await makeCustomer(acme(), { name: 'Ibu', phone: '0811111111', creditLimit: 1_000 })
  await stock(acme(), shop.outletId, shop.cake, 10)
  await openShift(acme(), shop.outletId)
  const items = [{ variantId: shop.bag, quantity: 1 }]
  const sale = await makeSale(acme(), { outletId: shop.outletId, items, customerId: customer })
  await makePurchaseOrder(acme(), { outletId: shop.outletId, items: [{ variantId: shop.cake, qty: 1 }] })
  const points = { points: 5, reason: 'Welcome' }
  done(await acme().post(`/customers/${customer}/loyalty/adjust`, points, { idempotencyKey: 'one' }))
  const bill = await openBill(acme(), { outletId: shop.outletId, items, customerId: customer })
  done(await acme().post(`/sales/${bill.id}/payments`, { method: 'CREDIT', amount: 100 }))
  busy = { customer, sale: sale.id, card: (await makeCard(acme(), 5_000, { customerId: customer })).code }
}

let quiet = { outletId: '', customer: '', card: '' }

const quietOnes = async () => {
  const outletId = await makeOutlet(acme(), { name: 'Quiet' })
  const customer = await makeCustomer(acme(), { name: 'Quiet' })
  await openShift(acme(), outletId)
  quiet = { outletId, customer, card: (await makeCard(acme(), 5_000, { customerId: customer })).code }
}

const deep = (prefix: string) =>
  encodeCursor({ createdAt: '2026-01-01T00:00:00.000Z', id: `${prefix}_7${'1000'.padStart(25, '0')}` })

/** Lists and searches whose tables grow for years, asked for what is rare and for what is frequent. */
const asked = () => [
  '/sales',
  ...[shop.outletId, quiet.outletId].flatMap((id) => [
    `/sales?outletId=${id}`,
    `/sales?outletId=${id}&status=COMPLETED`,
    `/sales?outletId=${id}&status=PARKED`,
    `/sales?outletId=${id}&status=VOIDED`,
    `/kds?outletId=${id}`,
    `/shifts?outletId=${id}&cursor=${deep('shf')}`,
    `/purchase-orders?outletId=${id}&status=DRAFT&limit=20`,
    `/inventory/batches?outletId=${id}&limit=20`,
    `/inventory/expiring?outletId=${id}&limit=20`,
  ]),
  '/purchase-orders?status=CANCELLED&limit=20',
  '/stock-counts?limit=20',
  `/stock-counts?outletId=${shop.outletId}&status=OPEN&limit=20`,
  `/inventory/levels?outletId=${quiet.outletId}&limit=20`,
  `/sales?outletId=${quiet.outletId}&orderType=DELIVERY`,
  `/sales?outletId=${shop.outletId}&cursor=${deep('txn')}`,
  `/sales?outletId=${shop.outletId}&voidedFrom=2026-01-01&voidedTo=2026-01-02`,
  '/sales?status=PARKED',
  '/sales?status=VOIDED',
  '/sales?status=COMPLETED',
  '/sales?orderType=DELIVERY',
  '/sales?shiftId=shf_1',
  '/sales?tableId=tbl_1',
  '/sales?completedFrom=2026-01-01&completedTo=2026-01-02',
  '/sales?refundedFrom=2026-01-01&refundedTo=2026-01-02',
  ...[busy.customer, quiet.customer].flatMap((id) => [
    `/sales?customerId=${id}`,
    `/sales?customerId=${id}&outletId=${shop.outletId}&status=COMPLETED`,
    `/gift-cards?customerId=${id}&status=ACTIVE`,
  ]),
  `/sales/${busy.sale}/receipt`,
  '/shifts',
  `/shifts/current?outletId=${quiet.outletId}`,
  `/customers/${quiet.customer}/loyalty`,
  `/customers/${quiet.customer}/credit`,
  `/customers/${busy.customer}/loyalty?limit=20`,
  `/customers/${busy.customer}/credit?limit=20`,
  `/customers/${busy.customer}/credit/reminder`,
  '/reports/receivables',
  '/customers?q=quiet&limit=20',
  '/gift-cards',
  '/gift-cards?status=VOIDED',
  `/gift-cards/${quiet.card}`,
  `/gift-cards/${busy.card}`,
  '/products?limit=20',
  '/products/lookup?barcode=8991',
  '/products/lookup?q=S-1999',
  '/products/lookup?q=latte',
  '/webhook-subscriptions/deliveries',
  '/webhook-subscriptions/deliveries?status=failed',
  '/webhook-subscriptions/deliveries?subscriptionId=whk_quiet',
  '/webhook-subscriptions/deliveries?subscriptionId=whk_busy&status=succeeded',
  '/webhook-subscriptions/deliveries?subscriptionId=whk_busy&status=failed',
  '/webhook-subscriptions/deliveries?type=service.sale.voided.v1',
  '/events',
  '/events?type=service.sale.voided.v1',
  '/events?resource=txn_1',
  '/events?order=oldest',
  '/events?order=oldest&resource=txn_1',
]

/** What jobs ask every few seconds, whether anything is due or not. */
const jobs: Readonly<Record<string, () => Promise<unknown>>> = {
  ...Object.fromEntries(
    allJobs.map(({ name, hasWork }) => [`whether ${name} has work`, async () => hasWork?.(deps())]),
  ),
  'which webhooks are due': () => {
    const at = '2026-01-01T00:00:00.000Z'
    const { accountId } = acme().workspace
    return due(deps().db, at, [{ accountId, id: 'whk_busy', room: 10, known: [], ofWorkspace: 0 }], 10)
  },
  'what gift cards are owed': () => settleMoves(deps()),
  'what promotions have ended': () => hasToTell(deps()),
  'which closes were cut off': () => finishCloses(deps()),
}

/** Reads, and no audit trail of them. */
const READS = /^\s*(with|select)\b(?!.*\b(insert into|update)\b)/is

/** Which writes nothing where nothing is due, so it is looked at by running it. */
const lease = () => namedWrite(deps().db, LEASE, ['2026-01-01T00:00:00.000Z', 'process', 60_000, []])

/** A void asks for it while it holds the row of the customer. */
const lastVisit = () =>
  takeVisit(deps().db, scopeOf(acme()), { customerId: busy.customer, saleId: busy.sale })

async function plansOfAll() {
  const all = [
    ...asked().map((path) => [path, async () => done(await acme().get(path))] as const),
    ...Object.entries(jobs),
  ]
  const plans: { what: string; buffers: number; text: string }[] = []
  for (const [what, work] of all)
    for (const plan of await allPlans(READS, work)) plans.push({ what, ...plan })
  for (const plan of await allPlans(/leased_by/, lease)) plans.push({ what: 'who sends webhooks', ...plan })
  for (const plan of await allPlans(/last_visit_at = \(/, lastVisit))
    plans.push({ what: 'the last visit of a customer', ...plan })
  expect(plans.length).toBeGreaterThan(all.length)
  return plans
}

/** Statements of the till: what a sale or a payment is decided from, and what writes it. */
const TILL = ['sale_context', 'sale_context_plain', 'sale_insert', 'sales_write', 'sale_to_pay']

/** Has the till send each of them once. */
async function sellInEveryWay() {
  const { outletId, bag, cake, latte } = shop
  const line = (variantId: string, quantity = 1) => ({ variantId, quantity })
  const sell = async (items: object[], fields: object = {}) =>
    done(await acme().post('/sales', { outletId, items, ...fields }, { idempotencyKey: newId('event') })).sale
  for (const _ of [1, 2]) await sell([line(bag), line(latte)], { status: 'COMPLETED' })
  await sell([line(cake)], { status: 'COMPLETED', customerId: busy.customer })
  await Promise.all([1, 2, 3, 4].map(() => sell([line(bag), line(latte)], { status: 'COMPLETED' })))
  const pay = async (id: string, amount: number) =>
    done(
      await acme().post(
        `/sales/${id}/payments`,
        { method: 'CASH', amount },
        { idempotencyKey: newId('event') },
      ),
    )
  const bill = await sell([line(bag), line(latte)], { status: 'PARKED' })
  await pay(bill.id, 1_000)
  await pay(bill.id, bill.total - 1_000)
  // A bill with a customer is read before it is paid.
  await pay((await sell([line(bag)], { status: 'PARKED', customerId: busy.customer })).id, 100)
}

/** What is compared with every sale and grows with it, so that a plan made before there was any of it must be by key. */
const FROM_THE_START = 'sales payments stock_levels stock_batches stock_movements idempotency_keys'.split(' ')
const FILLED = Object.keys(COPIES)
/** It has the open shifts only. */
const FEW_ROWS = 'shifts_one_open'

/** Where the till's statements look by less than a key. */
async function looseLooks(state: string, tables: readonly string[]) {
  const looks = await looksOf(new RegExp(`^(${TILL.join('|')})$`), sellInEveryWay)
  expect([...new Set(looks.map(({ statement }) => statement))].sort()).toEqual([...TILL].sort())
  return looks
    .filter(({ table, by, columns }) => tables.includes(table) && by !== FEW_ROWS && columns.length < 2)
    .map(
      ({ statement, table, by, columns, plan }) =>
        `${state}: ${statement} looks into ${table} by ${by}(${columns.join()})\n${plan}`,
    )
}

const greedy = async (state: string) =>
  (await plansOfAll()).flatMap(({ what, buffers, text }) =>
    buffers < FEW ? [] : [`${state}: ${what} touches ${buffers} pages\n${text}`],
  )

beforeAll(async () => {
  await withClient((client) => lookNoMore(client, TABLES))
  await oneOfEach()
}, 60_000)

test('empty tables that nothing ever looked at are read by index: the plan is kept while they fill', async () => {
  await withClient((client) => forgetLooks(client, TABLES))
  quiet = { outletId: shop.outletId, customer: busy.customer, card: busy.card }
  const whole = new RegExp(`Seq Scan on (${Object.keys(COPIES).join('|')})\\b`)
  const plans = await plansOfAll()
  expect(plans.filter(({ text }) => whole.test(text)).map(({ what, text }) => `${what}\n${text}`)).toEqual([])
  expect(await looseLooks('empty', FROM_THE_START)).toEqual([])
})

describe(`with ${ROWS} rows of one outlet, one customer and one shift`, () => {
  beforeAll(async () => {
    await withClient(async (client) => {
      for (const table of Object.keys(COPIES)) await multiply(client, table)
      await fillOthers(client)
    })
    await quietOnes()
  }, 120_000)

  test('what is rare is found by few pages, though the planner looked before there was any of it', async () => {
    expect(await greedy('looked before')).toEqual([])
    expect(await looseLooks('looked before', FILLED)).toEqual([])
  })

  test('the same where nothing ever looked', async () => {
    await withClient((client) => forgetLooks(client, TABLES))
    expect(await greedy('never looked')).toEqual([])
    expect(await looseLooks('never looked', FILLED)).toEqual([])
  })

  test('and where the planner knows what is there', async () => {
    await withClient((client) => look(client, TABLES))
    expect(await greedy('has looked')).toEqual([])
    expect(await looseLooks('has looked', FILLED)).toEqual([])
  })
})
