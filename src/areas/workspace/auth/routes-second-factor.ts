import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { Member } from '../members/index.ts'
import { area, bodyLimit, enter, signer } from './http.ts'
import { Confirmation, Enrolment, FactorProof, RecoveryCodes, SecondFactor } from './schema.ts'
import {
  confirmSetUp,
  renewCodes,
  resetSecondFactor,
  secondFactorOf,
  setUpSecondFactor,
  switchOff,
} from './service-second-factor.ts'

/** What members do about a second factor of their own, with the cookie of a browser, and an owner about a lost one. */
export const secondFactorRoutes = [
  route({
    name: 'auth.getSecondFactor',
    method: 'GET',
    path: '/auth/second-factor',
    area,
    summary: 'Whether you have a second factor',
    description: 'For the cookie of a browser only, like all about your own second factor.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    refuses: ['AUTH_REQUIRED', 'FORBIDDEN'],
    returns: Type.Object({ secondFactor: SecondFactor }),
    handle: async ({ deps, request, now }) => ({
      secondFactor: await secondFactorOf(deps, ...(await signer(deps, request, now))),
    }),
  }),
  route({
    name: 'auth.setUpSecondFactor',
    method: 'POST',
    path: '/auth/second-factor',
    area,
    summary: 'Get a secret for an authenticator app',
    description:
      'Takes your current password; a member without one must have signed in within the last 15 minutes. Show `url` as a QR code, or `secret` to be typed. Nothing changes before a code of it is confirmed; asking again replaces the secret.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    status: 201,
    bodyLimit,
    body: Enrolment,
    refuses: ['AUTH_REQUIRED'],
    returns: Type.Object({
      secret: Type.String({ description: 'Base32' }),
      url: Type.String({ description: 'otpauth://totp/…' }),
    }),
    handle: async ({ deps, body, request, now }) => {
      const [who, visit] = await signer(deps, request, now)
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
      'Answers ten recovery codes, this one time. Every other browser is signed out; this one goes on with a new cookie. A mail tells you.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: Confirmation,
    refuses: ['AUTH_REQUIRED'],
    returns: Type.Object({ recoveryCodes: RecoveryCodes }),
    handle: async ({ body, now, ...http }) => {
      const [who, visit] = await signer(http.deps, http.request, now)
      const { entered, recoveryCodes } = await confirmSetUp(http.deps, who, body.code, visit)
      await enter(http, entered)
      return { recoveryCodes }
    },
  }),
  route({
    name: 'auth.renewRecoveryCodes',
    method: 'POST',
    path: '/auth/second-factor/recovery-codes',
    area,
    summary: 'Get ten new recovery codes; those before them work no more',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: FactorProof,
    refuses: ['AUTH_REQUIRED'],
    returns: Type.Object({ recoveryCodes: RecoveryCodes }),
    handle: async ({ deps, body, request, now }) => {
      const [who, visit] = await signer(deps, request, now)
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
    refuses: ['AUTH_REQUIRED'],
    returns: Type.Object({ secondFactor: SecondFactor }),
    handle: async ({ deps, body, request, now }) => {
      const [who, visit] = await signer(deps, request, now)
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
    params: IdParams,
    returns: Type.Object({ member: Member }),
    handle: async ({ deps, tx, scope, params }) => ({
      member: await resetSecondFactor(deps, tx, scope, params.id),
    }),
  }),
]
