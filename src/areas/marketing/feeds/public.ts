import { addressOf, type Config } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getSettings } from '../../workspace/settings/index.ts'
import { type Format, WRITERS } from './rules/formats.ts'
import { type Goods, itemOf } from './rules/items.ts'
import { getFeeds, shopOf } from './service.ts'
import * as store from './store.ts'

type Account = Pick<Scope, 'accountId'>

/** Runs what needs the database once there is a place for it. */
type Within = <T>(work: () => Promise<T>) => Promise<T>

export type PublicFeed = {
  contentType: string
  /** Another one when the feed is another. */
  version: string
  /** The feed, some hundred items at a time; nothing is read before somebody takes it. */
  chunks(): AsyncIterable<string>
}

/** Items read at once: some hundred kilobytes. */
const PORTION = 500

/** The feed of a workspace; undefined while its feeds are off (B-public-2). */
export async function publicFeed(
  { config }: { config: Config },
  db: Db,
  account: Account,
  format: Format,
  within: Within,
): Promise<PublicFeed | undefined> {
  const feeds = await getFeeds(db, account)
  if (!feeds.enabled) return undefined
  const version = `${format} ${await within(() => store.state(db, account))}`
  const { businessName } = await getSettings(db, account)
  const shop = shopOf(feeds, businessName, addressOf(config))
  const { contentType, open, item, close } = WRITERS[format]
  const read = (after: string) => {
    const goods = within(() => store.portion(db, account, feeds, { after, limit: PORTION }))
    // Read ahead: nobody may be waiting for it any more when it fails.
    goods.catch(() => {})
    return goods
  }
  async function* chunks() {
    yield open(shop)
    let isFirst = true
    for (let next: Promise<Goods[]> | null = read(''); next !== null; ) {
      const goods: Goods[] = await next
      const last = goods.at(-1)
      // The database reads the next portion while this one is written.
      next = last && goods.length === PORTION ? read(last.id) : null
      let text = ''
      for (const one of goods) {
        text += item(itemOf(one, feeds?.productUrl ?? null), shop, isFirst)
        isFirst = false
      }
      if (text !== '') yield text
    }
    if (close !== '') yield close
  }
  return { contentType, version, chunks }
}
