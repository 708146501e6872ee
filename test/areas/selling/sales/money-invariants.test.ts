import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '../../../../src/platform/db/invariants.ts'
import { inTx, type Tx } from '../../../../src/platform/db/open.ts'
import { makeProduct, openShop } from '../../../support/build.ts'
import { assertInvariants, done, saleOf } from '../../../support/expect.ts'
import { acme, deps, useService } from '../../../support/service.ts'

useService()

/** A dine-in sale at two rates with a service charge, paid in rounded cash and refunded in part. */
beforeAll(async () => {
  const { outletId, latte } = await openShop(acme(), {
    taxRateBps: 1_000,
    serviceChargeBps: 500,
    cashRounding: { step: 100, mode: 'NEAREST' },
  })
  const rice = await makeProduct(acme(), { name: 'Beras', taxRateBps: 1_100, variants: [{ price: 20_003 }] })
  const sale = saleOf(
    await acme().post('/sales', {
      outletId,
      orderType: 'DINE_IN',
      items: [
        { variantId: latte, quantity: 2 },
        { variantId: rice.variants[0].id, quantity: 1 },
        { name: 'Bungkus', unitPrice: 1_234, quantity: 1 },
      ],
      status: 'COMPLETED',
    }),
  )
  const [first] = sale.items
  done(await acme().post(`/sales/${sale.id}/refund`, { lines: [{ transactionItemId: first.id, qty: 2 }] }))
  done(await acme().post(`/sales/${sale.id}/refund`, { amount: 1_234 }))
  const voucher = { name: 'Hemat', kind: 'PERCENT', percentBps: 1_000, code: 'HEMAT', usageLimit: 5 }
  done(await acme().post('/promotions', voucher))
  const items = [{ variantId: latte, quantity: 2 }]
  const promoted = { outletId, items, voucherCodes: ['HEMAT'], status: 'COMPLETED' }
  expect(saleOf(await acme().post('/sales', promoted)).promotions).toMatchObject([{ amount: 3_000 }])
  await assertInvariants(deps().db)
})

class Undo extends Error {}

/** The sentences that a change breaks; the change is undone. */
async function brokenBy(change: string): Promise<string[]> {
  let names: string[] = []
  const work = async (tx: Tx) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- a test may write what no store writes
    await sql.raw(change).execute(tx as any)
    names = (await brokenInvariants(tx as never, ['sales'])).map(({ name }) => name)
    throw new Undo()
  }
  await inTx(deps().db, work).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error
  })
  return names
}

/** SQL that adds 1 to a field of the first element, without to_jsonb: Citus allows only immutable functions in an update. */
const first = (column: string, field: string) =>
  `jsonb_set(${column}, '{0,${field}}', ((${column} -> 0 ->> '${field}')::bigint + 1)::text::jsonb)`
const PROMOTION = 'each promotion of a sale is the sum of its parts of the active lines'
const USES = 'a promotion counts the completed sales that used it'
const RATES =
  'base and tax of each rate of a sale are those of its lines of the rate, and of its taxed service charge at the rate of the sale'
const SERVICE = 'the service charge of a sale is its rate of its base, and its lines share it with its tax'
const CASH =
  'cash that is rounded makes a multiple of the step of its sale, and differs by less than the step'
const REFUND_PARTS = 'refunds of a sale are what the sale says, part by part, and never more than it cost'

test.each([
  [
    'service_charge_amount of a sale',
    'update sales set service_charge_amount = service_charge_amount + 1',
    SERVICE,
  ],
  ['service_charge_tax of a sale', 'update sales set service_charge_tax = service_charge_tax + 1', SERVICE],
  [
    'service_charge_base of a sale',
    'update sales set service_charge_base = service_charge_base + 1',
    SERVICE,
  ],
  ['service_share of an item', 'update sale_items set service_share = service_share + 1', SERVICE],
  [
    'the amount of a promotion of a sale',
    `update sales set promotions = ${first('promotions', 'amount')}`,
    PROMOTION,
  ],
  [
    'the part of an item in a promotion',
    `update sale_items set promotions = ${first('promotions', 'amount')}`,
    PROMOTION,
  ],
  [
    'promotion_share of an item',
    'update sale_items set promotion_share = promotion_share + 1 where promotions is not null',
    'the share of a line in promotions is the sum of its parts',
  ],
  ['used_count of a promotion', 'update promotions set used_count = used_count + 1', USES],
  ['the use of a promotion', 'delete from promotion_uses', USES],
  [
    'the sale of a use',
    "update promotion_uses set sale_id = sale_id || '1'",
    'only a completed sale uses a promotion',
  ],
  ['the tax of a rate of a sale', `update sales set taxes = ${first('taxes', 'tax')}`, RATES],
  ['the base of a rate of a sale', `update sales set taxes = ${first('taxes', 'base')}`, RATES],
  [
    'the tax of an item',
    'update sale_items set tax_amount = tax_amount + 1, line_total = line_total + 1',
    RATES,
  ],
  [
    'the rates of a sale, which are left out',
    'update sales set taxes = null',
    'a sale that lists no rates has one rate and no service charge',
  ],
  ['the rounding of a payment', 'update payments set rounding = rounding + 1', CASH],
  [
    'rounding_total of a sale',
    'update sales set rounding_total = rounding_total + 1',
    'the rounding of a sale is that of its tenders',
  ],
  [
    'the rounding of a refund',
    'update refunds set rounding = rounding + 1',
    'cash of a refund is rounded by the rule of its sale, and a void or discard returns the rounding that came in',
  ],
  [
    'the service charge of a refund',
    'update refunds set service = service + 1, goods = goods - 1',
    REFUND_PARTS,
  ],
  ['refunded_service of a sale', 'update sales set refunded_service = refunded_service + 1', REFUND_PARTS],
  [
    'the service charge of a refunded line',
    'update refund_lines set service = service + 1',
    'no line is refunded beyond what was sold, and its refunds are its lines of refunds',
  ],
  [
    'the tax of a rate of a refund',
    `update refunds set taxes = ${first('taxes', 'tax')}`,
    'the tax of a refund is that of its rates',
  ],
  [
    'the stock of an open item',
    'update sale_items set moved_stock = true where variant_id is null',
    'an open item moves no stock',
  ],
])('the invariants find a change of %s', async (_, change, sentence) => {
  expect(await brokenBy(change)).toContain(sentence)
})

test('the invariants find a rate that gives back more tax than it took', async () => {
  const change = `update refunds set taxes = jsonb_set(taxes, '{1,tax}', '99999')`
  expect(await brokenBy(change)).toContain('no rate gives back more tax than it took')
})
