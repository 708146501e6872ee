import { newId } from '../../../core/ids.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
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
  'createdAt',
  'updatedAt',
] as const

export const find = (db: Db, scope: Scope) =>
  db.selectFrom('settings').select(FIELDS).where('accountId', '=', scope.accountId).executeTakeFirst()

export const accountName = async (db: Db, scope: Scope): Promise<string> =>
  (
    await db
      .selectFrom('accounts')
      .select('name')
      .where('accountId', '=', scope.accountId)
      .executeTakeFirstOrThrow()
  ).name

/** Two first readers make one record. */
export const insertOnce = (db: WriteDb, scope: Scope, values: { businessName: string } & SettingsPatch) =>
  db
    .insertInto('settings')
    .values({
      ...SETTINGS_DEFAULTS,
      ...values,
      accountId: scope.accountId,
      id: newId('settings'),
      createdAt: scope.now,
      updatedAt: scope.now,
    })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()

export const update = (tx: Tx, scope: Scope, patch: SettingsPatch) =>
  tx
    .updateTable('settings')
    .set({ ...patch, updatedAt: scope.now })
    .where('accountId', '=', scope.accountId)
    .execute()
