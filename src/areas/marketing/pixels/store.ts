import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Pixels } from './schema.ts'

/** What is written: the token sealed, with its end. */
export type PixelColumns = Pick<
  Pixels,
  | 'enabled'
  | 'socialPixelId'
  | 'socialTestEventCode'
  | 'analyticsId'
  | 'adsConversionId'
  | 'adsPurchaseLabel'
  | 'shortVideoPixelId'
  | 'socialCapiAccessTokenLast4'
> & { socialCapiAccessToken: string | null }

const EMPTY: PixelColumns = {
  enabled: false,
  socialPixelId: null,
  socialTestEventCode: null,
  analyticsId: null,
  adsConversionId: null,
  adsPurchaseLabel: null,
  shortVideoPixelId: null,
  socialCapiAccessToken: null,
  socialCapiAccessTokenLast4: null,
}

/** The token itself is read by whoever opens it, not here. */
export const find = (db: Db, scope: Scope): Promise<Pixels | undefined> =>
  ownRows(db, scope, 'pixelSettings')
    .select([
      'enabled',
      'socialPixelId',
      'socialTestEventCode',
      'analyticsId',
      'adsConversionId',
      'adsPurchaseLabel',
      'shortVideoPixelId',
      'socialCapiAccessTokenLast4',
      sql<boolean>`social_capi_access_token is not null`.as('socialCapiAccessTokenSet'),
      'createdAt',
      'updatedAt',
    ])
    .executeTakeFirst()

/** Two first writers make one row, which has what either sent. */
export const merge = (tx: Tx, scope: Scope, patch: Partial<PixelColumns>) =>
  insertOwn(tx, scope, 'pixelSettings', {
    ...EMPTY,
    ...patch,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ ...patch, updatedAt: scope.now }))
    .execute()
