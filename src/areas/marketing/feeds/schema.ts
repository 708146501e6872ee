import { type Static, Type } from 'typebox'
import { FreeText, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'
import { FORMATS } from './rules/formats.ts'

/** Bounds as in B-feed-1. */
const Settable = {
  enabled: Type.Boolean({ description: 'Whether the public feeds answer' }),
  defaultFeedProductCategory: Nullable(
    Type.String({
      maxLength: 500,
      description: 'The category of the merchant centres that every item is put in, by name or number',
    }),
  ),
  includeUnpublished: Type.Boolean({ description: 'Whether variants of inactive products are in it too' }),
  productUrl: Nullable(
    Type.String({
      maxLength: 600,
      pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/?#]\\S*)?$',
      description:
        'Where an item is bought on your site: `{variantId}`, `{productId}` and `{sku}` in it are replaced. Without it items have no link, which merchant centres refuse',
    }),
  ),
  marketingCampaignId: FreeText(64),
}

export const FeedsPatch = Type.Partial(Type.Object(Settable), { title: 'FeedsUpdate' })
export const Feeds = Type.Object(
  {
    ...Settable,
    createdAt: Nullable(Instant),
    updatedAt: Nullable(Type.String({ ...Instant, description: 'Null until it is first changed' })),
  },
  { title: 'Feeds' },
)

export const PreviewQuery = Type.Object({
  format: Type.Optional(
    Words(FORMATS, {
      default: 'google',
      description: 'Which merchant centre it is for; `json` for programs of your own',
    }),
  ),
})
export const FeedPreview = Type.Object(
  {
    format: Words(FORMATS),
    contentType: Type.String(),
    itemCount: Type.Integer({ minimum: 0, description: 'Items of the whole feed' }),
    content: Type.String({ description: 'The feed with its first 20 items' }),
    errors: Type.Array(
      Type.Object({
        itemId: Type.String(),
        field: Type.String({ description: 'What the item lacks, as the merchant centre calls it' }),
        message: Type.String(),
      }),
      { description: 'Why a merchant centre would refuse an item of `content`' },
    ),
  },
  { title: 'FeedPreview' },
)

export type FeedsPatch = Static<typeof FeedsPatch>
export type Feeds = Static<typeof Feeds>
export type FeedPreview = Static<typeof FeedPreview>
