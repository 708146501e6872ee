import type { Account } from 'kasir-client'
import { type Member, useSession } from '../../app/session.ts'
import { useTill } from '../../app/till.ts'

/** Opens the app for the member whom the service has just signed in. */
export function beginSession({ user, account }: { user: Member; account: Account }) {
  useSession.getState().begin(user, account)
  useTill.getState().unlock()
}
