import { isIP } from 'node:net'
import { addressIn } from '../../core/links.ts'
import { isPublicAddress } from './addresses.ts'

export type UrlRule = {
  /** Allows plain HTTP and private hosts: for a single machine and for tests, never where strangers enter the URL. */
  allowPrivate: boolean
}

/**
 * Names that resolve only inside a local network (RFC 6761, RFC 6762, RFC 8375), or that networks and clusters use
 * the same way.
 */
const LOCAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'svc',
  'home.arpa',
  'invalid',
  'onion',
]

/**
 * URL parsers drop blanks and control characters, and some read a backslash as a slash: one text could mean two
 * hosts.
 */
export const AMBIGUOUS = /[\p{Cc}\p{Z}\\]/u

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

function isPublicHost(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  if (!host.includes('.') || host.split('.').includes('')) return false
  return !LOCAL_SUFFIXES.some((suffix) => `.${host}`.endsWith(`.${suffix}`))
}

/**
 * The parsed URL if it may be called, else null: https to a public host, without credentials. Names are checked as
 * WHATWG URL parses them, so that decimal, octal, full-width and other spellings of an address count as that address.
 * The resolved addresses are checked when connecting (`outgoing.ts`).
 */
export function callableUrl(text: string, { allowPrivate }: UrlRule): URL | null {
  // An operator's base URL is followed by a path and a query of up to 2,000 characters.
  if (text.length > (allowPrivate ? 8_000 : 2_000) || AMBIGUOUS.test(text)) return null
  const url = addressIn(text)
  if (url === null) return null
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  // If the slashes are missing, one parser adds them and another reads a path.
  if (!schemes.includes(url.protocol) || !/^https?:\/\/[^/]/i.test(text)) return null
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)) return null
  return allowPrivate || isPublicHost(hostOf(url)) ? url : null
}
