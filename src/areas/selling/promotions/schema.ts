import { type Static, Type } from 'typebox'
import { Words } from '../../../platform/http/shapes.ts'

/** What a request asked for and the service did not do (B-answer-7). */
export const Warning = Type.Object(
  {
    code: Words(
      ['MARKETING_MODULE_DISABLED', 'DISCOUNT_NOT_APPLIED', 'POINTS_NOT_REDEEMED', 'PARTNER_UNAVAILABLE'],
      {
        description:
          'PARTNER_UNAVAILABLE: the marketing partner gave no answer in time; the same code may be worth something later',
      },
    ),
    field: Type.String({ description: 'The field of the request' }),
    message: Type.String(),
  },
  { title: 'Warning' },
)
export type Warning = Static<typeof Warning>
