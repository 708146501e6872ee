import { Readable } from 'node:stream'
import type pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { importCatalogue } from '../../src/areas/catalogue/products/csv/import.ts'
import { startPrinting } from '../../src/areas/dining/printers/index.ts'
import { remindCustomers } from '../../src/areas/marketing/abandoned-carts/worker.ts'
import { processReferrals } from '../../src/areas/marketing/referrals/worker.ts'
import { mendShipments } from '../../src/areas/partners/delivery/jobs.ts'
import { settleLoose } from '../../src/areas/partners/payments/jobs.ts'
import { settleMoves } from '../../src/areas/selling/gift-cards/jobs.ts'
import { countBooked } from '../../src/areas/selling/promotions/store.ts'
import { hasToTell } from '../../src/areas/selling/promotions/worker.ts'
import { finishCloses } from '../../src/areas/selling/shifts/service.ts'
import { listUnreported } from '../../src/areas/workspace/billing/store.ts'
import { listNotRendered } from '../../src/areas/workspace/uploads/statements.ts'
import { expires } from '../../src/jobs.ts'
import { nameOf as preparedName } from '../../src/platform/db/prepared.ts'
import { authOf } from '../../src/platform/http/route.ts'
import { sweep } from '../../src/platform/jobs/sweep.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import { enableModule, makeOutlet, openShop } from '../support/build.ts'
import { scopeOf } from '../support/clients.ts'
import { indexesOf, withClient } from '../support/plans.ts'
import { acme, as, deps, useService } from '../support/service.ts'
import { type SentStatement, watching } from '../support/statements.ts'
import { routes } from './local.ts'

import { hasProbe, probeFor } from './probes/index.ts'
import { parcel } from './probes/partners.ts'
import { nameOf, send } from './request.ts'

useService({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })

type Partial = { name: string; table: string; predicate: string; isUnique: boolean }

const sent = new Map<string, SentStatement>()
let partials: Partial[] = []

/** The worker tries a job once, at a printer that is switched off. */
async function printOnce(outletId: string) {
  const body = { outletId, name: 'Bar', kind: 'NETWORK', host: '127.0.0.1', port: 1 }
  const { printer } = (await acme().post('/printers', body)).data
  const { job } = (await acme().post(`/printers/${printer.id}/test`)).data
  const printing = startPrinting(deps(), { lookEveryMs: 20 })
  await vi.waitFor(async () => {
    const [tried] = (await acme().get(`/print-jobs?printerId=${printer.id}`)).data
    expect(tried).toMatchObject({ id: job.id, attempts: 1, status: 'queued' })
  }, 10_000)
  await printing.stop()
}

/** Filters that no probe of a route sends. */
const askBeside = async () => {
  const { bag, outletId } = await openShop(acme())
  const quiet = await makeOutlet(acme())
  for (const query of [
    `outletId=${outletId}&status=PARKED`,
    `outletId=${outletId}&status=VOIDED`,
    `outletId=${outletId}&status=COMPLETED`,
    `outletId=${outletId}&orderType=DELIVERY`,
    'shiftId=shf_1',
    'tableId=tbl_1',
    'customerId=cus_1',
    'q=A-0001',
  ])
    await acme().get(`/sales?${query}`)
  for (const filter of [`outletId=${quiet}`, `outletId=${quiet}&variantId=var_1`, 'variantId=var_1'])
    await acme().get(`/inventory/movements?${filter}`)
  for (const path of ['/kds', '/kds/ready', '/kds/counts', `/kds?outletId=${outletId}`])
    await acme().get(path)
  for (const path of ['/shifts?status=OPEN', '/gift-cards?customerId=cus_1', '/inventory/expiring'])
    await acme().get(path)
  for (const q of ['a', 'susu', 'kopi-1', '899', '0812345678', 'ani@example.test']) {
    await acme().get(`/products?q=${q}`)
    await acme().get(`/products/lookup?q=${q}`)
    await acme().get(`/customers?q=${q}`)
  }
  const { customer } = (await acme().post('/customers', { name: 'Ani', phone: '0812345678' })).data
  await acme().post('/sales', {
    outletId,
    customerId: customer.id,
    items: [{ variantId: bag, quantity: 1 }],
    status: 'COMPLETED',
  })
  await acme().post('/sales', { outletId, items: [{ variantId: bag, packId: 'pck_1', quantity: 1 }] })
  const voucher = { name: 'Plan', kind: 'AMOUNT', amount: 1, code: 'PLAN', oncePerCustomer: true }
  expect((await acme().post('/promotions', voucher)).status).toBe(201)
  await acme().post('/sales', {
    outletId,
    customerId: customer.id,
    items: [{ variantId: bag, quantity: 1 }],
    voucherCodes: ['PLAN'],
  })
  const { customer: debtor } = (await acme().post('/customers', { name: 'Budi', creditLimit: 1_000_000 }))
    .data
  const onCredit = {
    outletId,
    customerId: debtor.id,
    items: [{ variantId: bag, quantity: 1 }],
    payments: [{ method: 'CREDIT', amount: 500 }],
  }
  const { sale: owed } = (await acme().post('/sales', onCredit)).data
  expect((await acme().post(`/sales/${owed.id}/refund`, { amount: 100 })).status).toBe(200)
  const offline = { ref: 'plans-1', soldAt: deps().clock.now(), terms: {}, printedTotal: 1_000 }
  const offlineSale = { outletId, items: [{ variantId: bag, quantity: 1, unitPrice: 1_000 }], offline }
  for (const status of [201, 200]) expect((await acme().post('/sales', offlineSale)).status).toBe(status)
  await acme().delete(`/customers/${customer.id}`)
  await acme().post('/customers', { name: 'Ani', email: 'ani@example.test' })
  const file = 'product,sku,barcode,category,price\nSatu,S-1,B-1,Minuman,1\n'
  await importCatalogue(deps(), scopeOf(acme()), () => Readable.from([Buffer.from(file)]))
  await sweep(deps(), expires)
  await finishCloses(deps())
  await printOnce(outletId)
  await enableModule(acme(), 'marketing')
  await acme().patch('/account/abandoned-cart', { enabled: true })
  // Nothing is due, so whoever the partner is, it is not asked.
  const { payment: marketing } = deps().partners
  await remindCustomers({ ...deps(), partners: { ...deps().partners, marketing } })
  await processReferrals(deps())
  await hasToTell(deps())
  await settleMoves(deps())
  await settleLoose(deps())
  await listUnreported(deps().db, deps().clock.now(), 1)
  await enableModule(acme(), 'fulfillment')
  await acme().post('/delivery/shipments', parcel, { idempotencyKey: 'plans' })
  await mendShipments(deps())
  await countBooked(deps().db, scopeOf(acme()), 'cus_1')
  await listNotRendered(deps().db, acme().workspace.accountId as AccountId, '')
}

beforeAll(async () => {
  await watching(
    (statement) => sent.set(`${statement.name} ${statement.text}`, statement),
    async () => {
      for (const row of routes) {
        if (row.produces === 'text/event-stream' || !hasProbe(row)) continue
        const caller = authOf(row) === 'credential' ? acme() : as(null)
        await send(caller, row, await probeFor(row, acme()), {
          idempotencyKey: nameOf(row).replaceAll(' ', ''),
        })
      }
      await askBeside()
    },
  )
  const { rows } = await deps().pool.query<Partial>(
    `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as "table", i.indisunique as "isUnique",
        pg_get_expr(i.indpred, i.indrelid) as predicate
      from pg_index i join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = 'public' and i.indpred is not null order by 1`,
  )
  partials = rows
}, 120_000)

/** Reads of the query builder get a name once they have run twice (platform/db/prepared.ts). */
const isPrepared = ({ name, text }: SentStatement) => name !== undefined || preparedName(text) !== undefined

/** Lists that find their rows by a window of time, or by a receipt number, need no index of one word. */
const FOUND_OTHERWISE = /^sale_list_(all|outlet)((_(completed|voided|refunded))+|_q)$/

test('no statement that is prepared compares the column of a partial index with a parameter', () => {
  expect(partials.length).toBeGreaterThan(15)
  // "status = 'PARKED'": the column and the words it is compared with.
  const words = partials.flatMap(({ table, predicate }) =>
    [...predicate.matchAll(/\(?(\w+)\)?(?:::text)? = '\w+'/g)].map(([, column = '']) => ({ table, column })),
  )
  // "is_live", "not is_live".
  const flags = partials.flatMap(({ table, predicate }) =>
    [...predicate.matchAll(/(?<=^|\(|NOT |AND )(\w+)(?=$|\)| AND)/g)].map(([, column = '']) => ({
      table,
      column,
    })),
  )
  expect(flags.length).toBeGreaterThan(2)
  words.push(...flags)
  expect(words.length).toBeGreaterThan(4)
  const looked = [...sent.values()].filter((one) => isPrepared(one) && !FOUND_OTHERWISE.test(one.name ?? ''))
  const hidden = looked.flatMap(({ name, text }) =>
    words
      .filter(({ table }) => new RegExp(`\\b(from|join) "?${table}\\b`).test(text))
      .filter(({ column }) => new RegExp(`\\b"?${column}"? (= \\$\\d|= any\\()`).test(text))
      .map(({ table, column }) => `${name ?? text} hides ${table}.${column} from a plan for all values`),
  )
  expect([...new Set(hidden)]).toEqual([])
})

/** Indexes that no statement reads because they refuse a second row. */
const GUARDS = new Set([
  'events_completed_once',
  'gift_cards_refund',
  'loyalty_entries_earn_once',
  'loyalty_entries_redeem_once',
  'payments_pending_ref',
  'payment_sessions_live',
  'sale_promotions_request',
  'sale_promotions_sale',
  'shipments_live',
])

/** Plans of every statement about a table, with the plan that is made for all values where the statement has a name. */
async function indexesUsed(client: pg.Client, table: string): Promise<Set<string>> {
  const used = new Set<string>()
  const about = new RegExp(`\\b(from|join|update|into) "?${table}\\b`)
  for (const [index, { name, text, values }] of [...sent.values()]
    .filter((one) => about.test(one.text))
    .entries()) {
    await client.query('savepoint one')
    try {
      if (!isPrepared({ name, text, values })) {
        const { rows } = await client.query(`explain ${text}`, values)
        for (const found of indexesOf(rows.map((row) => row['QUERY PLAN']).join('\n'))) used.add(found)
      } else {
        await client.query(`prepare of_all_${table}_${index} as ${text}`)
        const nulls = values.map(() => 'null').join(', ')
        const { rows } = await client.query(
          `explain execute of_all_${table}_${index}${nulls === '' ? '' : `(${nulls})`}`,
        )
        for (const found of indexesOf(rows.map((row) => row['QUERY PLAN']).join('\n'))) used.add(found)
      }
    } catch (error) {
      // Without its keys a table has nothing to be in conflict with: the rest of the statement's kind was asked before.
      if (!/ON CONFLICT|no unique/i.test(String(error))) throw error
    }
    await client.query('rollback to savepoint one')
  }
  return used
}

test('every partial index can be used by a statement of the service, by the plan that is made for all values', async () => {
  const unused = await withClient(async (client) => {
    const found: string[] = []
    for (const { name, table } of partials.filter((one) => !GUARDS.has(one.name))) {
      await client.query('begin')
      try {
        await client.query('deallocate all')
        // Alone with its table: what is asked is whether it can be used, not whether an empty table makes it the best.
        await client.query('set local enable_seqscan = off')
        await client.query('set local plan_cache_mode = force_generic_plan')
        await dropOthers(client, table, name)
        if (!(await indexesUsed(client, table)).has(name)) found.push(name)
      } finally {
        await client.query('rollback')
      }
    }
    return found
  })
  expect(unused).toEqual([])
}, 120_000)

async function dropOthers(client: pg.Client, table: string, kept: string) {
  const { rows: keys } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u')`,
    [table],
  )
  for (const { name } of keys) await client.query(`alter table ${table} drop constraint ${name} cascade`)
  const { rows: others } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = $1::regclass and indexrelid <> $2::regclass`,
    [table, kept],
  )
  for (const { name } of others) await client.query(`drop index ${name}`)
}
