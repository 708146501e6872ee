import { type Static, Type } from 'typebox'
import { Id, Nullable, Rupiah, SortOrder, Text, Timestamps } from '../../../platform/http/shapes.ts'

const GroupSettable = {
  minSelect: Type.Integer({
    minimum: 0,
    maximum: 50,
    description: 'With 1 or more, the customer must choose',
  }),
  maxSelect: Nullable(Type.Integer({ minimum: 1, maximum: 50, description: 'Null means no limit' })),
}
const ModifierSettable = { price: Rupiah, sortOrder: SortOrder, isActive: Type.Boolean() }

export const GroupIn = Type.Object(
  {
    name: Text(80),
    ...Type.Partial(Type.Object(GroupSettable)).properties,
  },
  { title: 'ModifierGroupCreate' },
)
export const GroupPatch = Type.Partial(Type.Object({ name: Text(80), ...GroupSettable }), {
  title: 'ModifierGroupUpdate',
})
export const ModifierIn = Type.Object(
  {
    name: Text(80),
    ...Type.Partial(Type.Object(ModifierSettable)).properties,
  },
  { title: 'ModifierCreate' },
)
export const ModifierPatch = Type.Partial(Type.Object({ name: Text(80), ...ModifierSettable }), {
  title: 'ModifierUpdate',
})

export const Modifier = Type.Object(
  { id: Id, name: Text(80), ...ModifierSettable, ...Timestamps },
  { title: 'Modifier' },
)
export const ModifierGroup = Type.Object(
  {
    id: Id,
    name: Text(80),
    ...GroupSettable,
    modifiers: Type.Array(Modifier),
    productCount: Type.Integer({ description: 'Number of active products that use this group' }),
    ...Timestamps,
  },
  { title: 'ModifierGroup' },
)

export const ModifierParams = Type.Object({ id: Id, modId: Id })

export type GroupIn = Static<typeof GroupIn>
export type GroupPatch = Static<typeof GroupPatch>
export type ModifierIn = Static<typeof ModifierIn>
export type ModifierPatch = Static<typeof ModifierPatch>
export type Modifier = Static<typeof Modifier>
export type ModifierGroup = Static<typeof ModifierGroup>
