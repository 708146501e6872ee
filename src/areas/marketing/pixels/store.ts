import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Pixels } from './schema.ts'

/** The stored row, with the encrypted token and its last characters. */
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

/** Reads the row without the encrypted token. */
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

/** Inserts or updates the row. Two concurrent first writers create one row with the fields of both. */
export const merge = (tx: Tx, scope: Scope, patch: Partial<PixelColumns>) =>
  insertOwn(tx, scope, 'pixelSettings', {
    ...EMPTY,
    ...patch,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ ...patch, updatedAt: scope.now }))
    .execute()
