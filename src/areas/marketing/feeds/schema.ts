import { type Static, Type } from 'typebox'
import { FreeText, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'
import { FORMATS } from './rules/formats.ts'

/** B-feed-1 has the limits. */
const Settable = {
  enabled: Type.Boolean({ description: 'Whether the feeds are public' }),
  defaultFeedProductCategory: Nullable(
    Type.String({
      maxLength: 500,
      description: 'The merchant centre category of every item, by name or number',
    }),
  ),
  includeUnpublished: Type.Boolean({
    description: 'Whether the feeds include variants of inactive products',
  }),
  productUrl: Nullable(
    Type.String({
      maxLength: 600,
      pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/?#]\\S*)?$',
      'x-form': 'a web address such as https://example.com',
      description:
        'The page of an item on your site. The service replaces `{variantId}`, `{productId}` and `{sku}` in it. Without it items have no link, and merchant centres reject them',
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
      description: 'The merchant centre; `json` is for your own programs',
    }),
  ),
})
export const FeedPreview = Type.Object(
  {
    format: Words(FORMATS),
    contentType: Type.String(),
    itemCount: Type.Integer({ minimum: 0, description: 'Number of items in the whole feed' }),
    content: Type.String({ description: 'The feed with its first 20 items' }),
    errors: Type.Array(
      Type.Object({
        itemId: Type.String(),
        field: Type.String({ description: 'The missing field, by its name at the merchant centre' }),
        message: Type.String(),
      }),
      { description: 'Reasons why a merchant centre would reject an item of `content`' },
    ),
  },
  { title: 'FeedPreview' },
)

export type FeedsPatch = Static<typeof FeedsPatch>
export type Feeds = Static<typeof Feeds>
export type FeedPreview = Static<typeof FeedPreview>
