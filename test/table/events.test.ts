import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { goodsState } from '../../src/areas/marketing/feeds/store.ts'
import { saleCompleted } from '../../src/areas/selling/sales/events.ts'
import { confirmPayment } from '../../src/areas/selling/sales/index.ts'
import { applyPlan } from '../../src/areas/workspace/billing/index.ts'
import { event, isOffered } from '../../src/core/events.ts'
import { isUnsafe } from '../../src/core/methods.ts'
import { documentAt } from '../../src/document.ts'
import { events } from '../../src/events.ts'
import { inTx, type Tx } from '../../src/platform/db/open.ts'
import { emit } from '../../src/platform/events/outbox.ts'
import { openShift, openShop, stock } from '../support/build.ts'
import { browser, cookieOf, delegateOf, memberOf, ownerOf, scopeOf } from '../support/clients.ts'
import { departureOf, done, saleOf } from '../support/expect.ts'
import { enrolTill, memberWithPin, signedInAt } from '../support/pins.ts'
import { insertCheckout } from '../support/rows.ts'
import { acme, as, deps, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { hasProbe, probeFor } from './probes/index.ts'
import { send } from './request.ts'

useService()

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const NAME = /\b(?:service|audit)\.[a-z_]+\.[a-z_]+\.v\d+\b/g

test('no type that no room declares is named anywhere', async () => {
  const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const texts = await Promise.all(files.map((file) => readFile(join(SRC, file), 'utf8')))
  const named = new Set(texts.flatMap((text) => text.match(NAME) ?? []))
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((type) => !events.has(type))).toEqual([])
})

test('an event with other data than its room declares does not compile', () => {
  const tries = (tx: Tx) => [
    // @ts-expect-error -- a completed sale is announced with the sale
    emit(tx, scopeOf(acme()), saleCompleted, 'txn_1', {}),
    // @ts-expect-error -- and with all of it
    emit(tx, scopeOf(acme()), saleCompleted, 'txn_1', { sale: { id: 'txn_1' } }),
    // @ts-expect-error -- a name is no event
    emit(tx, scopeOf(acme()), 'service.sale.completed.v1', 'txn_1', {}),
    // @ts-expect-error -- webhooks ask for service names, the audit log has its own
    event('sale.completed', saleCompleted),
  ]
  expect(tries).toBeTypeOf('function')
})

test('the document holds the body of every event that webhooks may ask for, and of no other', () => {
  const { webhooks } = documentAt('http://127.0.0.1:3000') as { webhooks: Record<string, unknown> }
  const offered = [...events.values()].filter(isOffered).map(({ name }) => name)
  expect(Object.keys(webhooks)).toEqual(offered)
  expect(offered).not.toContain('audit.outlet.deleted.v1')
})

describe('a row that is not what its room declares is noticed', () => {
  const row = (data: unknown, more: object = {}) => {
    const head = { id: 'evt_1', type: 'service.stock.low.v1', timestamp: '2026-11-22T05:00:00.000Z' }
    return {
      accountId: 'acc_1',
      id: 'evt_1',
      type: head.type,
      body: JSON.stringify({ ...head, accountId: 'acc_1', data, ...more }),
    }
  }
  const stamps = { createdAt: '2026-11-22T05:00:00.000Z', updatedAt: '2026-11-22T05:00:00.000Z' }
  const named = { productId: 'prd_1', productName: 'Latte', variantName: 'Hot', sku: null, soldBy: 'UNIT' }
  const counts = { quantity: 2, reorderPoint: 3, isLow: true }
  const level = { id: 'lvl_1', outletId: 'out_1', variantId: 'var_1', ...named, ...counts, ...stamps }

  test('and one that is passes', () => expect(departureOf(row({ level }))).toBeNull())
  test('by its type', () =>
    expect(departureOf({ ...row({ level }), type: 'service.stock.gone.v1' })).toBe(
      'service.stock.gone.v1 is declared by no room',
    ))
  test.each([
    ['without the record', {}],
    ['with another record beside it', { level, movement: {} }],
    ['with a field too many', { level: { ...level, cost: 5 } }],
    ['with a field too few', { level: { ...level, sku: undefined } }],
  ])('by data %s', (_, data) =>
    expect(departureOf(row(data))).toMatch(/^service\.stock\.low\.v1: .*schema: data/),
  )
  test.each([
    ['the id of another', { id: 'evt_2' }],
    ['another workspace', { accountId: 'acc_2' }],
    ['a time of day for an instant', { timestamp: '05:00' }],
    ['a key of its own', { version: 1 }],
  ])('by %s', (_, more) => expect(departureOf(row({ level }, more))).not.toBeNull())
})

describe('the events that all writes leave behind', () => {
  type Row = { id: string; type: string; refId: string; body: string; accountId: string }
  let rows: Row[]
  /** Routes that changed goods, recipes or stock and wrote no event. */
  const silent: string[] = []

  const goodsAndLog = async () => {
    const account = { accountId: acme().workspace.accountId }
    const { rows: log } = await deps().pool.query('select count(*) as n from events')
    return { goods: (await goodsState(deps().db, account)).state, log: log[0].n }
  }

  const signInAndOut = async () => {
    const password = 'nasi goreng pedas'
    const body = { email: 'masuk@example.com', name: 'Sri', role: 'OWNER', password }
    const { member } = done(await acme().post('/members', body))
    await as(null).post('/auth/login', { email: body.email, password: 'a wrong one' })
    const entered = await as(null).post('/auth/login', { email: body.email, password })
    const inside = browser(cookieOf(entered))
    const { secret } = done(await inside.post('/auth/second-factor', { currentPassword: password }))
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const confirmed = await inside.post('/auth/second-factor/confirm', { code })
    await browser(cookieOf(confirmed)).post('/auth/logout', {})
    await (await ownerOf(acme())).patch(`/members/${member.id}`, { password: 'gado gado siang' })
    await acme().put('/settings', { businessName: 'Acme Kopi' })
  }

  const approvePayout = async () => {
    const till = await enrolTill(acme())
    const manager = await memberWithPin(acme(), 'MANAGER')
    const cashier = await signedInAt(till, await memberWithPin(acme(), 'CASHIER'))
    const shiftId = await openShift(cashier, till.outletId, 10_000)
    await acme().put('/settings', { approvals: { paidOut: true } })
    const approve = (pin: string) =>
      cashier.post('/approvals', { memberId: manager.id, pin, action: 'paidOut', subjectId: shiftId })
    await approve('0000')
    const { token } = done(await approve(manager.pin))
    const body = { type: 'PAID_OUT', amount: 5_000, reason: 'Es batu' }
    const headers = { approval: token }
    done(await cashier.post(`/shifts/${shiftId}/cash-movements`, body, { headers }))
    await acme().put('/settings', { approvals: { paidOut: false } })
  }

  /** What no request of the table does by itself. */
  const actBeside = async () => {
    const shop = await openShop(acme())
    const { outletId, latte: variantId } = shop
    await stock(acme(), outletId, variantId, 3)
    await acme().put('/inventory/reorder', { outletId, variantId, reorderPoint: 2 })
    const items = [{ variantId, quantity: 2 }]
    await acme().post('/sales', { outletId, items, payments: [{ method: 'CASH', amount: 30_000 }] })
    const pending = { method: 'QRIS', amount: 30_000, status: 'PENDING', providerRef: 'late' }
    const bill = saleOf(
      await acme().post('/sales', { outletId, items, status: 'PARKED', payments: [pending] }),
    )
    await acme().post(`/sales/${bill.id}/discard`, {})
    await signInAndOut()
    await approvePayout()
    const late = { paymentId: bill.payments[0].id, amount: 30_000, sessionId: 'cks_late' }
    await inTx(deps().db, (tx) => confirmPayment(tx, scopeOf(acme()), bill.id, late))
    const plan = { sessionId: 'cs_paid', currency: 'IDR', amount: 449_000, paidAt: null }
    await insertCheckout(deps(), acme(), plan.sessionId, 'business')
    await inTx(deps().db, (tx) => applyPlan(tx, scopeOf(acme()), plan))
  }

  beforeAll(async () => {
    for (const row of routes) {
      if (!isUnsafe(row.method) || !hasProbe(row)) continue
      const probe = await probeFor(row, acme()).catch(() => null)
      if (!probe) continue
      const before = await goodsAndLog()
      await send(acme(), row, probe)
      const after = await goodsAndLog()
      if (after.goods !== before.goods && after.log === before.log) silent.push(row.name)
    }
    await actBeside()
    const assistant = await delegateOf(acme(), (await memberOf(acme(), 'OWNER')).id, 'act')
    await assistant.api.post('/categories', { name: 'By an assistant' })
    rows = await deps().db.selectFrom('events').selectAll().orderBy('id').execute()
  }, 120_000)

  test('are all that the rooms declare, each written at least once', () => {
    const written = new Set(rows.map(({ type }) => type))
    expect([...events.keys()].filter((type) => !written.has(type))).toEqual([])
  })

  test('come with every change of goods, recipes and stock that a feed shows', () => {
    // A point below which stock is low is in no feed.
    expect(silent).toEqual(['inventory.setReorderPoint'])
  })

  test('are what the rooms declare, to the last field', () => {
    expect(rows.map(departureOf).filter((departure) => departure !== null)).toEqual([])
  })

  test('hold no code of a gift card, no key and no column of the database', async () => {
    const cards = await deps().db.selectFrom('giftCards').select('code').execute()
    const secrets = [
      ...cards.map((card) => card.code),
      acme().workspace.key,
      'account_id',
      '"password"',
      'Hash"',
    ]
    const text = rows.map((row) => row.body).join('\n')
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  test('stay under the size that receivers accept', () => {
    expect(rows.filter((row) => row.body.length > 20_000).map((row) => row.type)).toEqual([])
  })
})
