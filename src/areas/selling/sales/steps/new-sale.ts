/** Makes the rows of a new sale from facts that were read; this file does no I/O. */
import { newId } from '../../../../core/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Warning } from '../../promotions/index.ts'
import type { Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { NewSale } from '../store/fresh.ts'
import { openingEvents } from './announce.ts'

/** The sale with the rows that its statement stores beside it: the answer with its warnings, and the events. */
export function newSale(scope: Scope, sale: Sale, day: string, notDone: readonly Warning[]): NewSale {
  // Only the statement knows the number. The placeholder is a new ULID, which no field of a client can contain.
  const placeholder = newId('request')
  const view = saleView({ ...sale, number: placeholder })
  return {
    sale,
    day,
    placeholder,
    saleJson: JSON.stringify(view),
    events: openingEvents(scope, sale, view),
    goods: [],
    moves: [],
    warnings: '[]',
    notDone: JSON.stringify(notDone),
    guardShiftId: null,
    seen: null,
    isFollowed: true,
    idem: null,
  }
}
