import { assert } from '../../../core/assert.ts'
import { clearEmpty } from '../../../core/text.ts'
import { addMs } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { DEFAULTS, rateBps } from './rules.ts'
import type { Cart, CartPatch, CartStats, Reminder } from './schema.ts'
import * as store from './store.ts'

export const getCart = async (db: Db, scope: Scope): Promise<Cart> =>
  (await store.find(db, scope)) ?? { ...DEFAULTS, createdAt: null, updatedAt: null }

/** Changes only the fields that are sent. */
export async function updateCart(tx: Tx, scope: Scope, patch: CartPatch): Promise<Cart> {
  if (Object.keys(patch).length === 0) return getCart(tx, scope)
  await store.merge(tx, scope, clearEmpty(patch, ['discountCodeId', 'marketingCampaignId']))
  const made = await store.find(tx, scope)
  assert(made, 'settings that were written exist')
  return made
}

export const listReminders = (db: Db, scope: Scope, limit: number): Promise<Reminder[]> =>
  store.listReminders(db, scope, limit)

const DAY_MS = 24 * 3_600_000

export async function cartStats(db: Db, scope: Scope, windowDays: number): Promise<CartStats> {
  const { sent, recovered, revenue } = await store.sentSince(
    db,
    scope,
    addMs(scope.now, -windowDays * DAY_MS),
  )
  return {
    windowDays,
    sent,
    recovered,
    recoveryRateBps: rateBps(recovered, sent),
    recoveredRevenue: revenue,
  }
}
