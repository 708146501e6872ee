import { Type } from 'typebox'
import { authenticate } from '../../../platform/auth/authenticate.ts'
import { attemptOf, clearAttemptCookie, sendAttempt } from '../../../platform/auth/oidc-cookie.ts'
import { clearSessionCookie, cookieName, signedIn } from '../../../platform/auth/session.ts'
import { withCallerSlot } from '../../../platform/http/gate.ts'
import { redirectTo, route, withTraits } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import { area, bodyLimit, passwordSigner, startSession, visitOf } from './http.ts'
import { pinRoutes } from './routes-pin.ts'
import { secondFactorRoutes } from './routes-second-factor.ts'
import {
  Acceptance,
  Forgotten,
  LogIn,
  Me,
  PasswordChange,
  Proof,
  Reset,
  SecondStep,
  Session,
  SignUp,
  Who,
} from './schema.ts'
import { acceptInvitation, logIn, me, signUp } from './service.ts'
import { beginOidc, finishOidc, type SecondStepAhead } from './service-oidc.ts'
import { changePassword, requestPasswordReset, resetPassword } from './service-passwords.ts'
import { askForProof, proveAddress } from './service-proofs.ts'
import { finishLogIn } from './service-second-factor.ts'
import { endSessionOf, sessionsOf, signOut } from './service-sessions.ts'

/** After the #, so that the challenge stays out of the logs of every server on the way. */
const secondStepPage = ({ challenge }: SecondStepAhead, returnTo: string) =>
  `/second-factor#${new URLSearchParams({ challenge, returnTo }).toString()}`

export const authRoutes = [
  route({
    name: 'auth.signup',
    method: 'POST',
    path: '/auth/signup',
    area,
    summary: 'Open a workspace and sign in as its owner',
    description:
      'With a business name the first outlet is made too. The session is a cookie; programs use an API key.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    status: 201,
    bodyLimit,
    body: SignUp,
    returns: Who,
    handle: async ({ body, now, ...http }) =>
      startSession(http, await signUp(http.deps, body, visitOf(http.deps, http.request, now))),
  }),
  route({
    name: 'auth.login',
    method: 'POST',
    path: '/auth/login',
    area,
    summary: 'Sign in',
    description:
      'Ten failures within 15 minutes lock strangers out, per account and per network. A browser that the member has signed in with before carries a second cookie, kasir_device, and is counted separately.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: LogIn,
    document: { refuses: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED'] },
    returns: Who,
    handle: async ({ body, now, ...http }) =>
      startSession(http, await logIn(http.deps, body, visitOf(http.deps, http.request, now))),
  }),
  route({
    name: 'auth.finishLogin',
    method: 'POST',
    path: '/auth/login/second-factor',
    area,
    summary: 'Finish signing in with a code of the second factor',
    description:
      'Takes the challenge that signing in answered with 401 SECOND_FACTOR_REQUIRED, within 5 minutes, and a code of the authenticator app or a recovery code. A code works once. After ten wrong ones within 15 minutes it is 429.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: SecondStep,
    document: { refuses: ['INVALID_CREDENTIALS'] },
    returns: Who,
    handle: async ({ body, now, ...http }) =>
      startSession(http, await finishLogIn(http.deps, body, visitOf(http.deps, http.request, now))),
  }),
  route({
    name: 'auth.logout',
    method: 'POST',
    path: '/auth/logout',
    area,
    summary: 'Sign out; works without a session too',
    description: 'Ends the session of the cookie and clears the cookie. Other sessions of the member stay.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    returns: Type.Object({ loggedOut: Type.Literal(true) }),
    handle: async ({ deps, request, reply, now }) => {
      const visit = visitOf(deps, request, now)
      await signOut(deps, request.cookies[cookieName(deps.config)], 'SIGN_OUT', visit)
      clearSessionCookie(deps.config, reply)
      return { loggedOut: true as const }
    },
  }),
  route({
    name: 'auth.forgotPassword',
    method: 'POST',
    path: '/auth/password/forgot',
    area,
    summary: 'Ask for a link to a new password by mail',
    description:
      'The answer and its duration do not reveal whether a member has this address. The link works once, for 60 minutes, and replaces earlier links. An address gets at most three an hour.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    status: 202,
    bodyLimit,
    body: Forgotten,
    returns: Type.Object({ accepted: Type.Literal(true) }),
    handle: ({ deps, body, request, now }) => requestPasswordReset(deps, body, visitOf(deps, request, now)),
  }),
  route({
    name: 'auth.resetPassword',
    method: 'POST',
    path: '/auth/password/reset',
    area,
    summary: 'Set a new password with the token of a mailed link',
    description:
      'Ends every session of the member, who then signs in with the new password and gets a mail about it. A token that was used, has expired or was replaced is 422.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: Reset,
    returns: Type.Object({ passwordReset: Type.Literal(true) }),
    handle: ({ deps, body, request, now }) => resetPassword(deps, body, visitOf(deps, request, now)),
  }),
  route({
    name: 'auth.getOptions',
    method: 'GET',
    path: '/auth/options',
    area,
    summary: 'Which ways of signing in this service has',
    description:
      'For a sign-in page: `provider` is true if a sign-in provider is configured, so that a link to `/auth/oidc/start` works. Needs no credential.',
    access: 'open',
    auth: 'none',
    delegation: 'none',
    returns: Type.Object({ provider: Type.Boolean() }, { title: 'SignInOptions' }),
    handle: async ({ deps }) => ({ provider: deps.oidc !== null }),
  }),
  withTraits(
    { isVisited: true },
    route({
      name: 'auth.beginOidc',
      method: 'GET',
      path: '/auth/oidc/start',
      area,
      summary: 'Sign in on the page of the configured provider',
      description:
        'A link for a browser: it redirects to the provider and comes back signed in, to `returnTo`. 404 if no provider is configured, 503 while it does not answer.',
      access: 'open',
      auth: 'session',
      delegation: 'none',
      status: 302,
      query: Type.Object({
        returnTo: Type.Optional(
          Type.String({
            maxLength: 500,
            description: 'A path of this service, such as /sales, to go to afterwards',
          }),
        ),
      }),
      document: { refuses: ['NOT_FOUND'] },
      returns: Type.Object({}),
      handle: async ({ deps, query, reply, now }) => {
        const { attempt, url } = await beginOidc(deps, query.returnTo ?? '/')
        sendAttempt(deps, reply, attempt, now)
        return redirectTo(url.href)
      },
    }),
  ),
  withTraits(
    { isVisited: true, acceptsUnknownQuery: true },
    route({
      name: 'auth.finishOidc',
      method: 'GET',
      path: '/auth/oidc/callback',
      area,
      summary: 'Where the provider sends the browser back to',
      description:
        'Its address, after PUBLIC_URL, is what the provider registers. Signs in once, in the browser that started, the member whose address both the provider and this service have seen confirmed.',
      access: 'open',
      auth: 'session',
      delegation: 'none',
      status: 302,
      query: Type.Object({
        state: Type.Optional(
          Type.String({ maxLength: 200, description: 'The value that was sent to the provider' }),
        ),
        code: Type.Optional(
          Type.String({
            maxLength: 4_000,
            description: 'The code that the provider exchanges for the identity of the person',
          }),
        ),
        error: Type.Optional(Type.String({ maxLength: 200, description: 'Why the provider refused' })),
      }),
      document: { refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'] },
      returns: Type.Object({}),
      handle: async ({ now, ...http }) => {
        const { deps, request, reply } = http
        const attempt = attemptOf(deps, request, now)
        clearAttemptCookie(deps.config, reply)
        const url = new URL(request.url, 'http://localhost')
        const finished = await finishOidc(deps, url, attempt, visitOf(deps, request, now))
        const returnTo = attempt?.returnTo ?? '/'
        if ('challenge' in finished) return redirectTo(secondStepPage(finished, returnTo))
        await startSession(http, finished)
        return redirectTo(returnTo)
      },
    }),
  ),
  route({
    name: 'auth.askForProof',
    method: 'POST',
    path: '/auth/email/proof',
    area,
    summary: 'Ask for another mail that confirms your address',
    description:
      'Signing up sends the first one. An address that is confirmed gets none. An address gets three an hour, then it is 429.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    status: 202,
    bodyLimit,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Type.Object({ accepted: Type.Literal(true) }),
    handle: async ({ deps, request, now }) =>
      askForProof(deps, await signedIn(deps, request, now), visitOf(deps, request, now)),
  }),
  route({
    name: 'auth.verifyEmail',
    method: 'POST',
    path: '/auth/email/verify',
    area,
    summary: 'Confirm an e-mail address with the token of a mailed link',
    description:
      'The link works once, for three days. An invitation that was accepted and a password that was set through a link confirm the address as well.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: Proof,
    returns: Type.Object({ emailVerified: Type.Literal(true) }),
    handle: ({ deps, body, request, now }) => proveAddress(deps, body, visitOf(deps, request, now)),
  }),
  route({
    name: 'auth.changePassword',
    method: 'POST',
    path: '/auth/password',
    area,
    summary: 'Change your own password',
    description:
      'Needs the current password. Every other browser is signed out; this one stays signed in with a new cookie. You get a mail about it.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: PasswordChange,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Who,
    handle: async ({ body, now, ...http }) => {
      const { deps, request } = http
      const [who, visit] = await passwordSigner(deps, request, now)
      return startSession(http, await changePassword(deps, who, body, visit))
    },
  }),
  route({
    name: 'auth.listSessions',
    method: 'GET',
    path: '/auth/sessions',
    area,
    summary: 'List the browsers you are signed in with',
    description:
      'The session that was used last comes first; at most a hundred are listed. Only with the cookie of a browser.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    document: { refuses: ['AUTH_REQUIRED', 'FORBIDDEN'] },
    returns: Type.Object({ sessions: Type.Array(Session) }),
    handle: async ({ deps, db, request, now }) => ({
      sessions: await withCallerSlot(deps, request, async () =>
        sessionsOf(db, await signedIn(deps, request, now), now),
      ),
    }),
  }),
  route({
    name: 'auth.endSession',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    area,
    summary: 'Sign one of your browsers out',
    description: 'Its cookie is refused from the next request on. Your own session may be named too.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    params: IdParams,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Deleted,
    handle: async ({ deps, request, reply, params, now }) => {
      const who = await signedIn(deps, request, now)
      if (params.id === who.sessionId) clearSessionCookie(deps.config, reply)
      return endSessionOf(deps, who, params.id, visitOf(deps, request, now))
    },
  }),
  route({
    name: 'auth.me',
    method: 'GET',
    path: '/auth/me',
    area,
    summary: 'The owner of the credential',
    description: 'Answers the user, the workspace and the kind of credential.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Me,
    handle: ({ deps, request, now }) =>
      withCallerSlot(deps, request, async () =>
        me(deps, await authenticate(deps, request, now), visitOf(deps, request, now)),
      ),
  }),
  route({
    name: 'auth.acceptInvitation',
    method: 'POST',
    path: '/auth/invitations/accept',
    area,
    summary: 'Accept an invitation with a password of your own, and sign in',
    description:
      'The link of an invitation works once, for 7 days. The member chooses a password and gets a session cookie.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: Acceptance,
    returns: Who,
    handle: async ({ body, now, ...http }) =>
      startSession(http, await acceptInvitation(http.deps, body, visitOf(http.deps, http.request, now))),
  }),
  ...secondFactorRoutes,
  ...pinRoutes,
]
