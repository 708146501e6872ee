import { networkOf } from '../../../core/network.ts'

/** Under which names a failed sign-in is counted. */
export const subjectsOf = (emailKey: string, ip: string) => ({
  account: `email ${emailKey}`,
  address: `ip ${networkOf(ip)}`,
})

/** What a workspace is called until it chooses a name: the business, the person, or the address before its @. */
export const workspaceName = (input: { email: string; name?: string; businessName?: string }): string =>
  input.businessName ?? personName(input)

export const personName = ({ email, name }: { email: string; name?: string }): string =>
  name ?? (email.split('@', 1)[0] ?? email).slice(0, 120)
