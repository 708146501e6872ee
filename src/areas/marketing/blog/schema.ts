import { type Static, Type } from 'typebox'
import {
  FreeText,
  Id,
  Instant,
  Nullable,
  PageQuery,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

export const POST_STATUSES = ['draft', 'published'] as const

export const MAX_SLUG = 160

const Slug = Type.String({
  maxLength: MAX_SLUG,
  description:
    'The last part of its address: lower-case letters, digits and dashes, unique in the workspace. Empty or absent on create: made from the title',
})

/** B-blog-1 has the limits. */
const Optional = {
  slug: Slug,
  excerpt: FreeText(500),
  coverImage: Nullable(
    Type.String({
      maxLength: 1000,
      pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/?#]\\S*)?$',
      'x-form': 'a web address such as https://example.com',
      description: 'An http or https address',
    }),
  ),
  status: Words(POST_STATUSES),
  publishedAt: Nullable(
    Type.String({
      ...Instant,
      description: 'Set by the first publication and kept afterwards; a client can also set it',
    }),
  ),
  authorName: FreeText(100),
  tags: Type.Array(Text(40), { maxItems: 20 }),
  metaTitle: FreeText(200),
  metaDescription: FreeText(500),
  marketingCampaignId: FreeText(64),
}
const Required = { title: Text(200), body: Text(200_000) }

export const PostIn = Type.Object(
  { ...Required, ...Type.Partial(Type.Object(Optional)).properties },
  { title: 'BlogPostCreate' },
)
export const PostPatch = Type.Partial(Type.Object({ ...Required, ...Optional }), { title: 'BlogPostUpdate' })
export const Post = Type.Object(
  { id: Id, ...Required, ...Optional, slug: Type.String(), ...Timestamps },
  { title: 'BlogPost' },
)

const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 20 })
export const PostQuery = Type.Object({
  status: Type.Optional(Words(POST_STATUSES)),
  ...PageQuery,
  limit: Type.Optional(Limit) as unknown as typeof Limit,
})

export type PostIn = Static<typeof PostIn>
export type PostPatch = Static<typeof PostPatch>
export type Post = Static<typeof Post>
export type PostQuery = Static<typeof PostQuery>

const publicPost = {
  slug: Type.String(),
  title: Type.String(),
  excerpt: Nullable(Type.String()),
  coverImage: Nullable(Type.String()),
  publishedAt: Instant,
  authorName: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  metaTitle: Nullable(Type.String()),
  metaDescription: Nullable(Type.String()),
}
/** A published post without its text, as public lists show it. */
export const PublicPost = Type.Object(publicPost, { title: 'PublicBlogPost' })
export const PublicPostWhole = Type.Object(
  { ...publicPost, body: Type.String() },
  { title: 'PublicBlogPostWhole' },
)
export type PublicPost = Static<typeof PublicPost>
export type PublicPostWhole = Static<typeof PublicPostWhole>
