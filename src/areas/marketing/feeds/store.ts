import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Goods } from './rules/items.ts'
import type { Feeds } from './schema.ts'
import { FEED_COUNT, FEED_PORTION, FEED_STATE } from './statements.ts'

export type FeedValues = Omit<Feeds, 'createdAt' | 'updatedAt'>
type Account = Pick<Scope, 'accountId'>

export const DEFAULTS: FeedValues = {
  enabled: false,
  defaultFeedProductCategory: null,
  includeUnpublished: false,
  productUrl: null,
  marketingCampaignId: null,
}

export const find = (db: Db, scope: Account): Promise<Feeds | undefined> =>
  ownRows(db, scope, 'feedSettings')
    .select([
      'enabled',
      'defaultFeedProductCategory',
      'includeUnpublished',
      'productUrl',
      'marketingCampaignId',
      'createdAt',
      'updatedAt',
    ])
    .executeTakeFirst()

/** Two first writers make one row, which has what either sent. */
export const merge = (tx: Tx, scope: Scope, patch: Partial<FeedValues>) =>
  insertOwn(tx, scope, 'feedSettings', {
    ...DEFAULTS,
    ...patch,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ ...patch, updatedAt: scope.now }))
    .execute()

type Which = Pick<Feeds, 'includeUnpublished'>

/** In the order of ids, behind the variant `after`; an empty text for the first portion. */
export const portion = (
  db: Db,
  { accountId }: Account,
  { includeUnpublished }: Which,
  { after, limit }: { after: string; limit: number },
): Promise<Goods[]> => named<Goods>(db, FEED_PORTION, [accountId, includeUnpublished, after, limit])

export async function count(db: Db, { accountId }: Account, { includeUnpublished }: Which): Promise<number> {
  const [row] = await named<{ n: number }>(db, FEED_COUNT, [accountId, includeUnpublished])
  return row?.n ?? 0
}

export type State = { state: string; latest: string | null }

export async function state(db: Db, { accountId }: Account): Promise<State> {
  const [row] = await named<State>(db, FEED_STATE, [accountId])
  return row ?? { state: '', latest: null }
}
