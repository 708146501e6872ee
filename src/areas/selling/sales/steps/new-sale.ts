/**
 * A new sale as the rows that one statement will write: decided from what was read, nothing is read or written here.
 */
import { newId } from '../../../../core/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { Warning } from '../schema.ts'
import type { NewSale } from '../store/fresh.ts'
import { openingEvents } from './announce.ts'

/** The sale with what its statement stores beside it: the answer and the events. */
export function newSale(scope: Scope, sale: Sale, day: string): NewSale {
  // Only the statement knows the number; a fresh ULID cannot stand in anything a client sent.
  const placeholder = newId('request')
  const view = saleView({ ...sale, number: placeholder })
  return {
    sale,
    day,
    placeholder,
    saleJson: JSON.stringify(view),
    events: openingEvents(scope, sale, view),
    moves: [],
    warnings: '[]',
    notDone: JSON.stringify(notDoneOf(sale)),
    guardShiftId: null,
    seen: null,
    idem: null,
  }
}

/** Codes and points change nothing without the marketing module (B-sale-11), and a warning says so. */
function notDoneOf({ discountCode, redeemPoints }: Pick<Sale, 'discountCode' | 'redeemPoints'>): Warning[] {
  const code = 'MARKETING_MODULE_DISABLED'
  return [
    ...(discountCode === null
      ? []
      : [
          {
            code,
            field: 'discountCode',
            message: `The code ${discountCode} was not applied, because the marketing module is off. Use orderDiscount to lower the price`,
          } as const,
        ]),
    ...(redeemPoints === null || redeemPoints === 0
      ? []
      : [
          {
            code,
            field: 'redeemPoints',
            message: `${redeemPoints} points were not redeemed, because the marketing module is off`,
          } as const,
        ]),
  ]
}
