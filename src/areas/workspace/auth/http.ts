import type { FastifyReply, FastifyRequest } from 'fastify'
import { browserOf, sendBrowser } from '../../../platform/auth/device.ts'
import {
  cookieName,
  requirePassword,
  type SignedIn,
  sendSession,
  signedIn,
  toSessionOrigin,
} from '../../../platform/auth/session.ts'
import type { Deps } from '../../../platform/deps.ts'
import { signOut } from './service-sessions.ts'
import { afterSignIn, type SignedInVisit, type SignInRequest } from './visit.ts'

export const area = 'auth'
/** Enough for two short texts and a password, which is all that a sign-in sends. */
export const bodyLimit = 64 * 1024

export const visitOf = (deps: Deps, request: FastifyRequest, now: string): SignInRequest => ({
  ip: request.ip,
  seen: toSessionOrigin(request),
  browser: browserOf(deps.config, request),
  requestId: request.id,
  now,
})

/** The browser gets the new cookie, and the session of the old one ends: a token is never carried over a sign-in. */
export async function startSession(
  { deps, request, reply }: { deps: Deps; request: FastifyRequest; reply: FastifyReply },
  { scope, token: next, who, member, lastsMs }: SignedInVisit,
) {
  const visit = visitOf(deps, request, scope.now)
  const token = request.cookies[cookieName(deps.config)]
  await afterSignIn(deps, 'the session before was not ended', () =>
    signOut(deps, token, 'NEXT_SIGN_IN', visit),
  )
  sendSession(deps.config, reply, next, lastsMs)
  if (member) sendBrowser(deps, reply, browserOf(deps.config, request), member)
  return who
}

/** The same for a change of how the member signs in: 403 for a session that began with a PIN (B-pin-5). */
export async function passwordSigner(deps: Deps, request: FastifyRequest, now: string) {
  const [who, visit] = await signer(deps, request, now)
  requirePassword(who)
  return [who, visit] as const
}

/** The member who is signed in with this browser, and the origin of the request. */
export const signer = async (
  deps: Deps,
  request: FastifyRequest,
  now: string,
): Promise<[SignedIn, SignInRequest]> => [await signedIn(deps, request, now), visitOf(deps, request, now)]
