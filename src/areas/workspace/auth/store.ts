import type { Tx } from '../../../platform/db/open.ts'
import { insertOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

export const insertAccount = (tx: Tx, scope: Scope, name: string) =>
  insertOwn(tx, scope, 'accounts', { name, createdAt: scope.now, updatedAt: scope.now }).execute()
