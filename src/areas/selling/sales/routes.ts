import { Type } from 'typebox'
import { emptyToNull } from '../../../core/text.ts'
import { route } from '../../../platform/http/route.ts'
import { Id, IdParams, Nullable, ReasonBody } from '../../../platform/http/shapes.ts'
import { listSales, readSale } from './sale/load.ts'
import { rowView, saleView } from './sale/view.ts'
import {
  BillPatch,
  EditAnswer,
  MergeIn,
  NewSaleAnswer,
  Payment,
  PaymentIn,
  RefundIn,
  Sale,
  SaleAnswer,
  SaleIn,
  SaleQuery,
  SaleRow,
  Settlement,
  SplitIn,
  StockWarning,
} from './schema.ts'
import { addPayment } from './verbs/add-payment.ts'
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
    access: 'read',
    page: true,
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
      'Without payments a bill is opened (PARKED); payments that cover complete it; status COMPLETED without payments is paid in cash exactly.',
    access: 'self',
    provesKey: true,
    takesPlaces: true,
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    body: SaleIn,
    returns: NewSaleAnswer,
    handle: ({ deps, scope, idem, within, body }) => createSale({ deps, idem, within }, scope, body),
  }),
  route({
    name: 'sales.get',
    method: 'GET',
    path: '/sales/{id}',
    area,
    summary: 'Read a sale: the full receipt',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    isShared: () => true,
    returns: One,
    handle: async ({ db, scope, params }) => ({ sale: saleView(await readSale(db, scope, params.id)) }),
  }),
  route({
    name: 'sales.updateItems',
    method: 'PATCH',
    path: '/sales/{id}/items',
    area,
    summary: 'Replace the items of an open bill',
    description: 'Send `If-Match` with the version you have seen to refuse an edit over somebody else’s.',
    ifMatch: true,
    access: 'self',
    takesPlaces: true,
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: BillPatch,
    returns: EditAnswer,
    handle: ({ deps, scope, idem, within, params, body, headers }) =>
      editBill({ deps, idem, within }, scope, {
        id: params.id,
        patch: body,
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
    access: 'self',
    provesKey: true,
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: PaymentIn,
    record: Payment,
    returns: SaleAnswer,
    handle: ({ deps, scope, idem, params, body }) => addPayment({ deps, idem }, scope, params.id, body),
  }),
  route({
    name: 'sales.settle',
    method: 'POST',
    path: '/sales/{id}/settle',
    area,
    errands: true,
    summary: 'Settle a bill with payments that cover what remains',
    access: 'self',
    provesKey: true,
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: Settlement,
    record: Type.Object({ payments: Type.Array(Payment) }),
    returns: SaleAnswer,
    handle: ({ deps, scope, idem, params, body }) =>
      settleBill({ deps, idem }, scope, params.id, body.payments),
  }),
  route({
    name: 'sales.void',
    method: 'POST',
    path: '/sales/{id}/void',
    area,
    summary: 'Void a completed sale: money, goods and points go back',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
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
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
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
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    // A new store credit is shown with its code once.
    secret: true,
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
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
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
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: MergeIn,
    returns: Type.Object({ sale: Sale, merged: Sale }),
    handle: ({ tx, scope, params, body }) => mergeBills(tx, scope, params.id, body.saleId),
  }),
]
