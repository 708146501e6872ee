import {
  connect,
  operatorGetOverview,
  operatorListWorkspaces,
  operatorSignIn,
  operatorSignOut,
} from 'kasir-client'

/** A connection apart from the app's: an operator session that ended must not sign a member out of the register. */
const service = connect({ baseUrl: window.location.origin, timeoutMs: 15_000, tries: 1 })

export const signIn = (token: string) => operatorSignIn(service, { token })
export const signOut = () => operatorSignOut(service)
export const readOverview = () => operatorGetOverview(service)
export const listWorkspaces = (cursor: string | null) =>
  operatorListWorkspaces(service, cursor === null ? {} : { cursor })
