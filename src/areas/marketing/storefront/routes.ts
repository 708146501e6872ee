import { Type } from 'typebox'
import { notFound } from '../../../core/errors.ts'
import { cacheable, redirectTo, route, withTraits } from '../../../platform/http/route.ts'
import { PageQuery, Words } from '../../../platform/http/shapes.ts'
import { PublicPost, PublicPostWhole } from '../blog/index.ts'
import { findLink, findPost, listPosts, sendFeed } from './service.ts'

const row = { area: 'storefront', method: 'GET', auth: 'none', delegation: 'none' } as const
const Place = Type.Object({ accountSlug: Type.String() })
/** Merchant centres read a feed at most once an hour. A site can show a post a minute late. */
const FEED_SECONDS = 300
const BLOG_SECONDS = 60

const feed = { ...row, params: Place, document: { isCached: true }, returns: Type.Unknown() } as const

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

// Trackers and merchant centres add their own parameters to an address, so these routes accept unknown ones.
export const storefrontRoutes = [
  route({
    ...feed,
    access: 'open',
    name: 'storefront.getGoogleFeed',
    path: '/public/{accountSlug}/feed.xml',
    summary: 'Get the catalogue as a feed for Google (RSS 2.0)',
    description:
      'The answer is 404 while feeds are off. Clients may cache it for five minutes. A request with its `ETag` is 304 while nothing has changed.',
    produces: 'application/xml',
    handle: (input) => sendFeed(input, 'google', FEED_SECONDS),
  }),
  route({
    ...feed,
    access: 'open',
    name: 'storefront.getCsvFeed',
    path: '/public/{accountSlug}/feed.csv',
    summary: 'Get the catalogue as a feed for Facebook or TikTok (CSV)',
    description:
      '`format=tiktok` selects TikTok. The answer is 404 while feeds are off. Clients may cache it for five minutes.',
    query: Type.Object({
      format: Type.Optional(
        Words(['facebook', 'tiktok'], { default: 'facebook', description: 'The merchant centre' }),
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
    summary: 'Get the catalogue as a feed for your own programs (JSON)',
    description:
      'The answer is 404 while feeds are off. Clients may cache it for five minutes. A request with its `ETag` is 304 while nothing has changed.',
    returns: Type.Unsafe<unknown>(JsonFeed),
    produces: 'application/json',
    handle: (input) => sendFeed(input, 'json', FEED_SECONDS),
  }),
  route({
    ...row,
    access: 'open',
    name: 'storefront.listPosts',
    path: '/public/{accountSlug}/blog/posts',
    summary: 'List published posts without their text, latest first',
    description: 'The list has only posts whose date has come. Clients may cache it for a minute.',
    document: { isCached: true },
    params: Place,
    query: Type.Object(PageQuery),
    returns: Type.Object({
      posts: Type.Array(PublicPost),
      hasMore: Type.Boolean(),
      cursor: Type.Union([Type.String(), Type.Null()]),
    }),
    handle: async ({ deps, now, params, query }) =>
      cacheable(BLOG_SECONDS, await listPosts(deps, now, params.accountSlug, query)),
  }),
  route({
    ...row,
    access: 'open',
    name: 'storefront.getPost',
    path: '/public/{accountSlug}/blog/posts/{slug}',
    summary: 'A published post',
    description: 'A draft and a post with a future date are 404. Clients may cache the answer for a minute.',
    document: { isCached: true },
    params: Type.Object({ ...Place.properties, slug: Type.String() }),
    returns: Type.Object({ post: PublicPostWhole }),
    handle: async ({ deps, now, params }) =>
      cacheable(BLOG_SECONDS, { post: await findPost(deps, now, params.accountSlug, params.slug) }),
  }),
  withTraits(
    { isVisited: true },
    route({
      ...row,
      access: 'open',
      name: 'storefront.followLink',
      path: '/public/{accountSlug}/r/{code}',
      summary: 'Follow the referral link of a customer to the shop',
      description:
        'Counts the click and redirects to `landingUrl` of the program. HEAD counts no click. The answer is 404 for an unknown code and while the program is off.',
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
  ),
].map((one) => withTraits({ acceptsUnknownQuery: true }, one))
