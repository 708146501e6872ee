import { type Static, Type } from 'typebox'
import {
  Amount,
  FilterId,
  Flag,
  FreeText,
  Id,
  Instant,
  Nullable,
  SortOrder,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

export const SHAPES = ['SQUARE', 'ROUND', 'RECT'] as const
const Position = Type.Integer({ minimum: 0, maximum: 10_000, description: 'Map units' })
const Size = Type.Integer({ minimum: 1, maximum: 10_000, description: 'Map units' })
const Shape = Words(SHAPES)

const Settable = {
  floorId: Id,
  zone: FreeText(60),
  seats: Nullable(Type.Integer({ minimum: 1, maximum: 100 })),
  sortOrder: SortOrder,
  posX: Position,
  posY: Position,
  shape: Shape,
  width: Size,
  height: Size,
}

export const TableIn = Type.Object(
  {
    outletId: Id,
    label: Text(40),
    ...Type.Partial(Type.Object(Settable)).properties,
  },
  { title: 'TableCreate' },
)
export const TablePatch = Type.Partial(
  Type.Object({ label: Text(40), ...Settable, isActive: Type.Boolean() }),
  { title: 'TableUpdate' },
)
const tableFields = {
  id: Id,
  outletId: Id,
  label: Text(40),
  ...Settable,
  isActive: Type.Boolean(),
  ...Timestamps,
}
export const Table = Type.Object(tableFields, { title: 'Table' })

export const OpenBill = Type.Object(
  {
    id: Id,
    number: Type.String(),
    total: Amount,
    paidTotal: Amount,
    remaining: Amount,
    itemCount: Type.Integer(),
    openedAt: Instant,
  },
  { title: 'OpenBill', description: 'The oldest open bill of a table' },
)
export const FloorTable = Type.Object(
  {
    ...tableFields,
    occupied: Type.Boolean(),
    openBill: Nullable(OpenBill),
    openBillCount: Type.Integer(),
  },
  { title: 'FloorTable' },
)

export const Layout = Type.Object(
  {
    outletId: Id,
    floorId: Type.Optional(Id),
    tables: Type.Array(
      Type.Object({
        id: Id,
        posX: Position,
        posY: Position,
        shape: Type.Optional(Shape),
        width: Type.Optional(Size),
        height: Type.Optional(Size),
      }),
      { minItems: 1, maxItems: 500 },
    ),
  },
  { title: 'TableSetLayout' },
)

export const FloorIn = Type.Object(
  { outletId: Id, name: Text(60), sortOrder: Type.Optional(SortOrder) },
  { title: 'FloorCreate' },
)
export const FloorPatch = Type.Partial(Type.Object({ name: Text(60), sortOrder: SortOrder }), {
  title: 'FloorUpdate',
})
export const Floor = Type.Object(
  {
    id: Id,
    outletId: Id,
    name: Text(60),
    sortOrder: SortOrder,
    tableCount: Type.Integer({
      description: 'Number of active and inactive tables; a floor with 0 tables can be deleted',
    }),
    ...Timestamps,
  },
  { title: 'Floor' },
)

export const OutletQuery = Type.Object({ outletId: Id })
export const FloorMapQuery = Type.Object({ outletId: Id, floorId: FilterId })
export const TablesQuery = Type.Object({ outletId: Id, floorId: FilterId, includeInactive: Flag })

export type TableIn = Static<typeof TableIn>
export type TablePatch = Static<typeof TablePatch>
export type Table = Static<typeof Table>
export type FloorTable = Static<typeof FloorTable>
export type Layout = Static<typeof Layout>
export type FloorIn = Static<typeof FloorIn>
export type FloorPatch = Static<typeof FloorPatch>
export type Floor = Static<typeof Floor>
