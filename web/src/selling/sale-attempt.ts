import type { billBody, saleBody, settleBody } from './sale-body.ts'
import type { Tender } from './tender.ts'

/** If absent, the codes of a bill do not change. */
type Vouchers = { voucherCodes?: string[] }

/** One request of a checkout. It is sent under the same key until its outcome is known. */
export type CheckoutStep =
  | { kind: 'create'; key: string; body: ReturnType<typeof saleBody> & Vouchers }
  | {
      kind: 'edit'
      key: string
      saleId: string
      version: number
      body: ReturnType<typeof billBody> & Vouchers
    }
  | { kind: 'settle'; key: string; saleId: string; body: ReturnType<typeof settleBody> }

/** The requests of a checkout that were not answered yet. While there are any, only they may be sent. */
export type SaleAttempt = {
  steps: readonly CheckoutStep[]
  tenders: readonly Tender[] | null
  change: number
  /** The bill is held so that the customer can pay it by a QR code. */
  isForCode?: boolean
  /** The service decides the total of the bill, as with voucher codes, and the cart then continues it. */
  isContinued?: boolean
  /** When its first request was sent, by the clock of the service; absent in carts of an older version. */
  begunAt?: string
}
