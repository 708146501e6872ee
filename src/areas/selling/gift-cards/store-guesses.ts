import { newId } from '../../../core/ids.ts'
import type { Db, WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Lists the instants of this credential's unknown codes after `since`, newest first, at most `limit`. */
export async function listMisses(db: Db, scope: Scope, since: string, limit: number): Promise<string[]> {
  const rows = await ownRows(db, scope, 'giftCardMisses')
    .select('missedAt')
    .where('actorId', '=', scope.actor.id)
    .where('missedAt', '>', since)
    .orderBy('missedAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.missedAt)
}

export const insertMiss = (db: WriteDb, scope: Scope) =>
  insertOwn(db, scope, 'giftCardMisses', {
    actorId: scope.actor.id,
    id: newId('giftCardMiss'),
    missedAt: scope.now,
  }).execute()
