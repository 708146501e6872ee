import { Type } from 'typebox'
import { Edge, FilterId, PageQuery, Words } from '../../../../platform/http/shapes.ts'
import { PAYMENT_METHODS } from '../rules/payments.ts'
import { SALE_STATUSES } from '../rules/state.ts'
import { ORDER_TYPES } from '../schema.ts'

/** What narrows the list of sales. */
export const SaleQuery = Type.Object({
  outletId: FilterId,
  status: Type.Optional(Words(SALE_STATUSES)),
  shiftId: FilterId,
  tableId: FilterId,
  customerId: FilterId,
  orderType: Type.Optional(Words(ORDER_TYPES)),
  from: Edge('Completed, or opened if it is still open, at this instant or day, or later'),
  to: Edge('Completed, or opened if it is still open, before this instant or day'),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The receipt number, or the reference of an offline sale',
    }),
  ),
  completedFrom: Edge('Completed at this instant or day, or later'),
  completedTo: Edge('Completed before this instant or day'),
  refundedFrom: Edge('Refunded, in part or whole, at this instant or day, or later'),
  refundedTo: Edge('Refunded, in part or whole, before this instant or day'),
  voidedFrom: Edge('Voided at this instant or day, or later'),
  voidedTo: Edge('Voided before this instant or day'),
  cashierId: FilterId,
  method: Type.Optional(Words(PAYMENT_METHODS, { description: 'Paid by this method, in part or whole' })),
  productId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'With this product on it' }),
  ),
  categoryId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'With a product on it that is in this category now',
    }),
  ),
  ...PageQuery,
})
