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
    summary: 'Read what product feeds say beside the goods',
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
    summary: 'Change product feeds, or switch them on',
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
    summary: 'See the first items of a product feed and what they lack',
    access: 'read',
    delegation: 'read',
    query: PreviewQuery,
    returns: FeedPreview,
    handle: ({ deps, db, scope, query: { format = 'google' } }) => previewFeed(deps, db, scope, format),
  }),
]
