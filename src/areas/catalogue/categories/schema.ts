import { type Static, Type } from 'typebox'
import { Id, Nullable, SortOrder, Text, Timestamps } from '../../../platform/http/shapes.ts'

const Settable = {
  sortOrder: SortOrder,
  isActive: Type.Boolean(),
  station: Nullable(
    Type.String({
      maxLength: 40,
      description: 'Kitchen station that prepares the products of this category',
    }),
  ),
}

export const CategoryIn = Type.Object(
  { name: Text(80), ...Type.Partial(Type.Object(Settable)).properties },
  { title: 'CategoryCreate' },
)
export const CategoryPatch = Type.Partial(Type.Object({ name: Text(80), ...Settable }), {
  title: 'CategoryUpdate',
})
export const Category = Type.Object(
  {
    id: Id,
    name: Text(80),
    ...Settable,
    productCount: Type.Integer({ description: 'Active products' }),
    ...Timestamps,
  },
  { title: 'Category' },
)
export const CategoryOrder = Type.Object(
  { ids: Type.Array(Id, { maxItems: 10_000 }) },
  { title: 'CategoryReorder' },
)

export type CategoryIn = Static<typeof CategoryIn>
export type CategoryPatch = Static<typeof CategoryPatch>
export type Category = Static<typeof Category>
