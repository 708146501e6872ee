import { authLogout } from 'kasir-client'
import { call } from './service.ts'
import { useSession } from './session.ts'

/** Ends the session here and at the service. The cart stays for the next sign-in to this business. */
export async function signOut() {
  // Offline, the cookie stays, but this screen closes.
  await call(authLogout).catch(() => {})
  useSession.getState().end()
}
