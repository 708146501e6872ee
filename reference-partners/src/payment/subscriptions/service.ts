import {
  addDays,
  addMonths,
  assert,
  conflict,
  dayOf,
  invalid,
  notFound,
  startOfDay,
} from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { ZONE } from '../../kit/format.ts'
import type { Tools } from '../../kit/tools.ts'
import { nextNumber } from '../../kit/workspaces/store.ts'
import { findCustomer } from '../customers/store.ts'
import { newId } from '../ids.ts'
import { insertInvoice, voidOpen } from '../invoices/store.ts'
import { findOffer, type Offer } from '../plans/store.ts'
import { DAYS_TO_PAY, monthsOf } from './rules.ts'
import type { Subscription } from './schema.ts'
import * as store from './store.ts'

export function subscriptionView(row: store.SubscriptionRow): Subscription {
  const { workspaceId: _whose, startedAt: _began, months: _months, ...shown } = row
  return shown
}

/** Returns a price open to subscribers. Throws 404 if it does not exist, 422 if it is no longer offered. */
async function offerOf(tx: Tx, workspaceId: string, priceId: string): Promise<Offer> {
  const offer = await findOffer(tx, workspaceId, priceId)
  if (!offer) throw notFound('price', 'priceId')
  if (!offer.active || !offer.planActive) throw invalid('priceId', 'This price is not offered any more')
  return offer
}

type Period = {
  workspaceId: string
  subscriptionId: string
  customerId: string
  offer: Offer
  from: string
  now: string
}

/** Creates the invoice of a period and returns its id. */
async function invoicePeriod(tx: Tx, period: Period): Promise<string> {
  const { workspaceId, subscriptionId, customerId, offer, from, now } = period
  const id = newId('invoice')
  const n = await nextNumber(tx, workspaceId, 'invoice')
  const dueDate = addDays(dayOf(now, ZONE), DAYS_TO_PAY)
  const { amount, currency, planName, interval } = offer
  await insertInvoice(tx, workspaceId, {
    id,
    number: `INV-${now.slice(0, 4)}-${String(n).padStart(6, '0')}`,
    customerId,
    subscriptionId,
    status: 'open',
    lines: [
      {
        description: `${planName}, 1 ${interval} from ${dayOf(from, ZONE)}`,
        quantity: 1,
        unitAmount: amount,
        amount,
      },
    ],
    total: amount,
    currency,
    dueDate,
    dueAt: startOfDay(addDays(dueDate, 1), ZONE),
    createdAt: now,
    updatedAt: now,
  })
  return id
}

type NewSubscription = { workspaceId: string; customerId: string; priceId: string; now: string }

/** Starts a subscription with an invoice for its first period. */
export async function subscribe(tx: Tx, { workspaceId, customerId, priceId, now }: NewSubscription) {
  if (!(await findCustomer(tx, workspaceId, customerId))) throw notFound('customer', 'customerId')
  const offer = await offerOf(tx, workspaceId, priceId)
  const id = newId('subscription')
  const months = monthsOf(offer.interval)
  const period = { workspaceId, subscriptionId: id, customerId, offer, from: now, now }
  const row: store.SubscriptionRow = {
    workspaceId,
    id,
    customerId,
    priceId,
    status: 'active',
    startedAt: now,
    months,
    currentPeriodStart: now,
    currentPeriodEnd: addMonths(now, months),
    cancelAtPeriodEnd: false,
    canceledAt: null,
    latestInvoiceId: await invoicePeriod(tx, period),
    createdAt: now,
    updatedAt: now,
  }
  await store.insertSubscription(tx, row)
  return subscriptionView(row)
}

async function locked(tx: Tx, workspaceId: string, id: string) {
  const row = await store.lockSubscription(tx, workspaceId, id)
  if (!row) throw notFound('subscription')
  return row
}

type Change = {
  workspaceId: string
  id: string
  priceId?: string | undefined
  cancelAtPeriodEnd?: boolean | undefined
  now: string
}
/** Applies another price from the next period on. Throws 409 if the subscription has ended. */
export async function changeSubscription(
  tx: Tx,
  { workspaceId, id, priceId, cancelAtPeriodEnd, now }: Change,
) {
  const row = await locked(tx, workspaceId, id)
  if (row.status === 'canceled') throw conflict('This subscription has ended')
  if (priceId !== undefined && priceId !== row.priceId) await offerOf(tx, workspaceId, priceId)
  const changed = {
    ...row,
    priceId: priceId ?? row.priceId,
    cancelAtPeriodEnd: cancelAtPeriodEnd ?? row.cancelAtPeriodEnd,
    updatedAt: now,
  }
  await store.updateSubscription(tx, changed)
  return subscriptionView(changed)
}

/** Ends a subscription now, voiding its unpaid invoice, or at the end of its period. An ended one stays unchanged. */
export async function cancelSubscription(
  tx: Tx,
  {
    workspaceId,
    id,
    atPeriodEnd,
    now,
  }: { workspaceId: string; id: string; atPeriodEnd: boolean; now: string },
) {
  if (atPeriodEnd) {
    const row = await locked(tx, workspaceId, id)
    return row.status === 'canceled'
      ? subscriptionView(row)
      : changeSubscription(tx, { workspaceId, id, cancelAtPeriodEnd: true, now })
  }
  const row = await locked(tx, workspaceId, id)
  return subscriptionView(row.status === 'canceled' ? row : await end(tx, row, now))
}

async function end(tx: Tx, row: store.SubscriptionRow, now: string): Promise<store.SubscriptionRow> {
  const ended = { ...row, status: 'canceled' as const, canceledAt: now, updatedAt: now }
  await store.updateSubscription(tx, ended)
  await voidOpen(tx, { workspaceId: row.workspaceId, id: row.latestInvoiceId, now })
  return ended
}

/**
 * After the end of a period the next one and its invoice are created. Overdue and cancelled subscriptions end
 * instead.
 */
async function renew(tx: Tx, row: store.SubscriptionRow, now: string) {
  if (row.cancelAtPeriodEnd || row.status === 'past_due') return end(tx, row, now)
  const { workspaceId, id, customerId, priceId, startedAt, currentPeriodEnd } = row
  const offer = await findOffer(tx, workspaceId, priceId)
  assert(offer, 'a price with subscriptions is never removed')
  const months = row.months + monthsOf(offer.interval)
  const period = { workspaceId, subscriptionId: id, customerId, offer, from: currentPeriodEnd, now }
  const next = {
    ...row,
    months,
    currentPeriodStart: currentPeriodEnd,
    currentPeriodEnd: addMonths(startedAt, months),
    latestInvoiceId: await invoicePeriod(tx, period),
    updatedAt: now,
  }
  await store.updateSubscription(tx, next)
  return next
}

const PORTION = 50

/** Renews or ends subscriptions whose period or grace time is over. Returns whether there may be more. */
export const moveSubscriptions = (tools: Pick<Tools, 'db' | 'now'>): Promise<boolean> =>
  tools.db.tx(async (tx) => {
    const now = tools.now()
    await store.markPastDue(tx, now)
    const rows = await store.lockEnded(tx, now, PORTION)
    for (const row of rows) await renew(tx, row, now)
    return rows.length > 0
  })
