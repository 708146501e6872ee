import { browserName } from '../../../core/browser-name.ts'
import { notFound } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { SignedIn } from '../../../platform/auth/session.ts'
import { deleteSessionById, listSessions, SESSION_IDLE_MS } from '../../../platform/auth/store.ts'
import type { Db, WriteDb } from '../../../platform/db/open.ts'
import type { Session } from './schema.ts'

/** The browsers that a member is signed in with, the one used last first; of more than a hundred the latest. */
export async function sessionsOf(
  db: Db,
  { accountId, sessionId, member }: SignedIn,
  now: string,
): Promise<Session[]> {
  const rows = await listSessions(db, accountId, member.id, now)
  return rows.map(({ userAgent, ...row }) => {
    const idleEnd = addMs(row.lastSeenAt, SESSION_IDLE_MS)
    return {
      ...row,
      expiresAt: row.expiresAt < idleEnd ? row.expiresAt : idleEnd,
      current: row.id === sessionId,
      browser: browserName(userAgent),
    }
  })
}

/** Signs one of the member's browsers out; 404 for a session that has ended or is somebody else's. */
export async function endSessionOf(db: WriteDb, { accountId, member }: SignedIn, id: string) {
  if (!(await deleteSessionById(db, accountId, member.id, id))) throw notFound('session')
  return { id, deleted: true as const }
}
