import type { CashRounding } from '../../../../core/cash-rounding.ts'
import type { Pack } from '../../../../core/packs.ts'
import type { StationPrinters } from '../../../../core/printing.ts'
import type { TaxGroup } from '../../../../core/sale-totals.ts'
import type {
  PaymentsRow,
  RefundLinesRow,
  RefundsRow,
  RefundTendersRow,
  SaleItemsRow,
  SalesRow,
} from '../../../../platform/db/tables/sales.ts'
import type { StoredRow } from '../../../../platform/db/tables/stored.ts'
import type { StoredCorrection } from '../rules/correct-payment.ts'
import type { ItemModifier } from '../rules/plan-edit.ts'
import type { RateTax } from '../rules/refundable.ts'
import type { OrderType, SaleView } from '../schema.ts'

/** Some units from one batch, or unbatched ones (batchId null), in order of use. */
export type Part = { batchId: string | null; qty: number }

/** One component of a composite item as it stood at completion; `quantity` per unit of the variant. */
export type ComponentSnapshot = {
  variantId: string
  name: string
  quantity: number
  unit: string | null
  /** Set if the quantity is grams, whose cost is per kilogram. */
  weighed?: true
  tracked: boolean
  parts: Part[]
  /** Set if the item came back but this component did not, because it no longer has stock. */
  stayed?: boolean
}

export type Item = Omit<
  StoredRow<SaleItemsRow>,
  'modifiers' | 'components' | 'batches' | 'pack' | 'promotions'
> & {
  pack: Pack | null
  modifiers: ItemModifier[] | null
  components: ComponentSnapshot[] | null
  batches: Part[] | null
  promotions: { id: string; amount: number }[] | null
}

/** A promotion as a sale freezes it; `amount` in rupiah. */
export type SalePromotion = { id: string; name: string; amount: number }

/** An item of the catalogue; an open item has neither variant nor product. */
export type GoodsItem = Item & { variantId: string; productId: string }

export type Payment = Omit<StoredRow<PaymentsRow>, 'corrections'> & {
  corrections: StoredCorrection[] | null
}

export type Refund = Omit<StoredRow<RefundsRow>, 'taxes'> & {
  taxes: RateTax[] | null
  lines: StoredRow<RefundLinesRow>[]
  tenders: StoredRow<RefundTendersRow>[]
}

/** The facts of related records that a receipt prints (B-sale-12). */
export type Surroundings = Pick<SaleView, 'outlet' | 'customer' | 'table'> & {
  /** The printers of the outlet, which the kitchen's slips go to. */
  stationPrinters: StationPrinters
}

/** A sale with all that belongs to it, as it is stored: plain data that rules read and stores write. */
export type Sale = Omit<
  StoredRow<SalesRow>,
  'orderType' | 'taxes' | 'cashRounding' | 'promotions' | 'voucherCodes'
> & {
  orderType: OrderType | null
  taxes: TaxGroup[] | null
  cashRounding: CashRounding | null
  promotions: SalePromotion[] | null
  voucherCodes: string[] | null
  items: Item[]
  payments: Payment[]
  refunds: Refund[]
  around: Surroundings
}

/** A stored sale before and after a write. The rows that differ are new objects. */
export type SaleTransition = { before: Sale; after: Sale }
