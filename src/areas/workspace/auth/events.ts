import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Id, Words } from '../../../platform/http/shapes.ts'

export const SIGNED_IN_BY = ['SIGN_UP', 'PASSWORD', 'INVITATION', 'PROVIDER', 'PIN'] as const
export const ENDED_BY = ['SIGN_OUT', 'REVOKED', 'NEXT_SIGN_IN'] as const

export const signedInEvent = event('audit.session.started.v1', {
  group: 'sign-in',
  meaning: 'A member signed in with a browser; `by` says how.',
  data: Type.Object({ memberId: Id, by: Words(SIGNED_IN_BY) }),
})
export const signedOutEvent = event('audit.session.ended.v1', {
  group: 'sign-in',
  meaning:
    'A browser was signed out: by itself (SIGN_OUT), from another browser (REVOKED), or by a new sign-in. Sessions that end with a change of password, PIN, second factor, member or till have no event: those changes have one.',
  data: Type.Object({ memberId: Id, sessionId: Id, by: Words(ENDED_BY) }),
})
export const signInFailed = event('audit.session.refused.v1', {
  group: 'sign-in',
  meaning:
    'A sign-in as a member failed because of a wrong password, a wrong PIN or a wrong code of the second factor. The actor is unknown.',
  data: Type.Object({ memberId: Id }),
})

export const secondFactorChanged = event('audit.second_factor.changed.v1', {
  group: 'sign-in',
  meaning:
    'A member switched their second factor ON or OFF, made new RECOVERY_CODES, or signed in with one of them (CODE_USED); or an owner, or the operator of the installation, took a lost one away (RESET), which ends every session of the member.',
  data: Type.Object({ memberId: Id, change: Words(['ON', 'OFF', 'RECOVERY_CODES', 'CODE_USED', 'RESET']) }),
})

export const authEvents = [signedInEvent, signedOutEvent, signInFailed, secondFactorChanged]
