import { Type } from 'typebox'
import { emptyToNull } from '../../../core/text.ts'
import { route } from '../../../platform/http/route.ts'
import { Id, IdParams, Nullable, ReasonBody } from '../../../platform/http/shapes.ts'
import { maskOf } from '../gift-cards/index.ts'
import { listSales, readSale } from './sale/load.ts'
import { SaleQuery } from './sale/query.ts'
import { rowView, saleView } from './sale/view.ts'
import {
  BillPatch,
  EditAnswer,
  MergeIn,
  NewSaleAnswer,
  Payment,
  PaymentCorrection,
  PaymentIn,
  RefundIn,
  Sale,
  SaleAnswer,
  SaleIn,
  SaleRow,
  Settlement,
  SplitIn,
  StockWarning,
  withoutNullVariants,
} from './schema.ts'
import { addPayment } from './verbs/add-payment.ts'
import { correctPayment } from './verbs/correct-payment.ts'
import { createSale } from './verbs/create-sale.ts'
import { discardBill } from './verbs/discard-bill.ts'
import { editBill } from './verbs/edit-bill.ts'
import { mergeBills } from './verbs/merge-bills.ts'
import { refundSale } from './verbs/refund-sale.ts'
import { settleBill } from './verbs/settle-bill.ts'
import { splitBill } from './verbs/split-bill.ts'
import { voidSale } from './verbs/void-sale.ts'

const area = 'sales'
const One = Type.Object({ sale: Sale })
const StoreCredit = Type.Object({ id: Id, code: Type.String(), balance: Type.Integer() })

export const saleRoutes = [
  route({
    name: 'sales.list',
    method: 'GET',
    path: '/sales',
    area,
    summary: 'List sales, newest first',
    description:
      'Rows leave out the items and carry `itemCount`. A time such as `completedFrom` to `completedTo` narrows the list to sales that were completed, refunded or voided then.',
    access: 'page',
    delegation: 'read',
    query: SaleQuery,
    returns: SaleRow,
    handle: async ({ db, scope, query }) => {
      const page = await listSales(db, scope, query)
      return { ...page, items: page.items.map(rowView) }
    },
  }),
  route({
    name: 'sales.create',
    method: 'POST',
    path: '/sales',
    area,
    errands: true,
    summary: 'Sell, or open a bill',
    description:
      'Without payments a bill is opened (PARKED); payments that cover complete it; status COMPLETED without payments is paid in cash exactly. An item without `variantId` is an open item with `name` and `unitPrice`.',
    access: 'self',
    hotPath: { provesKey: true, holdsSlot: false },
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['discountAboveBps', 'priceChange', 'openItem', 'waiveService', 'creditOverLimit'],
    status: 201,
    // An offline sale that arrived before is answered with 200.
    document: { alsoAnswers: [200], refuses: ['OFFLINE_TOTAL'] },
    body: SaleIn,
    returns: NewSaleAnswer,
    handle: ({ deps, scope, idem, within, body }) =>
      createSale({ deps, idem, within }, scope, withoutNullVariants(body)),
  }),
  route({
    name: 'sales.get',
    method: 'GET',
    path: '/sales/{id}',
    area,
    summary: 'Read a sale: the full receipt',
    description:
      'With items, payments and refunds, the lines of the outlet for the receipt, and the version to send as `If-Match`.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    hotPath: { holdsSlot: false },
    returns: One,
    handle: async ({ db, scope, params }) => ({ sale: saleView(await readSale(db, scope, params.id)) }),
  }),
  route({
    name: 'sales.updateItems',
    method: 'PATCH',
    path: '/sales/{id}/items',
    area,
    summary: 'Replace the items of an open bill',
    description: 'Send `If-Match` with the version you have seen to refuse an edit over a concurrent one.',
    document: { ifMatch: true },
    access: 'self',
    hotPath: { holdsSlot: false },
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['discountAboveBps', 'priceChange', 'openItem', 'waiveService'],
    params: IdParams,
    body: BillPatch,
    returns: EditAnswer,
    handle: ({ deps, scope, idem, within, params, body, headers }) =>
      editBill({ deps, idem, within }, scope, {
        id: params.id,
        patch: withoutNullVariants(body),
        ifMatch: headers['if-match'],
      }),
  }),
  route({
    name: 'sales.addPayment',
    method: 'POST',
    path: '/sales/{id}/payments',
    area,
    errands: true,
    summary: 'Add one payment to a bill; the one that covers it completes it',
    description:
      'Cash above what remains is cut to it and gives change; any other method above it is 422 `amount`. A PENDING payment waits for money and reserves nothing.',
    access: 'self',
    hotPath: { provesKey: true, holdsSlot: false },
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['creditOverLimit'],
    params: IdParams,
    body: PaymentIn,
    record: Payment,
    returns: SaleAnswer,
    handle: ({ deps, scope, idem, within, params, body }) =>
      addPayment({ deps, idem, within }, scope, params.id, body),
  }),
  route({
    name: 'sales.correctPayment',
    method: 'POST',
    path: '/sales/{id}/payments/{paymentId}/correct',
    area,
    summary: 'Correct the method of a payment that the till entered wrongly',
    description:
      'While the shift of the payment is open, or within 24 hours of a payment without a shift (else 409). Drawer and reports follow. Without `reference` the payment has none afterwards; cash gives no change.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['correctTender'],
    params: Type.Object({ ...IdParams.properties, paymentId: Id }),
    body: PaymentCorrection,
    returns: One,
    handle: ({ tx, scope, params, body }) => correctPayment(tx, scope, params, body),
  }),
  route({
    name: 'sales.settle',
    method: 'POST',
    path: '/sales/{id}/settle',
    area,
    errands: true,
    summary: 'Settle a bill with payments that cover what remains',
    description:
      'All payments are kept or none: together they must cover what remains (422). `payments: []` settles a bill on which nothing remains.',
    access: 'self',
    hotPath: { provesKey: true, holdsSlot: false },
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['creditOverLimit'],
    params: IdParams,
    body: Settlement,
    record: Type.Object({ payments: Type.Array(Payment) }),
    returns: SaleAnswer,
    handle: ({ deps, scope, idem, within, params, body }) =>
      settleBill({ deps, idem, within }, scope, params.id, body.payments),
  }),
  route({
    name: 'sales.void',
    method: 'POST',
    path: '/sales/{id}/void',
    area,
    summary: 'Void a completed sale: money, goods and points go back',
    description:
      'A sale with any refund cannot be voided (409): refund the rest instead. Money confirmed by the payment partner is announced, so that it can be returned there.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['void'],
    params: IdParams,
    body: ReasonBody,
    returns: SaleAnswer,
    handle: ({ tx, scope, params, body }) => voidSale(tx, scope, params.id, emptyToNull(body.reason)),
  }),
  route({
    name: 'sales.discard',
    method: 'POST',
    path: '/sales/{id}/discard',
    area,
    summary: 'Discard an open bill',
    description: 'Payments go back and no stock moves. 409 if the payment partner confirmed one of them.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['void'],
    params: IdParams,
    body: ReasonBody,
    returns: SaleAnswer,
    handle: ({ tx, scope, params, body }) => discardBill(tx, scope, params.id, emptyToNull(body.reason)),
  }),
  route({
    name: 'sales.refund',
    method: 'POST',
    path: '/sales/{id}/refund',
    area,
    errands: true,
    summary: 'Refund items, an amount, or all that is left',
    description:
      'An empty body refunds everything left. `lines` refund quantities, `amount` alone refunds money, and `restock` returns the goods to stock. The sale stays COMPLETED.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['refund'],
    // A new store credit is shown with its code once.
    secret: {
      mask: ({ giftCard, ...answer }) => ({
        ...answer,
        giftCard: giftCard && { ...giftCard, code: maskOf(giftCard.code) },
      }),
    },
    params: IdParams,
    body: RefundIn,
    returns: Type.Object({
      sale: Sale,
      refundId: Id,
      giftCard: Nullable(StoreCredit),
      stockWarnings: Type.Array(StockWarning),
    }),
    handle: ({ tx, scope, params, body }) => refundSale(tx, scope, params.id, body),
  }),
  route({
    name: 'sales.split',
    method: 'POST',
    path: '/sales/{id}/split',
    area,
    summary: 'Move items of an open bill to a new bill',
    description:
      'Items must stay on the bill (422), worth at least the amount paid on it (409). Payments, order discount, delivery fee and customer stay with the old bill.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['discountAboveBps'],
    status: 201,
    params: IdParams,
    body: SplitIn,
    returns: Type.Object({ sale: Sale, from: Sale }),
    handle: ({ tx, scope, params, body }) => splitBill(tx, scope, params.id, body),
  }),
  route({
    name: 'sales.merge',
    method: 'POST',
    path: '/sales/{id}/merge',
    area,
    summary: 'Move every item of another open bill onto this one',
    description:
      'Both bills must be open and of the same outlet. The other bill is closed as VOIDED with this number in its reason; one with payments or a shipment cannot be merged away (409).',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: MergeIn,
    returns: Type.Object({ sale: Sale, merged: Sale }),
    handle: ({ tx, scope, params, body }) => mergeBills(tx, scope, params.id, body.saleId),
  }),
]
