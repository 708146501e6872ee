import { type Static, Type } from 'typebox'
import { MAX_SALE_TOTAL } from '../../../core/money.ts'
import { Id, Instant, Text, Timestamps } from '../../../platform/http/shapes.ts'

export const CustomerGroupIn = Type.Object({ name: Text(80) }, { title: 'CustomerGroupCreate' })
export const CustomerGroupPatch = Type.Partial(CustomerGroupIn, { title: 'CustomerGroupUpdate' })
export const CustomerGroup = Type.Object(
  { id: Id, name: Text(80), customerCount: Type.Integer(), ...Timestamps },
  { title: 'CustomerGroup' },
)

/** The customers to add to a group: those of a list, or those that meet every rule that is sent (B-group-3). */
export const GroupAssignment = Type.Object(
  {
    customerIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1_000 })),
    spentAtLeast: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_SALE_TOTAL, description: '`totalSpent`, in whole rupiah' }),
    ),
    visitedSince: Type.Optional({ ...Instant, description: 'The last visit was at this instant or later' }),
    notVisitedSince: Type.Optional({
      ...Instant,
      description: 'The last visit was before this instant, or there was none',
    }),
  },
  { title: 'CustomerGroupAssign' },
)

export type CustomerGroupIn = Static<typeof CustomerGroupIn>
export type CustomerGroupPatch = Static<typeof CustomerGroupPatch>
export type CustomerGroup = Static<typeof CustomerGroup>
export type GroupAssignment = Static<typeof GroupAssignment>
