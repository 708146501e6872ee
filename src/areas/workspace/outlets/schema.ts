import { type Static, Type } from 'typebox'
import { CASH_STEPS, type CashRounding, ROUNDING_MODES } from '../../../core/cash-rounding.ts'
import { SERVICE_CHARGE_BASES } from '../../../core/service-charge.ts'
import { FreeText, Id, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'

/** How a cash payment is rounded (B-rounding-1). */
export const CashRoundingTerms = Type.Unsafe<CashRounding>(
  Type.Object({
    step: Type.Unsafe<CashRounding['step']>({
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      enum: [...CASH_STEPS],
      description: 'Whole rupiah; 0 does not round',
    }),
    mode: Words(ROUNDING_MODES, { description: 'NEAREST rounds a tie up' }),
  }),
)

/** The service charge of an outlet (B-service-1). A till sends the same fields with an offline sale. */
export const ServiceTermFields = {
  serviceChargeBps: Type.Integer({
    minimum: 0,
    maximum: 3000,
    description: 'Basis points: 5% is 500. 0 means no service charge',
  }),
  serviceChargeOrderTypes: Type.Array(Words(['DINE_IN', 'TAKEAWAY', 'DELIVERY'] as const), {
    maxItems: 3,
    description: 'The order types that pay it. A sale without an order type pays none',
  }),
  serviceChargeBase: Words(SERVICE_CHARGE_BASES, {
    description: 'Whether it is a part of the price before or after discounts',
  }),
  serviceChargeTaxable: Type.Boolean({ description: 'Whether it is taxed at the rate of the outlet' }),
}

const Settable = {
  address: FreeText(500),
  phone: FreeText(40),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The exact name of a zone in the IANA time zone database, such as Asia/Jakarta',
  }),
  taxRateBps: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Basis points: 11% is 1100' }),
  taxInclusive: Type.Boolean({ description: 'Prices contain the tax' }),
  taxLabel: Type.String({
    minLength: 1,
    maxLength: 30,
    description:
      'The name of the tax on receipts, such as PPN or PB1. The default, Pajak, is translated to the language of the receipt',
  }),
  ...ServiceTermFields,
  cashRounding: CashRoundingTerms,
  receiptHeader: FreeText(500),
  receiptFooter: FreeText(500),
}

export const OutletIn = Type.Object(
  { name: Text(120), ...Type.Partial(Type.Object(Settable)).properties },
  { title: 'OutletCreate' },
)
export const OutletPatch = Type.Partial(
  Type.Object({ name: Text(120), ...Settable, isActive: Type.Boolean() }),
  { title: 'OutletUpdate' },
)
export const Outlet = Type.Object(
  { id: Id, name: Text(120), ...Settable, isActive: Type.Boolean(), ...Timestamps },
  { title: 'Outlet' },
)

const Count = Type.Integer({ minimum: 0 })
/** The number of records that were deleted with an outlet, by kind. */
export const Belongings = Type.Object({
  stockLevels: Count,
  stockMovements: Count,
  stockBatches: Count,
  floors: Count,
  tables: Count,
  shifts: Count,
  cashMovements: Count,
  purchaseOrders: Count,
  purchaseOrderItems: Count,
})

export type Belongings = Static<typeof Belongings>
export type OutletIn = Static<typeof OutletIn>
export type OutletPatch = Static<typeof OutletPatch>
export type Outlet = Static<typeof Outlet>
