import pg from 'pg'
import { expect } from 'vitest'
import { brokenInvariants } from '../../src/platform/db/invariants.ts'
import { openDb } from '../../src/platform/db/open.ts'
import { OPENING_STOCK } from '../support/tills.ts'
import type { FaultRow } from './fault.ts'
import { expectedCash, type FaultLedger, type FaultShop, type Tills } from './tills.ts'

export async function queryRows<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

/**
 * Every acknowledged sale is in the books once and there is no other. Stock, the cash of the shift and the events follow
 * from these sales alone, and every invariant holds. Call it once the tills are closed.
 */
export async function expectBooks(
  url: string,
  shop: FaultShop,
  { ledger }: Pick<Tills, 'ledger'>,
  row: FaultRow,
) {
  const stored = await queryRows<{ id: string; status: string }>(
    url,
    'select id, status from sales where outlet_id = $1',
    [shop.outletId],
  )
  const statuses = new Map(stored.map(({ id, status }) => [id, status]))
  const sales = [...ledger.sales.values()]
  const ids = new Set(sales.map(({ id }) => id))
  const lost = sales.filter(({ id, isVoided }) => statuses.get(id) !== (isVoided ? 'VOIDED' : 'COMPLETED'))
  const unknown = stored.filter(({ id }) => !ids.has(id))
  row.acknowledged = (row.acknowledged ?? 0) + ledger.acknowledgements.length
  row.lost = (row.lost ?? 0) + lost.length
  row.doubled = (row.doubled ?? 0) + unknown.length + (sales.length - ids.size)
  row.unexplained = (row.unexplained ?? 0) + ledger.unexplained.length
  expect(lost, 'every acknowledged sale is in the books').toEqual([])
  expect(unknown, 'the books hold no sale that was not acknowledged').toEqual([])
  expect(ids.size, 'each Idempotency-Key leads to its own sale').toBe(sales.length)
  expect(ledger.unexplained, 'every 5xx is a 503 with Retry-After').toEqual([])
  await expectStock(url, shop, ledger)
  await expectEvents(url, shop, ledger)
  const { data } = await shop.call(`/shifts/${shop.shiftId}`)
  expect(data.shift.expectedCash, 'the drawer holds the cash of the sales').toBe(expectedCash(ledger))
  expect(await invariantsIn(url), 'the invariants hold').toEqual([])
}

async function expectStock(url: string, shop: FaultShop, ledger: FaultLedger) {
  const levels = await queryRows<{ variant_id: string; quantity: number }>(
    url,
    'select variant_id, quantity::int as quantity from stock_levels where outlet_id = $1',
    [shop.outletId],
  )
  const kept = [...ledger.sales.values()].filter(({ isVoided }) => !isVoided)
  const expected = shop.variants.map((variantId, index) => [
    variantId,
    kept.reduce((left, { quantities }) => left - (quantities[index] ?? 0), OPENING_STOCK),
  ])
  const found = levels.map(({ variant_id: variantId, quantity }) => [variantId, quantity])
  expect(Object.fromEntries(found), 'the stock lacks what was sold').toEqual(Object.fromEntries(expected))
}

async function expectEvents(url: string, shop: FaultShop, ledger: FaultLedger) {
  const counted = await queryRows<{ ref_id: string; type: string; count: number }>(
    url,
    `select ref_id, type, count(*)::int as count from events
      where type in ('service.sale.completed.v1', 'service.sale.voided.v1')
        and account_id = (select account_id from outlets where id = $1) group by ref_id, type`,
    [shop.outletId],
  )
  const found = counted.map(({ ref_id: id, type, count }) => `${id} ${type} ${count}`).toSorted()
  const expected = [...ledger.sales.values()].flatMap(({ id, isVoided }) => [
    `${id} service.sale.completed.v1 1`,
    ...(isVoided ? [`${id} service.sale.voided.v1 1`] : []),
  ])
  expect(found, 'each sale and each void is announced by one event').toEqual(expected.toSorted())
}

async function invariantsIn(url: string) {
  const { db, close } = openDb({ url, poolSize: 2 })
  try {
    return (await brokenInvariants(db)).map(({ name, rows }) => ({ name, rows }))
  } finally {
    await close()
  }
}
