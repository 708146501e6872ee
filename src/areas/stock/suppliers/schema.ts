import { type Static, Type } from 'typebox'
import { FreeText, Id, Search, Text, Timestamps, WholeQuery } from '../../../platform/http/shapes.ts'

const Settable = {
  contact: FreeText(160),
  phone: FreeText(40),
  email: FreeText(160),
  address: FreeText(500),
  note: FreeText(1000),
}

export const SupplierIn = Type.Object(
  { name: Text(160), ...Type.Partial(Type.Object(Settable)).properties },
  { title: 'SupplierCreate' },
)
export const SupplierPatch = Type.Partial(
  Type.Object({ name: Text(160), ...Settable, isActive: Type.Boolean() }),
  { title: 'SupplierUpdate' },
)
export const Supplier = Type.Object(
  { id: Id, name: Text(160), ...Settable, isActive: Type.Boolean(), ...Timestamps },
  { title: 'Supplier' },
)
export const SupplierQuery = Type.Object({ q: Search, ...WholeQuery })

export type SupplierIn = Static<typeof SupplierIn>
export type SupplierPatch = Static<typeof SupplierPatch>
export type Supplier = Static<typeof Supplier>
