import { type Approvals, approvalsFrom } from '../../../core/approvals.ts'
import { newId } from '../../../core/ids.ts'
import type { ScaleBarcode } from '../../../core/scale-barcodes.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Settings, SettingsPatch } from './schema.ts'

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
  'openItems',
  'expenseCategories',
  'npwp',
  'receiptThanks',
  'receiptQr',
  'secondFactorRequired',
  'publicSlug',
  'logoUrl',
  'thumbnailUrl',
  'approvals',
  'scaleBarcodes',
  'createdAt',
  'updatedAt',
] as const

export async function find(db: Db, scope: Pick<Scope, 'accountId'>) {
  const found = await ownRows(db, scope, 'settings').select(FIELDS).executeTakeFirst()
  return found && { ...found, approvals: approvalsFrom(found.approvals) }
}

export const accountName = async (db: Db, scope: Pick<Scope, 'accountId'>): Promise<string> =>
  (await ownRows(db, scope, 'accounts').select('name').executeTakeFirstOrThrow()).name

/** The form in which values are written: approvals and formats of scales as JSON. */
const stored = <V extends { approvals?: Partial<Approvals>; scaleBarcodes?: ScaleBarcode[] }>({
  approvals,
  scaleBarcodes,
  ...values
}: V) => ({
  ...values,
  ...(scaleBarcodes === undefined ? {} : { scaleBarcodes: JSON.stringify(scaleBarcodes) }),
  ...(approvals === undefined ? {} : { approvals: JSON.stringify(approvals) }),
})

/** Inserts the record. Two concurrent first reads create only one. */
export const insertOnce = (db: WriteDb, scope: Scope, values: { businessName: string } & SettingsPatch) =>
  insertOwn(db, scope, 'settings', {
    ...stored({ ...SETTINGS_DEFAULTS, ...values }),
    id: newId('settings'),
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()

/** Finds the workspace of a slug, for requests without a credential. */
export const findBySlug = (db: Db, slug: string) =>
  db.selectFrom('accountSlugs').select('accountId').where('slug', '=', slug).executeTakeFirst()

export async function countSlugs(db: Db, scope: Scope): Promise<number> {
  const rows = await ownRows(db, scope, 'accountSlugs').select('slug').execute()
  return rows.length
}

/** Reserves a slug. Returns false if it belongs to another workspace. */
export async function takeSlug(tx: Tx, scope: Scope, slug: string): Promise<boolean> {
  await insertOwn(tx, scope, 'accountSlugs', { slug, createdAt: scope.now })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
  return (await findBySlug(tx, slug))?.accountId === scope.accountId
}

export const lock = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'settings').select('publicSlug').forUpdate().executeTakeFirst()

export const update = (
  tx: Tx,
  scope: Scope,
  patch: SettingsPatch & Partial<Pick<Settings, 'thumbnailUrl'>>,
) =>
  updateOwn(tx, scope, 'settings')
    .set({ ...stored(patch), updatedAt: scope.now })
    .execute()

/** Leaves `updatedAt` alone: the settings themselves have not changed. */
export const setPricingVersion = (tx: Tx, scope: Scope, pricingVersion: string) =>
  updateOwn(tx, scope, 'settings').set({ pricingVersion }).execute()
