import type { Module } from '../../../core/modules.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'

const FIELDS = ['module', 'enabled', 'partner', 'partnerWorkspaceId', 'partnerKey', 'provisionedAt'] as const
export type ModuleRow = Awaited<ReturnType<typeof list>>[number]

type Account = { readonly accountId: AccountId }

export const list = (db: Db, scope: Account) => ownRows(db, scope, 'modules').select(FIELDS).execute()

export const find = (db: Db, scope: Account, module: Module) =>
  ownRows(db, scope, 'modules').select(FIELDS).where('module', '=', module).executeTakeFirst()

/** Locks the row until the transaction ends. Creates it, switched off, if it is missing. */
export async function lock(tx: Tx, scope: Scope, module: Module): Promise<ModuleRow> {
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'modules', { module, enabled: false, ...stamps })
    .onConflict((conflict) => conflict.columns(['accountId', 'module']).doNothing())
    .execute()
  return ownRows(tx, scope, 'modules')
    .select(FIELDS)
    .where('module', '=', module)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** The account of a workspace at a partner, with its encrypted key. */
export type PlaceAtPartner = { partner: string; partnerWorkspaceId: string; partnerKey: string }

export const update = (
  tx: Tx,
  scope: Scope,
  module: Module,
  change: { enabled: boolean; place?: PlaceAtPartner | null },
) =>
  updateOwn(tx, scope, 'modules')
    .set({
      enabled: change.enabled,
      ...(change.place ? { ...change.place, provisionedAt: scope.now } : {}),
      updatedAt: scope.now,
    })
    .where('module', '=', module)
    .execute()
