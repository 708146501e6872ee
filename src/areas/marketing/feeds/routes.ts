import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { FeedPreview, Feeds, FeedsPatch, PreviewQuery } from './schema.ts'
import { getFeeds, previewFeed, updateFeeds } from './service.ts'

const row = { area: 'marketing', module: 'marketing' } as const
const One = Type.Object({ feeds: Feeds })

export const feedRoutes = [
  route({
    ...row,
    name: 'feeds.get',
    method: 'GET',
    path: '/account/feeds',
    summary: 'Read the settings of product feeds',
    description: 'The feeds are public only while `enabled` is true. Their addresses are under `/public`.',
    access: 'read',
    delegation: 'read',
    returns: One,
    handle: async ({ db, scope }) => ({ feeds: await getFeeds(db, scope) }),
  }),
  route({
    ...row,
    name: 'feeds.update',
    method: 'PATCH',
    path: '/account/feeds',
    summary: 'Change the settings of product feeds',
    description: 'Without `productUrl` items have no link, and merchant centres reject them.',
    access: 'write',
    delegation: 'write',
    body: FeedsPatch,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ feeds: await updateFeeds(tx, scope, body) }),
  }),
  route({
    ...row,
    name: 'feeds.preview',
    method: 'GET',
    path: '/account/feeds/preview',
    summary: 'Preview the first items of a product feed',
    description:
      '`errors` lists the reasons why a merchant centre would reject an item. The feed contains the item nevertheless.',
    access: 'read',
    delegation: 'read',
    query: PreviewQuery,
    returns: FeedPreview,
    handle: ({ deps, db, scope, query: { format = 'google' } }) => previewFeed(deps, db, scope, format),
  }),
]
