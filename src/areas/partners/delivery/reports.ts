import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { progressIn } from './kasir.ts'
import type { Progress } from './rules.ts'
import { apply } from './shipments.ts'
import * as store from './store.ts'

const MOVED = /(?:^|\.)shipment\.status_changed(?:\.v1)?$/

/** What a notice says of a shipment, or in words why it says nothing (B-notice-3). */
export function progressOf(type: string, data: Readonly<Record<string, unknown>>): Progress | string {
  if (!MOVED.test(type)) return 'a notice of a type that means nothing here'
  return progressIn(data['shipment']) ?? 'a notice without a readable shipment'
}

/**
 * Gives it its effect in the workspace of the scope. A shipment that is not known here was made by a forwarded route, or is
 * being made right now, and its answer says the same.
 */
export async function reported(tx: Tx, scope: Scope, partner: string, told: Progress): Promise<void> {
  const found = await store.findByRef(tx, scope, partner, told.providerRef)
  if (found) await apply(tx, scope, found.id, told, { endsClaim: false })
}
