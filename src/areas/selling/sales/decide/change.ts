import type { EventRow } from '../../../../platform/events/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { SaleTransition } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { SaleView } from '../schema.ts'
import type { SaleChange } from '../store/change.ts'

export type DecidedChange = { change: SaleChange; sale: SaleView }

/** The change of a stored sale whose locks the caller holds, and the sale as the answer shows it. */
export function changeStored(
  scope: Scope,
  { before, after }: SaleTransition,
  eventsOf: (sale: SaleView) => readonly EventRow[],
): DecidedChange {
  const sale = saleView(after)
  const change = {
    scope,
    before,
    after,
    number: null,
    movements: [],
    events: eventsOf(sale),
    guards: [],
    seen: null,
    reply: null,
    idempotency: null,
  }
  return { change, sale }
}
