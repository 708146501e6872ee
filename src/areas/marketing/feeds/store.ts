import { assert } from '../../../core/assert.ts'
import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Goods } from './rules/items.ts'
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
): Promise<Goods[]> => named<Goods>(db, sql.FEED_PORTION, [accountId, includeUnpublished, after, limit])

export async function count(db: Db, { accountId }: Account, { includeUnpublished }: Which): Promise<number> {
  const [row] = await named<{ n: number }>(db, sql.FEED_COUNT, [accountId, includeUnpublished])
  return row?.n ?? 0
}

/** `state` differs when any of the rows has changed; `latest` is the instant of the last change. */
export type State = { state: string; latest: string | null }

export async function goodsState(db: Db, { accountId }: Account): Promise<State> {
  const [row] = await named<State>(db, sql.GOODS_STATE, [accountId])
  assert(row, 'sums answer one row')
  return row
}

/** Categories and outlets, and whether the log of the workspace has events of the transaction `since` or later. */
export async function placesState(
  db: Db,
  { accountId }: Account,
  since: string,
): Promise<State & { hasMoved: boolean }> {
  const [row] = await named<State & { hasMoved: boolean }>(db, sql.PLACES_STATE, [accountId, since])
  assert(row, 'sums answer one row')
  return row
}
