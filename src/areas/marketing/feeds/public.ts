import { Readable } from 'node:stream'
import { msBetween } from '../../../core/time.ts'
import { addressOf } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Scope } from '../../../platform/scope.ts'
import { VERSION } from '../../../platform/version.ts'
import { getSettings } from '../../workspace/settings/index.ts'
import { type Format, type Shop, WRITERS } from './rules/formats.ts'
import { type Goods, itemOf } from './rules/items.ts'
import { getFeeds, shopOf } from './service.ts'
import { readState } from './state.ts'
import * as store from './store.ts'

type Account = Pick<Scope, 'accountId'>

/** Runs what needs the database once there is a place for it. */
type Within = <T>(work: () => Promise<T>) => Promise<T>

export type PublicFeed = {
  contentType: string
  /** Another one when the feed is another. */
  version: string
  /** The feed, some hundred items at a time; nothing is read before somebody takes it. */
  read(): Promise<Readable>
}

type Tools = Pick<Deps, 'config' | 'clock' | 'keptFiles'>

/** Items read at once: some hundred kilobytes. */
const PORTION = 500
/** Two changes of one instant look like one: what has changed so lately may change again unseen. */
const UNSETTLED_MS = 20_000

/** The feed of a workspace; undefined while its feeds are off (B-public-2). */
export async function publicFeed(
  { config, clock, keptFiles }: Tools,
  db: Db,
  account: Account,
  format: Format,
  within: Within,
): Promise<PublicFeed | undefined> {
  const look = () => within(() => readState(clock, db, account))
  const [feeds, { businessName }, { state, latest }] = await Promise.all([
    getFeeds(db, account),
    getSettings(db, account),
    look(),
  ])
  if (!feeds.enabled) return undefined
  const shop = shopOf(feeds, businessName, addressOf(config))
  const version = JSON.stringify([VERSION, format, state, shop, feeds.productUrl, feeds.includeUnpublished])
  const place = `${account.accountId}-${format}`
  const isSettled = latest !== null && msBetween(latest, clock.now()) > UNSETTLED_MS
  return {
    contentType: WRITERS[format].contentType,
    version,
    read: async () => {
      const kept = await keptFiles.read(place, version)
      if (kept) return kept.stream()
      const read = (after: string) =>
        within(() => store.portion(db, account, feeds, { after, limit: PORTION }))
      const pieces = written({ format, shop, productUrl: feeds.productUrl, read })
      const isTrue = async () => (await look()).state === state
      const handed = isSettled ? keptFiles.keep(place, version, pieces, isTrue) : pieces
      return Readable.from(handed, { objectMode: false, highWaterMark: 64 * 1024 })
    },
  }
}

type Whole = {
  format: Format
  shop: Shop
  productUrl: string | null
  read(after: string): Promise<Goods[]>
}

async function* written({ format, shop, productUrl, read }: Whole): AsyncGenerator<string> {
  const { open, item, close } = WRITERS[format]
  const readAhead = (after: string) => {
    const goods = read(after)
    // Nobody may be waiting for it any more when it fails.
    goods.catch(() => {})
    return goods
  }
  yield open(shop)
  let isFirst = true
  for (let next: Promise<Goods[]> | null = readAhead(''); next !== null; ) {
    const goods: Goods[] = await next
    const last = goods.at(-1)
    // The database reads the next portion while this one is written.
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
