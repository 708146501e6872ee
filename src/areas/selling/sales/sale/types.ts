import type {
  PaymentsRow,
  RefundLinesRow,
  RefundsRow,
  RefundTendersRow,
  SaleItemsRow,
  SalesRow,
} from '../../../../platform/db/tables/sales.ts'
import type { Stored } from '../../../../platform/db/tables/stored.ts'
import type { BillModifier } from '../rules/plan-edit.ts'
import type { OrderType, Sale } from '../schema.ts'

/** Some units from one batch, or unbatched ones (batchId null), in order of use. */
export type Part = { batchId: string | null; qty: number }

/** One component of a composite line as it stood at completion; `quantity` per unit of the line. */
export type ComponentSnapshot = {
  variantId: string
  name: string
  quantity: number
  unit: string | null
  tracked: boolean
  parts: Part[]
  /** Set where the line came back but this component did not, because it has no stock of its own any more. */
  stayed?: boolean
}

export type Item = Omit<Stored<SaleItemsRow>, 'modifiers' | 'components' | 'batches'> & {
  modifiers: BillModifier[] | null
  components: ComponentSnapshot[] | null
  batches: Part[] | null
}

export type Tender = Stored<PaymentsRow>

export type RefundRecord = Stored<RefundsRow> & {
  lines: Stored<RefundLinesRow>[]
  tenders: Stored<RefundTendersRow>[]
}

/** What a receipt says about the records around a sale (contract 6.8). */
export type Surroundings = Pick<Sale, 'outlet' | 'customer' | 'table'>

/** A sale with all that belongs to it, as it is stored: plain data that rules read and stores write. */
export type Bill = Omit<Stored<SalesRow>, 'orderType'> & {
  orderType: OrderType | null
  items: Item[]
  payments: Tender[]
  refunds: RefundRecord[]
  around: Surroundings
}
