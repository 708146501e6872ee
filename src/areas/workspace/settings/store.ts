import { newId } from '../../../core/ids.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SettingsPatch } from './schema.ts'

const FIELDS = [
  'id',
  'businessName',
  'businessType',
  'currency',
  'transferBankName',
  'transferBankAccountNumber',
  'transferBankAccountHolder',
  'loyaltyRupiahPerPoint',
  'negativeStock',
  'npwp',
  'receiptThanks',
  'secondFactorRequired',
  'createdAt',
  'updatedAt',
] as const

export const find = (db: Db, scope: Scope) => ownRows(db, scope, 'settings').select(FIELDS).executeTakeFirst()

export const accountName = async (db: Db, scope: Scope): Promise<string> =>
  (await ownRows(db, scope, 'accounts').select('name').executeTakeFirstOrThrow()).name

/** Two first readers make one record. */
export const insertOnce = (db: WriteDb, scope: Scope, values: { businessName: string } & SettingsPatch) =>
  insertOwn(db, scope, 'settings', {
    ...SETTINGS_DEFAULTS,
    ...values,
    id: newId('settings'),
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()

export const update = (tx: Tx, scope: Scope, patch: SettingsPatch) =>
  updateOwn(tx, scope, 'settings')
    .set({ ...patch, updatedAt: scope.now })
    .execute()
