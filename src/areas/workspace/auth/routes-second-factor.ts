import { Type } from 'typebox'
import { withCallerSlot } from '../../../platform/http/gate.ts'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { Member } from '../members/index.ts'
import { area, bodyLimit, passwordSigner, signer, startSession } from './http.ts'
import { Confirmation, Enrolment, FactorProof, RecoveryCodes, SecondFactor } from './schema.ts'
import {
  confirmSetUp,
  renewCodes,
  resetSecondFactor,
  secondFactorOf,
  setUpSecondFactor,
  switchOff,
} from './service-second-factor.ts'

/** Routes for members to manage their own second factor with a browser session, and for an owner to reset a lost one. */
export const secondFactorRoutes = [
  route({
    name: 'auth.getSecondFactor',
    method: 'GET',
    path: '/auth/second-factor',
    area,
    summary: 'Whether you have a second factor',
    description: 'Only with the cookie of a browser, like every route about your own second factor.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    document: { refuses: ['AUTH_REQUIRED', 'FORBIDDEN'] },
    returns: Type.Object({ secondFactor: SecondFactor }),
    handle: async ({ deps, request, now }) => ({
      secondFactor: await withCallerSlot(deps, request, async () =>
        secondFactorOf(deps, ...(await signer(deps, request, now))),
      ),
    }),
  }),
  route({
    name: 'auth.setUpSecondFactor',
    method: 'POST',
    path: '/auth/second-factor',
    area,
    summary: 'Get a secret for an authenticator app',
    description:
      'Takes your current password; a member without one must have signed in within the last 15 minutes. Show `url` as a QR code, or `secret` to be typed. The second factor starts when one of its codes is confirmed; a repeated request replaces the secret.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    status: 201,
    bodyLimit,
    body: Enrolment,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Type.Object({
      secret: Type.String({ description: 'Base32' }),
      url: Type.String({ description: 'otpauth://totp/…' }),
    }),
    handle: async ({ deps, body, request, now }) => {
      const [who, visit] = await passwordSigner(deps, request, now)
      return setUpSecondFactor(deps, who, body, visit)
    },
  }),
  route({
    name: 'auth.confirmSecondFactor',
    method: 'POST',
    path: '/auth/second-factor/confirm',
    area,
    summary: 'Switch the second factor on with a first code',
    description:
      'Returns ten recovery codes, only this once. Every other browser is signed out; this one stays signed in with a new cookie. You get a mail about it.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: Confirmation,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Type.Object({ recoveryCodes: RecoveryCodes }),
    handle: async ({ body, now, ...http }) => {
      const [who, visit] = await passwordSigner(http.deps, http.request, now)
      const { entered, recoveryCodes } = await confirmSetUp(http.deps, who, body.code, visit)
      await startSession(http, entered)
      return { recoveryCodes }
    },
  }),
  route({
    name: 'auth.renewRecoveryCodes',
    method: 'POST',
    path: '/auth/second-factor/recovery-codes',
    area,
    summary: 'Get ten new recovery codes; earlier codes stop working',
    description: 'Each code works once. They are shown in this answer only.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: FactorProof,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Type.Object({ recoveryCodes: RecoveryCodes }),
    handle: async ({ deps, body, request, now }) => {
      const [who, visit] = await passwordSigner(deps, request, now)
      return { recoveryCodes: await renewCodes(deps, who, body, visit) }
    },
  }),
  route({
    name: 'auth.switchOffSecondFactor',
    method: 'POST',
    path: '/auth/second-factor/off',
    area,
    summary: 'Switch your second factor off',
    description:
      'Takes your current password and a code, or a recovery code. 409 while the workspace requires one of you. A mail tells you.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: FactorProof,
    document: { refuses: ['AUTH_REQUIRED'] },
    returns: Type.Object({ secondFactor: SecondFactor }),
    handle: async ({ deps, body, request, now }) => {
      const [who, visit] = await passwordSigner(deps, request, now)
      await switchOff(deps, who, body, visit)
      return { secondFactor: await secondFactorOf(deps, who, visit) }
    },
  }),
  route({
    name: 'members.resetSecondFactor',
    method: 'DELETE',
    path: '/members/{id}/second-factor',
    area: 'members',
    summary: 'Reset the second factor of a member who lost it',
    description:
      'For a member without phone and recovery codes. They are signed out everywhere, sign in with the password alone, and may set up another one. 403 for your own: switch it off with a code or a recovery code. 409 while none is on. A mail tells the member.',
    access: 'write',
    delegation: 'forbidden',
    role: 'OWNER',
    needsPassword: true,
    params: IdParams,
    returns: Type.Object({ member: Member }),
    handle: async ({ deps, tx, scope, params }) => ({
      member: await resetSecondFactor(deps, tx, scope, params.id),
    }),
  }),
]
