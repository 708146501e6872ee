import { Nullable, Text, Timestamps } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

export const Email = Type.String({ format: 'email', maxLength: 254 })
const Phone = Type.String({ minLength: 4, maxLength: 20 })

export const Customer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    ...Timestamps,
  },
  { title: 'Customer' },
)
export type Customer = Static<typeof Customer>

export const CustomerCreate = Type.Object(
  { name: Text(120), email: Type.Optional(Nullable(Email)), phone: Type.Optional(Nullable(Phone)) },
  { title: 'CustomerCreate' },
)
export const CustomerPatch = Type.Object(
  {
    name: Type.Optional(Text(120)),
    email: Type.Optional(Nullable(Email)),
    phone: Type.Optional(Nullable(Phone)),
  },
  { title: 'CustomerPatch' },
)
