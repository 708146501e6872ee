import type { Module } from '../../../core/modules.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'

export const isWorkspace = async (db: Db, accountId: AccountId): Promise<boolean> =>
  (await ownRows(db, { accountId }, 'accounts').select('accountId').executeTakeFirst()) !== undefined

/** Records a notice. Returns true the first time. Waits for another process that is handling the same notice. */
export const insertOnce = async (tx: Tx, scope: Scope, partner: Module, noticeId: string): Promise<boolean> =>
  (await insertOwn(tx, scope, 'partnerNotices', { partner, noticeId, receivedAt: scope.now })
    .onConflict((conflict) => conflict.columns(['accountId', 'partner', 'noticeId']).doNothing())
    .returning('noticeId')
    .executeTakeFirst()) !== undefined
