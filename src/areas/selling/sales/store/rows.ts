import type { Selectable } from 'kysely'
import type {
  PaymentsRow,
  RefundLinesRow,
  RefundsRow,
  RefundTendersRow,
  SaleItemsRow,
  SalesRow,
} from '../../../../platform/db/tables/sales.ts'

/** Rows as they are read, without the workspace that every statement compares: what `bill.ts` is built from. */
type Stored<T> = Omit<Selectable<T>, 'accountId'>

export type StoredSale = Stored<SalesRow>
export type StoredItem = Stored<SaleItemsRow>
export type StoredPayment = Stored<PaymentsRow>
export type StoredRefund = Stored<RefundsRow>
export type StoredRefundLine = Stored<RefundLinesRow>
export type StoredRefundTender = Stored<RefundTendersRow>
