/** The rules that the browser shares with the service. Only core*.ts import from `src`. */

export {
  type DrawerMovement,
  type DrawerPayment,
  type DrawerRecord,
  type DrawerRefund,
  type Explanation,
  explainCashDifference,
  type TypedEntry,
} from '../../src/core/cash-difference.ts'
export { type CashRounding, roundCash } from '../../src/core/cash-rounding.ts'
export { foldCase, isTimely, momentOf } from '../../src/core/conditions.ts'
export { keysOf, likeness, wordsOf } from '../../src/core/likeness.ts'
export { mul, mulDivFloor, mulDivHalfUp, sum } from '../../src/core/money.ts'
export { priceOfPack } from '../../src/core/packs.ts'
export { listsFor, MAX_PRICE, priceByLists } from '../../src/core/prices.ts'
export { ASK_STATUS, faultIn, isStatus } from '../../src/core/printer-status.ts'
export { FAULTS, type Fault } from '../../src/core/printing.ts'
export { decidePromotions } from '../../src/core/promotions.ts'
export { isWeighed, itemGross, type Totals, totalsOf } from '../../src/core/sale-totals.ts'
export {
  type LabelFault,
  type LabelledWeight,
  readScaleBarcode,
  weighLabel,
} from '../../src/core/scale-barcodes.ts'
export { type OutletService, serviceTermsOf } from '../../src/core/service-charge.ts'
export type { TaxRule } from '../../src/core/tax.ts'
export { kilograms, shortWeight } from '../../src/core/weights.ts'
