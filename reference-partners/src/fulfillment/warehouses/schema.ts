import { Flag, PageQuery, Text, Timestamps } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { PostalCode } from '../shipping/schema.ts'

export const Warehouse = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    address: Type.String(),
    postalCode: Type.String(),
    isActive: Type.Boolean({ description: 'Takes goods in' }),
    ...Timestamps,
  },
  { title: 'Warehouse' },
)
export type Warehouse = Static<typeof Warehouse>

export const WarehouseCreate = Type.Object(
  {
    name: Text(120),
    address: Text(500),
    postalCode: PostalCode,
    isActive: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'WarehouseCreate' },
)
export const WarehousePatch = Type.Object(
  {
    name: Type.Optional(Text(120)),
    address: Type.Optional(Text(500)),
    postalCode: Type.Optional(PostalCode),
    isActive: Type.Optional(Type.Boolean()),
  },
  { title: 'WarehousePatch' },
)
export const WarehouseQuery = Type.Object({ ...PageQuery, isActive: Flag })
