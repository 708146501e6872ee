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
  'publicSlug',
  'logoUrl',
  'createdAt',
  'updatedAt',
] as const

export const find = (db: Db, scope: Pick<Scope, 'accountId'>) =>
  ownRows(db, scope, 'settings').select(FIELDS).executeTakeFirst()

export const accountName = async (db: Db, scope: Pick<Scope, 'accountId'>): Promise<string> =>
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

/** The workspace that a slug belongs to. Asked for strangers, who name no workspace. */
export const findBySlug = (db: Db, slug: string) =>
  db.selectFrom('accountSlugs').select('accountId').where('slug', '=', slug).executeTakeFirst()

export async function countSlugs(db: Db, scope: Scope): Promise<number> {
  const rows = await ownRows(db, scope, 'accountSlugs').select('slug').execute()
  return rows.length
}

/** False when it is another workspace's. */
export async function takeSlug(tx: Tx, scope: Scope, slug: string): Promise<boolean> {
  await insertOwn(tx, scope, 'accountSlugs', { slug, createdAt: scope.now })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
  return (await findBySlug(tx, slug))?.accountId === scope.accountId
}

export const lock = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'settings').select('publicSlug').forUpdate().executeTakeFirst()

export const update = (tx: Tx, scope: Scope, patch: SettingsPatch) =>
  updateOwn(tx, scope, 'settings')
    .set({ ...patch, updatedAt: scope.now })
    .execute()
