import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../reference-partners/src/payment/routes.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { describeInChromium } from '../../support/browser.ts'
import { printedBy } from '../../support/escpos.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { readPdf } from '../../support/pdf.ts'
import { type Client, clientOf, paid, partner, rowsOf, usePartner } from './partner.ts'

const START = '2026-01-31T03:00:00.000Z'
const DAY_MS = 86_400_000
const clock = manualClock(START)
usePartner({ now: clock.now })

/** A process that starts does at once what is due. */
async function afterDays(days: number, look: () => Promise<unknown>, wanted: unknown) {
  clock.advance(days * DAY_MS)
  const other = await partner().start()
  await expect.poll(look).toEqual(wanted)
  await other.close()
}

async function workspace(externalId: string, name = 'Warung') {
  const { data } = await partner().platform.post('/v1/workspaces', { externalId, name })
  return clientOf(partner().url, data.apiKey)
}

async function subscribed(client: Client, amount = 50_000) {
  const { data: customer } = await client.post('/v1/customers', { name: 'Budi', email: 'budi@example.com' })
  const { data: plan } = await client.post('/v1/plans', {
    name: 'Langganan kopi',
    prices: [{ amount, interval: 'month' }],
  })
  const { data: subscription, status } = await client.post('/v1/subscriptions', {
    customerId: customer.id,
    priceId: plan.prices[0].id,
  })
  expect(status).toBe(201)
  return { customer, plan, subscription }
}

const pay = async (client: Client, invoiceId: string) => {
  const { data: session } = await client.post('/v1/checkout-sessions', { invoiceId })
  await fetch(`${session.hostedUrl}/pay`, { method: 'POST', redirect: 'manual' })
  return session
}

test('a subscription is invoiced, paid, renewed at the end of its month, and ends as it was told', async () => {
  const client = await workspace('acc_story')
  const { customer, subscription } = await subscribed(client)
  const at = () => client.get(`/v1/subscriptions/${subscription.id}`).then(({ data }) => data)
  expect([subscription.status, subscription.currentPeriodEnd]).toEqual(['active', '2026-02-28T03:00:00.000Z'])
  const first = (await client.get(`/v1/invoices/${subscription.latestInvoiceId}`)).data
  expect(first).toMatchObject({
    number: 'INV-2026-000001',
    customerId: customer.id,
    customerName: 'Budi',
    status: 'open',
    total: 50_000,
    dueDate: '2026-02-07',
    lines: [{ quantity: 1, unitAmount: 50_000, amount: 50_000 }],
  })
  const session = await pay(client, first.id)
  expect([session.amount, session.invoiceId, session.description]).toEqual([50_000, first.id, first.number])
  expect((await client.get(`/v1/invoices/${first.id}`)).data).toMatchObject({ status: 'paid', paidAt: START })
  const again = await client.post('/v1/checkout-sessions', { invoiceId: first.id })
  expect([again.status, again.error.code]).toEqual([409, 'CONFLICT'])

  await afterDays(28, async () => (await at()).currentPeriodEnd, '2026-03-31T03:00:00.000Z')
  const second = (await at()).latestInvoiceId
  expect(second).not.toBe(first.id)
  await afterDays(9, async () => (await at()).status, 'past_due')
  await pay(client, second)
  expect((await at()).status).toBe('active')
  const told = await client.post(`/v1/subscriptions/${subscription.id}/cancel`, { atPeriodEnd: true })
  expect([told.data.status, told.data.cancelAtPeriodEnd]).toEqual(['active', true])
  await afterDays(30, async () => (await at()).status, 'canceled')
  const { data: invoices } = await client.get(`/v1/invoices?customerId=${customer.id}`)
  expect(invoices.map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid'])
  const late = await client.patch(`/v1/subscriptions/${subscription.id}`, { cancelAtPeriodEnd: false })
  expect([late.status, late.error.code]).toEqual([409, 'CONFLICT'])
})

test('an invoice has one open session, which pays it once, and none when it is void', async () => {
  const client = await workspace('acc_once')
  const { subscription } = await subscribed(client)
  const invoiceId = subscription.latestInvoiceId
  const opened = await Promise.all([1, 2, 3].map(() => client.post('/v1/checkout-sessions', { invoiceId })))
  expect(new Set(opened.map(({ data }) => data.id)).size).toBe(1)
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  const wrong = await client.post('/v1/checkout-sessions', { invoiceId, amount: 1 })
  expect([wrong.status, wrong.error.param]).toEqual([422, 'amount'])
  await client.post(`/v1/subscriptions/${subscription.id}/cancel`)
  await fetch(`${opened[0]?.data.hostedUrl}/pay`, { method: 'POST', redirect: 'manual' })
  expect((await client.get(`/v1/checkout-sessions/${opened[0]?.data.id}`)).data.status).toBe('failed')
  expect((await client.get(`/v1/invoices/${invoiceId}`)).data.status).toBe('void')
})

test('plans and prices: an inactive one takes nobody, one that was subscribed to is never removed', async () => {
  const client = await workspace('acc_plans')
  const { plan, customer } = await subscribed(client)
  const removed = await client.delete(`/v1/plans/${plan.id}`)
  expect([removed.status, removed.error.code]).toEqual([409, 'CONFLICT'])
  const { data: price } = await client.post(`/v1/plans/${plan.id}/prices`, {
    amount: 500_000,
    interval: 'year',
  })
  expect((await client.patch(`/v1/plans/prices/${price.id}`, { active: false })).data.active).toBe(false)
  const refused = await client.post('/v1/subscriptions', { customerId: customer.id, priceId: price.id })
  expect([refused.status, refused.error.param]).toEqual([422, 'priceId'])
  const unknown = await client.post('/v1/subscriptions', { customerId: 'cus_x', priceId: price.id })
  expect([unknown.status, unknown.error.param]).toEqual([404, 'customerId'])
  const { data: other } = await client.post('/v1/plans', { name: 'Kosong' })
  expect((await client.patch(`/v1/plans/${other.id}`, { name: 'Lain', active: false })).data).toMatchObject({
    name: 'Lain',
    active: false,
    prices: [],
  })
  expect((await client.delete(`/v1/plans/${other.id}`)).data).toEqual({ id: other.id, deleted: true })
  expect((await client.get(`/v1/plans/${other.id}`)).status).toBe(404)
})

test('customers: what is sent changes, null clears, the rest stays', async () => {
  const client = await workspace('acc_customers')
  const { data } = await client.post('/v1/customers', { name: 'Siti', phone: '08123456789' })
  const { data: changed } = await client.patch(`/v1/customers/${data.id}`, {
    phone: null,
    email: 'siti@example.com',
  })
  expect(changed).toMatchObject({ name: 'Siti', phone: null, email: 'siti@example.com' })
  const refused = await client.post('/v1/customers', { name: 'Siti', email: 'no address' })
  expect([refused.status, refused.error.param]).toEqual([400, 'email'])
})

test('a payout sets money aside, brings it back when it fails, and never exceeds the balance', async () => {
  const client = await workspace('acc_payouts')
  const none = await client.post('/v1/payouts', { amount: 10_000 })
  expect([none.status, none.error.code]).toEqual([409, 'CONFLICT'])
  expect((await client.get('/v1/payouts/bank-account')).data).toEqual({ bankAccount: null })
  const bank = { bankName: 'BCA', accountNumber: '123 456-7890', accountHolder: 'Budi' }
  expect((await client.put('/v1/payouts/bank-account', bank)).data.bankAccount).toMatchObject(bank)
  await paid(client, { amount: 100_000, method: 'qris' })
  const balance = async () => (await client.get('/v1/payouts/balance')).data
  expect(await balance()).toEqual({ currency: 'IDR', balance: 99_300, inTransit: 0 })
  const over = await client.post('/v1/payouts', { amount: 99_301 })
  expect([over.status, over.error.param]).toEqual([422, 'amount'])
  const tries = await Promise.all([1, 2, 3, 4].map(() => client.post('/v1/payouts', { amount: 40_000 })))
  expect(tries.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
  expect(await balance()).toEqual({ currency: 'IDR', balance: 19_300, inTransit: 80_000 })
  const [one, two] = tries.filter(({ status }) => status === 201).map(({ data }) => data)
  expect(one.bankAccount).toEqual({ bankName: 'BCA', accountLast4: '7890', accountHolder: 'Budi' })
  const move = (id: string, status: string) => client.patch(`/v1/payouts/${id}`, { status })
  expect((await move(one.id, 'paid')).error.code).toBe('CONFLICT')
  await move(one.id, 'processing')
  const settled = await Promise.all([1, 2, 3].map(() => move(one.id, 'paid')))
  expect(settled.map(({ data }) => data.status)).toEqual(['paid', 'paid', 'paid'])
  await move(two.id, 'processing')
  const failed = await client.patch(`/v1/payouts/${two.id}`, {
    status: 'failed',
    failureReason: 'Rekening tutup',
  })
  expect([failed.data.status, failed.data.failureReason]).toEqual(['failed', 'Rekening tutup'])
  expect(await balance()).toEqual({ currency: 'IDR', balance: 59_300, inTransit: 0 })
  const { data: entries } = await client.get('/v1/ledger/entries')
  expect(
    entries.map(({ type, amount, balanceAfter }: Record<string, unknown>) => [type, amount, balanceAfter]),
  ).toEqual([
    ['payout_failure', 40_000, 59_300],
    ['payout', -40_000, 19_300],
    ['payout', -40_000, 59_300],
    ['fee', -700, 99_300],
    ['payment', 100_000, 100_000],
  ])
  expect((await client.get(`/v1/ledger/entries/${entries[3].id}`)).data.sourceId).toBe(entries[4].sourceId)
  const { data: ledger } = await client.get('/v1/ledger/balance')
  expect(ledger.accounts).toEqual({ clearing: -60_000, balance: 59_300, fees: 700, payouts: 0 })
  const types = () =>
    partner()
      .receiver.received.map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.workspaceExternalId === 'acc_payouts' && data.payout)
      .map(({ type, data }) => [type, data.payout.id])
  await expect
    .poll(() => types().toSorted())
    .toEqual([
      ['payout.failed', two.id],
      ['payout.paid', one.id],
    ])

  clock.advance(1)
  const { data: pnl } = await client.get('/v1/reports/pnl')
  expect(pnl).toMatchObject({
    payments: 1,
    gross: 100_000,
    fees: 700,
    net: 99_300,
    byMethod: [{ method: 'qris', net: 99_300 }],
  })
  const { data: flow } = await client.get('/v1/reports/cash-flow')
  expect(flow).toMatchObject({
    opening: 0,
    payments: 100_000,
    fees: 700,
    payouts: 80_000,
    returned: 40_000,
    closing: 59_300,
  })
  const { data: later } = await client.get(`/v1/reports/cash-flow?from=${clock.now()}&to=2027-01-01`)
  expect([later.opening, later.closing, later.days]).toEqual([59_300, 59_300, []])
  const wrong = await client.get('/v1/reports/pnl?from=yesterday')
  expect([wrong.status, wrong.error.param]).toEqual([400, 'from'])
})

test('whatever happens at once, every account is the sum of its transfers and all of them together are zero', async () => {
  const client = await workspace('acc_history')
  await client.put('/v1/payouts/bank-account', {
    bankName: 'BRI',
    accountNumber: '123456',
    accountHolder: 'A',
  })
  // A fixed sequence (Park and Miller): a history that fails comes again.
  let seed = 20_261_122
  const draw = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const act = draw(4)
        const amount = 10_000 + draw(200_000)
        if (act < 2) return paid(client, { amount, method: act === 0 ? 'qris' : 'va' })
        const { data } = await client.post('/v1/payouts', { amount })
        if (!data) return
        if (draw(2) === 0) return client.patch(`/v1/payouts/${data.id}`, { status: 'canceled' })
        await client.patch(`/v1/payouts/${data.id}`, { status: 'processing' })
        return client.patch(`/v1/payouts/${data.id}`, { status: draw(2) === 0 ? 'paid' : 'failed' })
      }),
    )
  }
  expect(
    await rowsOf(`select b.workspace_id, b.currency, b.account from reference_payment.ledger_balances b
      where b.balance <> (select coalesce(sum(case when t.to_account = b.account then t.amount else -t.amount end), 0)
        from reference_payment.ledger_transfers t where t.workspace_id = b.workspace_id and t.currency = b.currency
          and b.account in (t.from_account, t.to_account))`),
  ).toEqual([])
  expect(
    await rowsOf(
      'select workspace_id from reference_payment.ledger_balances group by workspace_id, currency having sum(balance) <> 0',
    ),
  ).toEqual([])
  const { data: entries } = await client.get('/v1/ledger/entries?limit=100')
  expect(entries.length).toBeGreaterThan(30)
  const broken = entries.filter(
    (entry: { balanceAfter: number; amount: number }, at: number) =>
      entry.balanceAfter - entry.amount !== (entries[at + 1]?.balanceAfter ?? 0),
  )
  expect(broken).toEqual([])
})

test('the database itself refuses to change or remove what is booked, and a booking between other accounts', async () => {
  for (const text of [
    'update reference_payment.ledger_transfers set amount = 1',
    'delete from reference_payment.ledger_transfers',
    `update reference_payment.ledger_balances set balance = -1 where account = 'balance'`,
    `insert into reference_payment.ledger_transfers select workspace_id, 'led_x', 'payment', currency, 'fees', 'balance', 1, 0, 0,
      'x', now(), 1000000 from reference_payment.ledger_transfers limit 1`,
  ]) {
    await expect(rowsOf(text)).rejects.toThrow(/only added to|check constraint/)
  }
})

describe('what leaves for paper, spreadsheets and mail', () => {
  const EVIL = '=HYPERLINK("http://evil.example")<b>Ibu</b>\u001bp Żółć 王小明 https://evil.example'

  async function receipt() {
    const client = await workspace('acc_paper', EVIL)
    await paid(client, { amount: 25_000, method: 'qris', description: EVIL })
    const [newest] = (await client.get('/v1/receipts')).data
    return { client, receipt: newest }
  }

  test('a receipt is a page, bytes of a printer and a PDF, and in none of them a name is more than text', async () => {
    const { client, receipt: made } = await receipt()
    expect(made).toMatchObject({ amount: 25_000, method: 'qris' })
    expect((await client.get(`/v1/receipts/${made.id}`)).data).toEqual(made)
    const page = await client.get(`/v1/receipts/${made.id}/html?width=58&lang=en`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('&lt;b&gt;Ibu&lt;/b&gt;')
    expect(page.text).toContain('王小明')
    expect(page.text).not.toContain('<b>')
    const bytes = await client.get(`/v1/receipts/${made.id}/escpos?width=58`)
    expect(bytes.headers.get('content-type')).toBe('application/octet-stream')
    const { lines, cuts } = printedBy(bytes.bytes)
    expect([cuts, lines.some(({ text }) => text.includes('Rp 25.000'))]).toEqual([1, true])
    for (const width of ['58', '80', 'a4']) {
      const pdf = await client.get(`/v1/receipts/${made.id}/pdf?width=${width}`)
      expect(pdf.headers.get('content-type')).toBe('application/pdf')
      const { pages } = readPdf(pdf.bytes)
      const said = pages.flatMap(({ texts }) => texts.map(({ text }) => text)).join(' ')
      expect(said).toContain('Rp 25.000')
      // Letters that the standard fonts lack lose their marks, or are question marks.
      expect(said).toContain('Zólc ???')
    }
  })

  test('an invoice is a page, a PDF and a row of a CSV that no spreadsheet runs', async () => {
    const client = await workspace('acc_invoices', 'Toko')
    const { data: customer } = await client.post('/v1/customers', { name: '=1+1' })
    const { data: plan } = await client.post('/v1/plans', {
      name: 'P',
      prices: [{ amount: 7, interval: 'year' }],
    })
    const body = { customerId: customer.id, priceId: plan.prices[0].id }
    const { data: subscription } = await client.post('/v1/subscriptions', body)
    const page = await client.get(`/v1/invoices/${subscription.latestInvoiceId}/html`)
    expect(page.text).toContain('TAGIHAN')
    const pdf = await client.get(`/v1/invoices/${subscription.latestInvoiceId}/pdf`)
    expect([pdf.headers.get('content-type'), readPdf(pdf.bytes).papers]).toEqual([
      'application/pdf',
      [[595, 842]],
    ])
    const csv = await client.get('/v1/invoices/export.csv?status=open')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text).toMatch(
      /^number,createdAt,dueDate,customerId,customerName,status,currency,total,paidAt\r\n/,
    )
    expect(parse(csv.text, { columns: true })).toMatchObject([
      { customerName: "'=1+1", total: '7', paidAt: '' },
    ])
  })

  test('the ledger as CSV is the whole list', async () => {
    const client = await workspace('acc_csv')
    await paid(client, { amount: 10_000, method: 'va' })
    const csv = await client.get('/v1/ledger/entries.csv')
    expect(parse(csv.text, { columns: true })).toMatchObject([
      { type: 'fee', amount: '-4000', balanceAfter: '6000' },
      { type: 'payment', amount: '10000', balanceAfter: '10000' },
    ])
  })

  test('a receipt is mailed by the mail server, three times a day, and its names carry no link', async () => {
    const { client, receipt: made } = await receipt()
    const mailbox = await startMailbox()
    const mail = { smtpUrl: mailbox.url, from: 'shop@example.com', dir: '/nonexistent' }
    const other = await partner().start({ mail })
    const mailing = clientOf(other.url, client.key)
    const send = () => mailing.post(`/v1/receipts/${made.id}/email`, { email: 'budi@example.com' })
    const first = await send()
    expect([first.status, first.data]).toEqual([202, { receiptId: made.id, email: 'budi@example.com' }])
    await expect.poll(() => mailbox.received.map(({ to }) => to)).toEqual([['budi@example.com']])
    expect(mailbox.received[0]?.text).toContain(made.number)
    expect(mailbox.received[0]?.text).not.toContain('evil.example')
    const more = [await send(), await send(), await send()]
    expect(more.map(({ status }) => status)).toEqual([202, 202, 429])
    await expect.poll(() => mailbox.received.length).toBe(3)
    await expect
      .poll(() => rowsOf('select recipient from reference_payment.mails where recipient is not null'))
      .toEqual([])
    await other.close()
    await mailbox.stop()
  })
})

describeInChromium('the page of a payer', (browser) => {
  test('fits the narrowest phone with the longest names, and pays by a tap without a script', async () => {
    const client = await workspace('acc_phone', `Toko ${'W'.repeat(110)}`)
    const { data: session } = await client.post('/v1/checkout-sessions', {
      amount: 1_000_000_000,
      method: 'va',
      description: 'Pesanan '.repeat(30) + 'M'.repeat(60),
      returnUrl: 'https://shop.example/done',
    })
    const context = await browser().newContext({
      viewport: { width: 320, height: 568 },
      javaScriptEnabled: false,
      locale: 'en-GB',
    })
    const page = await context.newPage()
    await page.goto(session.hostedUrl)
    expect(await page.locator('html').evaluate((html) => html.scrollWidth <= 320)).toBe(true)
    expect(await page.locator('button').count()).toBe(2)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Paid')
    expect(await page.locator('button').count()).toBe(0)
    await context.close()
  })
})

test('a gift card gives what it holds and no more, however many ask at once, and takes back until it is voided', async () => {
  const client = await workspace('acc_cards')
  const { data: card, status } = await client.post('/v1/gift-cards', { amount: 100_000, code: 'lebaran-26' })
  expect([status, card.code, card.status, card.kind]).toEqual([201, 'LEBARAN-26', 'ACTIVE', 'GIFT_CARD'])
  const taken = await client.post('/v1/gift-cards', { amount: 1, code: 'LEBARAN26' })
  expect([taken.status, taken.error.param]).toEqual([409, 'code'])
  expect((await client.post('/v1/gift-cards', { amount: 1, code: 'a_b_c' })).error.param).toBe('code')
  expect((await client.post('/v1/gift-cards', { amount: 1 })).data.code).toMatch(
    /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/,
  )
  const move = (verb: string, amount: number, key: string) =>
    client.post(`/v1/gift-cards/${card.id}/${verb}`, { amount, reference: key }, { 'idempotency-key': key })
  const debits = await Promise.all(
    ['a', 'a', 'b', 'c', 'd'].map((key) => move('debit', 40_000, `pay_${key}`)),
  )
  expect(
    debits.filter((answer) => answer.status === 422).every(({ error }) => error.param === 'amount'),
  ).toBe(true)
  const late = await client.get('/v1/gift-cards/Lebaran26')
  expect(late.data.balance).toBe(20_000)
  expect((await move('debit', 20_001, 'pay_e')).error.param).toBe('amount')
  expect((await move('debit', 20_000, 'pay_f')).data.status).toBe('REDEEMED')
  expect((await move('credit', 5_000, 'back')).data).toMatchObject({ status: 'ACTIVE', balance: 5_000 })
  const voided = await client.post(`/v1/gift-cards/${card.id}/void`)
  expect([voided.data.writtenOff, voided.data.giftCard.status]).toEqual([5_000, 'VOIDED'])
  for (const again of [
    await client.post(`/v1/gift-cards/${card.id}/void`),
    await move('credit', 1, 'too-late'),
  ])
    expect([again.status, again.error.code]).toEqual([409, 'CONFLICT'])
  const { entries } = (await client.get('/v1/gift-cards/LEBARAN-26')).data
  expect(
    entries.map(({ type, amount, balanceAfter }: Record<string, unknown>) => [type, amount, balanceAfter]),
  ).toEqual([
    ['VOID', -5_000, 0],
    ['REFUND', 5_000, 5_000],
    ['REDEEM', -20_000, 0],
    ['REDEEM', -40_000, 20_000],
    ['REDEEM', -40_000, 60_000],
    ['ISSUE', 100_000, 100_000],
  ])
})

test('nothing of a workspace is there for another', async () => {
  const { acme, globex } = partner()
  const { customer, plan, subscription } = await subscribed(acme)
  await paid(acme, { amount: 100_000, method: 'qris' })
  await acme.put('/v1/payouts/bank-account', { bankName: 'BRI', accountNumber: '123456', accountHolder: 'A' })
  const { data: payout } = await acme.post('/v1/payouts', { amount: 10_000 })
  const { data: card } = await acme.post('/v1/gift-cards', { amount: 1_000, code: 'ACME-CARD' })
  expect((await globex.get('/v1/gift-cards/ACME-CARD')).status).toBe(404)
  const first = async (path: string) => (await acme.get(path)).data[0].id
  const ids: Record<string, string> = {
    'checkout-sessions': await first('/v1/checkout-sessions'),
    plans: plan.id,
    'plans/prices': plan.prices[0].id,
    subscriptions: subscription.id,
    invoices: subscription.latestInvoiceId,
    receipts: await first('/v1/receipts'),
    customers: customer.id,
    payouts: payout.id,
    'ledger/entries': await first('/v1/ledger/entries'),
    'gift-cards': card.id,
  }
  const bodies: Record<string, unknown> = {
    'plans.addPrice': { amount: 1, interval: 'month' },
    'plans.updatePrice': { active: false },
    'receipts.email': { email: 'a@example.com' },
    'payouts.update': { status: 'canceled' },
    'giftCards.debit': { amount: 1 },
    'giftCards.credit': { amount: 1 },
  }
  const own = routes.filter(({ path }) => path.includes('{'))
  expect(own.length).toBeGreaterThan(20)
  for (const row of own) {
    const family = row.path.slice(1, row.path.indexOf('/{'))
    const path = `/v1${row.path.replace(/\{\w+\}/, ids[family] ?? `no id for ${family}`)}`
    const body = row.body ? (bodies[row.name] ?? {}) : undefined
    const send = {
      GET: globex.get,
      DELETE: globex.delete,
      POST: globex.post,
      PATCH: globex.patch,
      PUT: globex.put,
    }
    const answer = await send[row.method](path, body as never)
    expect([row.name, answer.status, answer.error?.code]).toEqual([row.name, 404, 'NOT_FOUND'])
  }
  for (const list of routes.filter(({ page }) => page)) {
    expect([list.name, (await globex.get(`/v1${list.path}`)).data]).toEqual([list.name, []])
  }
  const refused = await globex.post('/v1/subscriptions', {
    customerId: customer.id,
    priceId: plan.prices[0].id,
  })
  expect([refused.status, refused.error.param]).toEqual([404, 'customerId'])
})
