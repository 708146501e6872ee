import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { progressIn } from './kasir.ts'
import type { ShipmentProgress } from './rules.ts'
import { apply } from './shipments.ts'
import * as store from './store.ts'

const MOVED = /(?:^|\.)shipment\.status_changed(?:\.v1)?$/

/** Reads the shipment of a notice. Returns a reason as text if the notice has no effect (B-notice-3). */
export function progressOf(type: string, data: Readonly<Record<string, unknown>>): ShipmentProgress | string {
  if (!MOVED.test(type)) return 'ignored a notice of an unknown type'
  return progressIn(data['shipment']) ?? 'ignored a notice without a valid shipment'
}

/**
 * Applies the report of a notice in the workspace of the scope. Ignores an unknown shipment: a forwarded route
 * created it, or a running request is creating it and receives the same state.
 */
export async function reported(tx: Tx, scope: Scope, partner: string, told: ShipmentProgress): Promise<void> {
  const found = await store.findByRef(tx, scope, partner, told.providerRef)
  if (found) await apply(tx, scope, found.id, { told, endsClaim: false })
}
