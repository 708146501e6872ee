import { assert } from '../../../core/assert.ts'
import { siteOf } from '../../../core/links.ts'
import { clearEmpty } from '../../../core/text.ts'
import { addressOf, type Config } from '../../../platform/config/config.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getSettings } from '../../workspace/settings/index.ts'
import { type FeedShop, type Format, WRITERS } from './rules/formats.ts'
import { clean, faultsOf, itemOf, requirePage } from './rules/items.ts'
import type { FeedPreview, Feeds, FeedsPatch } from './schema.ts'
import * as store from './store.ts'

export const getFeeds = async (db: Db, scope: Pick<Scope, 'accountId'>): Promise<Feeds> =>
  (await store.find(db, scope)) ?? { ...store.DEFAULTS, createdAt: null, updatedAt: null }

/** Changes only the fields that are sent. */
export async function updateFeeds(tx: Tx, scope: Scope, patch: FeedsPatch): Promise<Feeds> {
  if (Object.keys(patch).length === 0) return getFeeds(tx, scope)
  if (patch.productUrl) requirePage(patch.productUrl)
  await store.merge(
    tx,
    scope,
    clearEmpty(patch, ['defaultFeedProductCategory', 'productUrl', 'marketingCampaignId']),
  )
  const made = await store.find(tx, scope)
  assert(made, 'settings that were written exist')
  return made
}

const PREVIEWED = 20

/** Returns the first items of the public feed with their faults (B-feed-2). */
export async function previewFeed(
  { config }: { config: Config },
  db: Db,
  scope: Scope,
  format: Format,
): Promise<FeedPreview> {
  const feeds = await getFeeds(db, scope)
  const { businessName } = await getSettings(db, scope)
  const shop = shopOf(feeds, businessName, addressOf(config))
  const goods = await store.portion(db, scope, feeds, { after: '', limit: PREVIEWED, now: scope.now })
  const items = goods.map((one) => itemOf(one, feeds.productUrl))
  const { contentType, open, item, close } = WRITERS[format]
  return {
    format,
    contentType,
    itemCount: await store.count(db, scope, feeds),
    content: open(shop) + items.map((one, index) => item(one, shop, index === 0)).join('') + close,
    errors: items.flatMap((one) => faultsOf(one, feeds.productUrl)),
  }
}

export const shopOf = (
  { defaultFeedProductCategory: category, productUrl }: Feeds,
  name: string,
  ownUrl: string,
): FeedShop => ({
  name: clean(name, 150),
  // The shop's own site, if productUrl names one.
  url: productUrl === null ? ownUrl : (siteOf(productUrl) ?? ownUrl),
  productCategory: category === null ? null : clean(category, 500),
})
