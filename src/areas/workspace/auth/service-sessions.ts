import { browserName } from '../../../core/browser-name.ts'
import { notFound } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import { endSession, type SignedIn, startSession } from '../../../platform/auth/session.ts'
import { findMember } from '../../../platform/auth/statements.ts'
import { deleteSessionById, listSessions } from '../../../platform/auth/store.ts'
import { SESSION_IDLE_MS } from '../../../platform/auth/tokens.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type ENDED_BY, type SIGNED_IN_BY, signedInEvent, signedOutEvent } from './events.ts'
import type { Session } from './schema.ts'
import { type SignInRequest, scopeOf } from './visit.ts'

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

/** Opens a session of the actor and returns its token, which only the browser keeps (B-auth-6). */
export async function openSession(
  tx: Tx,
  scope: Scope,
  {
    visit: { seen, now },
    by,
    secondFactor = false,
    atTill,
  }: {
    visit: Pick<SignInRequest, 'seen' | 'now'>
    by: (typeof SIGNED_IN_BY)[number]
    secondFactor?: boolean | undefined
    atTill?: { tillId: string; lastsMs: number }
  },
): Promise<string> {
  const { accountId, actor } = scope
  const session = { accountId, memberId: actor.id, seen, secondFactor, ...(atTill && { atTill }) }
  const token = await startSession(tx, session, now)
  await emit(tx, scope, signedInEvent, actor.id, { memberId: actor.id, by })
  return token
}

/** Ends the session that a browser carries, if it has one. */
export async function signOut(
  deps: Deps,
  token: string | undefined,
  by: (typeof ENDED_BY)[number],
  visit: SignInRequest,
): Promise<void> {
  if (token === undefined) return
  await inTx(deps.db, async (tx) => {
    const ended = await endSession(tx, token)
    const member = ended && (await findMember(tx, ended.accountId, ended.memberId))
    if (!member) return
    const scope = scopeOf(deps, ended.accountId, member, visit)
    await emit(tx, scope, signedOutEvent, member.id, { memberId: member.id, sessionId: ended.id, by })
  })
}

/** Signs one of the member's browsers out; 404 for a session that has ended or belongs to another member. */
export async function endSessionOf(
  deps: Deps,
  { accountId, sessionId, member }: SignedIn,
  id: string,
  visit: SignInRequest,
) {
  await inTx(deps.db, async (tx) => {
    if (!(await deleteSessionById(tx, accountId, member.id, id))) throw notFound('session')
    const by = id === sessionId ? 'SIGN_OUT' : 'REVOKED'
    const scope = scopeOf(deps, accountId, member, visit)
    await emit(tx, scope, signedOutEvent, member.id, { memberId: member.id, sessionId: id, by })
  })
  return { id, deleted: true as const }
}
