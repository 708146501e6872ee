import { assert } from '../../../core/assert.ts'
import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { FeedGoods } from './rules/items.ts'
import type { Feeds } from './schema.ts'
import * as sql from './statements.ts'

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

/** Inserts or updates the row. Two concurrent first writers create one row with the fields of both. */
export const merge = (tx: Tx, scope: Scope, patch: Partial<FeedValues>) =>
  insertOwn(tx, scope, 'feedSettings', {
    ...DEFAULTS,
    ...patch,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ ...patch, updatedAt: scope.now }))
    .execute()

type FeedScope = Pick<Feeds, 'includeUnpublished'>

/**
 * Reads feed items in order of id, after the variant `after`; pass an empty text for the first portion. `now` decides
 * which batches have expired.
 */
export const portion = (
  db: Db,
  { accountId }: Account,
  { includeUnpublished }: FeedScope,
  { after, limit, now }: { after: string; limit: number; now: string },
): Promise<FeedGoods[]> =>
  named<FeedGoods>(db, sql.FEED_PORTION, [accountId, includeUnpublished, after, limit, now])

export async function count(
  db: Db,
  { accountId }: Account,
  { includeUnpublished }: FeedScope,
): Promise<number> {
  const [row] = await named<{ n: number }>(db, sql.FEED_COUNT, [accountId, includeUnpublished])
  return row?.n ?? 0
}

/** `state` changes whenever one of the rows changes; `latest` is the instant of the last change. */
export type GoodsState = { state: string; latest: string | null }

export async function goodsState(db: Db, { accountId }: Account): Promise<GoodsState> {
  const [row] = await named<GoodsState>(db, sql.GOODS_STATE, [accountId])
  assert(row, 'sums answer one row')
  return row
}

/**
 * Reads the state of categories and outlets at `now`, and whether the workspace has events of the transaction `since`
 * or later.
 */
export async function placesState(
  db: Db,
  { accountId }: Account,
  since: string,
  now: string,
): Promise<GoodsState & { hasMoved: boolean }> {
  const [row] = await named<GoodsState & { hasMoved: boolean }>(db, sql.PLACES_STATE, [accountId, since, now])
  assert(row, 'sums answer one row')
  return row
}
