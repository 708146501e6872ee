import { type Static, Type } from 'typebox'
import { FreeText, Id, Text, Timestamps } from '../../../platform/http/shapes.ts'

/** The same default as in migration 0017. */
export const DEFAULT_TAX_LABEL = 'Pajak'

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
