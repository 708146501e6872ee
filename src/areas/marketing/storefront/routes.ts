import { Type } from 'typebox'
import { notFound } from '../../../core/errors.ts'
import { redirectTo, route } from '../../../platform/http/route.ts'
import { PageQuery, Words } from '../../../platform/http/shapes.ts'
import { PublicPost, PublicPostWhole } from '../blog/index.ts'
import { findLink, findPost, listPosts, sendFeed } from './service.ts'

// Trackers and merchant centres add parameters of their own to an address.
const row = {
  area: 'storefront',
  method: 'GET',
  auth: 'none',
  delegation: 'none',
  lenientQuery: true,
} as const
const Place = Type.Object({ accountSlug: Type.String() })
/** Merchant centres read once an hour at most; a site may show a post a minute late. */
const FEED_SECONDS = 300
const BLOG_SECONDS = 60

const feed = { ...row, params: Place, cacheSeconds: FEED_SECONDS, returns: Type.Unknown() } as const

const Text = Type.Union([Type.String(), Type.Null()])
const JsonFeed = Type.Object(
  {
    shop: Type.Object({ name: Type.String(), url: Type.String(), productCategory: Text }),
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        groupId: Type.String(),
        title: Type.String(),
        description: Type.String(),
        link: Text,
        imageLink: Text,
        gtin: Text,
        sku: Text,
        category: Text,
        availability: Words(['in_stock', 'out_of_stock']),
        price: Type.Object({ amount: Type.Integer(), currency: Type.Literal('IDR') }),
      }),
    ),
  },
  { title: 'ProductFeed' },
)

export const storefrontRoutes = [
  route({
    ...feed,
    access: 'open',
    name: 'storefront.getGoogleFeed',
    path: '/public/{accountSlug}/feed.xml',
    summary: 'The catalogue as a feed for Google: RSS 2.0',
    produces: 'application/xml',
    handle: (input) => sendFeed(input, 'google', FEED_SECONDS),
  }),
  route({
    ...feed,
    access: 'open',
    name: 'storefront.getCsvFeed',
    path: '/public/{accountSlug}/feed.csv',
    summary: 'The catalogue as a feed for Facebook or TikTok: CSV',
    query: Type.Object({
      format: Type.Optional(
        Words(['facebook', 'tiktok'], { default: 'facebook', description: 'For which merchant centre' }),
      ),
    }),
    produces: 'text/csv',
    handle: (input) => sendFeed(input, input.query.format ?? 'facebook', FEED_SECONDS),
  }),
  route({
    ...feed,
    access: 'open',
    name: 'storefront.getJsonFeed',
    path: '/public/{accountSlug}/feed.json',
    summary: 'The catalogue as a feed for programs of your own: JSON, without the envelope',
    returns: Type.Unsafe<unknown>(JsonFeed),
    produces: 'application/json',
    handle: (input) => sendFeed(input, 'json', FEED_SECONDS),
  }),
  route({
    ...row,
    access: 'open',
    name: 'storefront.listPosts',
    path: '/public/{accountSlug}/blog/posts',
    summary: 'Published posts without their text, latest first',
    cacheSeconds: BLOG_SECONDS,
    params: Place,
    query: Type.Object(PageQuery),
    returns: Type.Object({
      posts: Type.Array(PublicPost),
      hasMore: Type.Boolean(),
      cursor: Type.Union([Type.String(), Type.Null()]),
    }),
    handle: ({ deps, now, params, query }) => listPosts(deps, now, params.accountSlug, query),
  }),
  route({
    ...row,
    access: 'open',
    name: 'storefront.getPost',
    path: '/public/{accountSlug}/blog/posts/{slug}',
    summary: 'A published post',
    cacheSeconds: BLOG_SECONDS,
    params: Type.Object({ ...Place.properties, slug: Type.String() }),
    returns: Type.Object({ post: PublicPostWhole }),
    handle: async ({ deps, now, params }) => ({
      post: await findPost(deps, now, params.accountSlug, params.slug),
    }),
  }),
  route({
    ...row,
    access: 'open',
    name: 'storefront.followLink',
    path: '/public/{accountSlug}/r/{code}',
    summary: 'Follow the referral link of a customer to the shop; the click is counted',
    visited: true,
    status: 302,
    params: Type.Object({ ...Place.properties, code: Type.String() }),
    returns: Type.Null(),
    handle: async ({ deps, now, params, request }) => {
      const isCounted = request.method !== 'HEAD'
      const target = await findLink(deps, now, params.accountSlug, { code: params.code, isCounted })
      if (target === undefined) throw notFound('link')
      return redirectTo(target)
    },
  }),
]
