import type { FastifyReply, FastifyRequest } from 'fastify'
import { browserOf, sendBrowser } from '../../../platform/auth/device.ts'
import { cookieName, type SignedIn, seenOf, sendSession, signedIn } from '../../../platform/auth/session.ts'
import type { Deps } from '../../../platform/deps.ts'
import { signOut } from './service-sessions.ts'
import { type Entered, onceIn, type Visit } from './visit.ts'

export const area = 'auth'
/** Two short texts and a password; nobody needs more to sign in. */
export const bodyLimit = 64 * 1024

export const visitOf = (deps: Deps, request: FastifyRequest, now: string): Visit => ({
  ip: request.ip,
  seen: seenOf(request),
  browser: browserOf(deps.config, request),
  requestId: request.id,
  now,
})

/** The browser gets the new cookie, and the session of the old one ends: a token is never carried over a sign-in. */
export async function enter(
  { deps, request, reply }: { deps: Deps; request: FastifyRequest; reply: FastifyReply },
  { scope, token: next, who, member }: Entered,
) {
  const visit = visitOf(deps, request, scope.now)
  const token = request.cookies[cookieName(deps.config)]
  await onceIn(deps, 'the session before was not ended', () => signOut(deps, token, 'NEXT_SIGN_IN', visit))
  sendSession(deps.config, reply, next)
  if (member) sendBrowser(deps, reply, browserOf(deps.config, request), member)
  return who
}

/** Whoever is signed in with this browser, and from where they ask. */
export const signer = async (
  deps: Deps,
  request: FastifyRequest,
  now: string,
): Promise<[SignedIn, Visit]> => [
  await signedIn(deps.db, deps.config, request, now),
  visitOf(deps, request, now),
]
