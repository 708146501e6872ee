import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Id, Words } from '../../../platform/http/shapes.ts'

export const SIGNED_IN_BY = ['SIGN_UP', 'PASSWORD', 'INVITATION', 'PROVIDER'] as const
export const ENDED_BY = ['SIGN_OUT', 'REVOKED', 'NEXT_SIGN_IN'] as const

export const signedInEvent = event('audit.session.started.v1', {
  group: 'sign-in',
  meaning: 'A member signed in with a browser; `by` says how.',
  data: Type.Object({ memberId: Id, by: Words(SIGNED_IN_BY) }),
})
export const signedOutEvent = event('audit.session.ended.v1', {
  group: 'sign-in',
  meaning:
    'A browser was signed out: there (SIGN_OUT), from another one (REVOKED), or because somebody signed in with it anew. Sessions that end with a password, a second factor or a member are told by those events.',
  data: Type.Object({ memberId: Id, sessionId: Id, by: Words(ENDED_BY) }),
})
export const signInFailed = event('audit.session.refused.v1', {
  group: 'sign-in',
  meaning:
    'Somebody tried to sign in as a member with a wrong password, or a wrong code of the second factor. Who it was nobody knows: there is no actor.',
  data: Type.Object({ memberId: Id }),
})

export const secondFactorChanged = event('audit.second_factor.changed.v1', {
  group: 'sign-in',
  meaning:
    'A member switched their second factor ON or OFF, made new RECOVERY_CODES, or signed in with one of them (CODE_USED); or an owner, or the operator of the installation, took a lost one away (RESET), which ends every session of the member.',
  data: Type.Object({ memberId: Id, change: Words(['ON', 'OFF', 'RECOVERY_CODES', 'CODE_USED', 'RESET']) }),
})

export const authEvents = [signedInEvent, signedOutEvent, signInFailed, secondFactorChanged]
