import { type Static, Type } from 'typebox'
import { FreeText, Instant, Nullable } from '../../../platform/http/shapes.ts'

const Plain = {
  enabled: Type.Boolean(),
  socialPixelId: FreeText(64),
  socialTestEventCode: FreeText(64),
  analyticsId: FreeText(64),
  adsConversionId: FreeText(64),
  adsPurchaseLabel: FreeText(64),
  shortVideoPixelId: FreeText(64),
}

export const PixelsPatch = Type.Partial(
  Type.Object({
    ...Plain,
    socialCapiAccessToken: Nullable(
      Type.String({
        maxLength: 500,
        description: 'Stored encrypted and never shown again. Null or empty removes it',
      }),
    ),
  }),
  { title: 'PixelsUpdate' },
)
export const Pixels = Type.Object(
  {
    ...Plain,
    socialCapiAccessTokenSet: Type.Boolean(),
    socialCapiAccessTokenLast4: Nullable(
      Type.String({
        description: 'The last four characters of the token; null if there is no token or it is very short',
      }),
    ),
    createdAt: Nullable(Instant),
    updatedAt: Nullable(Type.String({ ...Instant, description: 'Null until it is first changed' })),
  },
  { title: 'Pixels' },
)

export type PixelsPatch = Static<typeof PixelsPatch>
export type Pixels = Static<typeof Pixels>
