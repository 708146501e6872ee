import { addMs } from '../../../core/time.ts'

/** Addresses are compared in lower case and without surrounding spaces, but stored as written. */
export const emailKey = (email: string) => email.trim().toLowerCase()

export const INVITATION_DAYS = 7

/** The instant (UTC) at which an invitation created at `now` expires. */
export const invitationEnd = (now: string) => addMs(now, INVITATION_DAYS * 86_400_000)
