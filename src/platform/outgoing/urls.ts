import { isIP } from 'node:net'
import { addressIn } from '../../core/links.ts'
import { isPublicAddress } from './addresses.ts'

export type UrlRule = {
  /** Plain http and hosts of private networks: for one machine and for tests, never where strangers name the URL. */
  allowPrivate: boolean
}

/** Names that resolve inside of a house only (RFC 6761, RFC 6762, RFC 8375), or that networks use as if they did. */
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
  'home.arpa',
  'invalid',
  'onion',
]

/** Blanks and controls are dropped by URL parsers, and a backslash is read as a slash by some: one text, two hosts. */
const AMBIGUOUS = /[\p{Cc}\p{Z}\\]/u

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

function isPublicHost(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  if (!host.includes('.') || host.split('.').includes('')) return false
  return !LOCAL_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))
}

/**
 * The parsed URL that may be called from here, or null: https to a public host, without credentials. Names are looked
 * at as WHATWG URL reads them, so that decimal, octal, full-width and other spellings of an address are that address.
 * What a name resolves to is checked when it is connected to (`outgoing.ts`).
 */
export function callableUrl(text: string, { allowPrivate }: UrlRule): URL | null {
  if (text.length > 2_000 || AMBIGUOUS.test(text)) return null
  const url = addressIn(text)
  if (url === null) return null
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  // Without the slashes a parser adds them, and another program reads a path.
  if (!schemes.includes(url.protocol) || !/^https?:\/\/[^/]/i.test(text)) return null
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)) return null
  return allowPrivate || isPublicHost(hostOf(url)) ? url : null
}
