import type { Tx } from '../../../platform/db/open.ts'
import { updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Gives one till the printers of another. */
export const movePrinters = (tx: Tx, scope: Scope, { from, to }: { from: string; to: string }) =>
  updateOwn(tx, scope, 'printers')
    .set({ tillId: to, updatedAt: scope.now })
    .where('tillId', '=', from)
    .execute()
