import { Type } from 'typebox'
import { readTill, refOf, sendTill } from '../../../platform/auth/till.ts'
import { route } from '../../../platform/http/route.ts'
import { area, bodyLimit, signer, startSession, visitOf } from './http.ts'
import { PinChange, PinSignIn, Who } from './schema.ts'
import { changeOwnPin, signInWithPin } from './service-pins.ts'

/** Signing in at a till with a PIN, and setting one's own. */
export const pinRoutes = [
  route({
    name: 'auth.loginWithPin',
    method: 'POST',
    path: '/auth/pin',
    area,
    summary: 'Sign in at a till with a PIN',
    description:
      'In a browser that was enrolled as a till (`POST /tills`); 403 anywhere else. The session lasts 12 hours, works with the cookie of this till only, and changes nothing about how people sign in. After five wrong PINs of a member at a till within 15 minutes it is 429 for this member there; the password still works.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: PinSignIn,
    document: { refuses: ['INVALID_CREDENTIALS'] },
    returns: Who,
    handle: async ({ body, now, ...http }) => {
      const { deps, request } = http
      const till = readTill(deps, request)
      const visit = visitOf(deps, request, now)
      const signedIn = await signInWithPin(deps, body, till && refOf(till), visit)
      // For another 400 days, and signed with the present key.
      if (till) sendTill(deps, http.reply, till)
      return startSession(http, signedIn)
    },
  }),
  route({
    name: 'auth.changePin',
    method: 'PUT',
    path: '/auth/pin',
    area,
    summary: 'Set or remove your own PIN',
    description:
      'Needs the current password; a member without one must have signed in within the last 15 minutes. 409 with `param: pin` if another member has this PIN. Ends your sessions at tills. You get a mail about it.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: PinChange,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Type.Object({ hasPin: Type.Boolean() }),
    handle: async ({ deps, body, request, now }) => {
      const [who, visit] = await signer(deps, request, now)
      return changeOwnPin(deps, who, body, visit)
    },
  }),
]
