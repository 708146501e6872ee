import { type Static, Type } from 'typebox'
import { Words } from '../../../platform/http/shapes.ts'

/** A part of a request that was not applied (B-answer-7). */
export const Warning = Type.Object(
  {
    code: Words(
      [
        'MARKETING_MODULE_DISABLED',
        'DISCOUNT_NOT_APPLIED',
        'POINTS_NOT_REDEEMED',
        'PARTNER_UNAVAILABLE',
        'NOT_PAID',
        'VOUCHER_NOT_APPLIED',
        'PRICE_CHANGED',
        'TAX_CHANGED',
        'NO_LONGER_SOLD',
        'TERMS_CHANGED',
        'CUSTOMER_ERASED',
        'RECORD_REMOVED',
      ],
      {
        description:
          'PARTNER_UNAVAILABLE: the marketing partner gave no answer in time; the same code may give a discount later. NOT_PAID: the payments do not cover the total, so the sale is an open bill. VOUCHER_NOT_APPLIED: the conditions of the voucher are not met, or another promotion gives more. The others: the shop changed after an offline sale, which is stored as printed, without removed records',
      },
    ),
    field: Type.String({ description: 'The field of the request' }),
    message: Type.String(),
  },
  { title: 'Warning' },
)
export type Warning = Static<typeof Warning>
