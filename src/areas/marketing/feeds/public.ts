import { Readable } from 'node:stream'
import { msBetween } from '../../../core/time.ts'
import { addressOf } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { WithSlot } from '../../../platform/db/places.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Scope } from '../../../platform/scope.ts'
import { VERSION } from '../../../platform/version.ts'
import { getSettings } from '../../workspace/settings/index.ts'
import { type FeedShop, type Format, WRITERS } from './rules/formats.ts'
import { type FeedGoods, itemOf } from './rules/items.ts'
import { getFeeds, shopOf } from './service.ts'
import { readState } from './state.ts'
import * as store from './store.ts'

type Account = Pick<Scope, 'accountId'>

export type PublicFeed = {
  contentType: string
  /** Changes whenever the feed changes. */
  version: string
  /** Streams the feed in portions, no faster than the client reads. */
  read(): Promise<Readable>
}

type Tools = Pick<Deps, 'config' | 'clock' | 'keptFiles'>

/** Items per query, which are some hundred kilobytes. */
const PORTION = 500
/** Two changes in the same instant give the same state. A state with such a recent change is not final yet. */
const UNSETTLED_MS = 20_000

/** Returns the feed of a workspace, or undefined while its feeds are off (B-public-2). */
export async function publicFeed(
  { config, clock, keptFiles }: Tools,
  db: Db,
  account: Account,
  { format, within }: { format: Format; within: WithSlot },
): Promise<PublicFeed | undefined> {
  // Version and items use the same instant, so that both see the same day.
  const now = clock.now()
  const look = (at: string) => within(() => readState(clock, db, account, at))
  const [feeds, { businessName }, { state, latest }] = await Promise.all([
    getFeeds(db, account),
    getSettings(db, account),
    look(now),
  ])
  if (!feeds.enabled) return undefined
  const shop = shopOf(feeds, businessName, addressOf(config))
  const version = JSON.stringify([VERSION, format, state, shop, feeds.productUrl, feeds.includeUnpublished])
  const place = `${account.accountId}-${format}`
  const isSettled = latest !== null && msBetween(latest, now) > UNSETTLED_MS
  return {
    contentType: WRITERS[format].contentType,
    version,
    read: async () => {
      const kept = await keptFiles.read(place, version)
      if (kept) return kept.stream()
      const read = (after: string) =>
        within(() => store.portion(db, account, feeds, { after, limit: PORTION, now }))
      const pieces = written({ format, shop, productUrl: feeds.productUrl, read })
      const isTrue = async () => (await look(clock.now())).state === state
      const handed = isSettled ? keptFiles.keep(place, version, pieces, isTrue) : pieces
      return Readable.from(handed, { objectMode: false, highWaterMark: 64 * 1024 })
    },
  }
}

type Whole = {
  format: Format
  shop: FeedShop
  productUrl: string | null
  read(after: string): Promise<FeedGoods[]>
}

async function* written({ format, shop, productUrl, read }: Whole): AsyncGenerator<string> {
  const { open, item, close } = WRITERS[format]
  const readAhead = (after: string) => {
    const goods = read(after)
    // The read can fail after its request has ended; the empty handler keeps that from ending the process.
    goods.catch(() => {})
    return goods
  }
  yield open(shop)
  let isFirst = true
  for (let next: Promise<FeedGoods[]> | null = readAhead(''); next !== null; ) {
    const goods: FeedGoods[] = await next
    const last = goods.at(-1)
    // Starts the query for the next portion while this one is written.
    next = last && goods.length === PORTION ? readAhead(last.id) : null
    let text = ''
    for (const one of goods) {
      text += item(itemOf(one, productUrl), shop, isFirst)
      isFirst = false
    }
    if (text !== '') yield text
  }
  if (close !== '') yield close
}
