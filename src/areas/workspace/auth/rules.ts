import { addressIn } from '../../../core/links.ts'
import { networkOf } from '../../../core/network.ts'

/** Under which names a failed sign-in is counted. */
export const subjectsOf = (emailKey: string, ip: string) => ({
  account: `email ${emailKey}`,
  address: `ip ${networkOf(ip)}`,
})

/** The name of a workspace until its owner chooses one: the business, the person, or the address before its @. */
export const workspaceName = (input: { email: string; name?: string; businessName?: string }): string =>
  input.businessName ?? personName(input)

export const personName = ({ email, name }: { email: string; name?: string }): string =>
  name ?? (email.split('@', 1)[0] ?? email).slice(0, 120)

const inLowerAscii = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Whether two addresses certainly belong to one mailbox. Members are looked up without case. A sign of another script
 * may then equal a Latin letter (the kelvin sign and k), although the two mailboxes belong to different people.
 */
export const isSameAddress = (one: string, other: string): boolean =>
  inLowerAscii(one.trim()) === inLowerAscii(other.trim())

const MAX_PATH = 500
const HERE = 'https://here.invalid'
/** Parsers drop blanks and controls and read a backslash as a slash: one text, two places. */
const AMBIGUOUS = /[\p{Cc}\p{Z}\\]/u

/**
 * A path of this service as a browser reads it, with query and fragment; null for a text that leads, or could be read to
 * lead, to another host.
 */
export function localPath(text: string): string | null {
  if (text.length > MAX_PATH || !text.startsWith('/') || AMBIGUOUS.test(text)) return null
  const address = addressIn(text, HERE)
  if (address === null) return null
  const { origin, pathname, search, hash } = address
  // Dots that go away may leave two slashes at the start, which name a host.
  return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : null
}
