import { isIP } from 'node:net'
import { addressIn } from '../../core/links.ts'
import { type Network, networkFrom } from '../outgoing/printer-networks.ts'
import { callableUrl } from '../outgoing/urls.ts'

/** Parsers of each kind of setting: each returns the value, or throws an error that says what the value must be. */
const fault = (problem: string): never => {
  throw new Error(problem)
}
export const text = (raw: string) => raw
export const wholeNumber = (min: number, max: number) => (raw: string) => {
  const value = Number(raw)
  const good = /^\d+$/.test(raw) && value >= min && value <= max
  return good ? value : fault(`must be a whole number from ${min} to ${max}`)
}
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (raw: string): T =>
    words.find((word) => word === raw) ?? fault(`must be one of ${words.join(', ')}`)
export const orUnset =
  <T>(parse: (raw: string) => T) =>
  (raw: string): T | null =>
    raw === '' ? null : parse(raw)
export const flag = (raw: string) => {
  if (['1', 'true'].includes(raw)) return true
  if (['0', 'false', ''].includes(raw)) return false
  return fault('must be 1 or 0')
}
const list = (raw: string) =>
  raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
/** An origin as browsers send it (RFC 6454, 6.2): an origin with a path or a query would never match. */
const origin = (raw: string) => {
  const parsed = addressIn(raw)
  const isOrigin = parsed && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`
  return isOrigin
    ? parsed.origin
    : fault(`must list origins such as https://dash.example; "${raw}" is not one`)
}
export const origins = (raw: string) => list(raw).map(origin)

/** Names of address ranges that proxy-addr accepts. */
const RANGES = ['loopback', 'linklocal', 'uniquelocal']
const isRange = (part: string): boolean => {
  const [address = '', bits, ...rest] = part.split('/')
  const version = isIP(address)
  if (RANGES.includes(part)) return true
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
/** The number of proxies in front, or their addresses; a bare number is always the count. */
export const proxies = (raw: string): number | string[] => {
  const hops = Number(raw)
  if (/^\d+$/.test(raw) && hops <= 10) return hops
  const parts = list(raw)
  const strange = parts.find((part) => !isRange(part))
  if (strange === undefined) return parts
  return fault('must be the number of proxies in front, 0 to 10, or their addresses such as 10.0.0.0/8')
}
/** Networks of printers; null if unset. */
export const networks = (raw: string): readonly Network[] | null => {
  if (raw === '') return null
  if (raw === 'none') return []
  return list(raw).map(
    (part) =>
      networkFrom(part) ??
      fault(`must list networks such as 192.168.1.0/24, comma-separated, or be none; "${part}" is not one`),
  )
}
/** Whole seconds, up to a week each; an attempt planned for later is no longer a retry. */
export const seconds = (raw: string): readonly number[] => {
  const parts = list(raw)
  const good = parts.every((part) => /^\d{1,6}$/.test(part) && Number(part) <= 604_800)
  if (good && parts.length >= 1 && parts.length <= 50) return parts.map(Number)
  return fault('must list 1 to 50 whole seconds up to 604800, such as 0,5,300')
}
export const key = (raw: string) => {
  if (raw === '') return null
  return Buffer.from(raw, 'base64').length === 32 ? raw : fault('must be 32 bytes in base64')
}
/**
 * `smtp:` or `smtps:`, a host, and a user and password that can be decoded; the sender may use the text after the
 * `?`.
 */
export const mailServer = (raw: string) => {
  if (raw === '') return null
  const parsed = addressIn(raw)
  const isServer = parsed && /^smtps?:$/.test(parsed.protocol) && parsed.hostname !== '' && decodes(parsed)
  return isServer ? raw : fault('must be a URL such as smtps://user:password@mail.example:465')
}
const decodes = ({ username, password }: URL): boolean => {
  try {
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}
export const address = (raw: string) => {
  if (raw === '') return null
  return /^[^\s<>@,;"]+@[^\s<>@,;"]+$/.test(raw) ? raw : fault('must be an e-mail address')
}
export const url = (protocols: readonly string[]) => (raw: string) => {
  if (raw === '') return null
  const parsed = addressIn(raw) ?? fault(`must be a URL (${protocols.join(' or ')})`)
  return protocols.includes(parsed.protocol) ? raw : fault(`must start with ${protocols.join(' or ')}`)
}
export const bucket = (raw: string) =>
  /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,62}$/.test(raw) ? raw : fault('must be the name of a bucket')
/** A URL that this service calls; the operator's own may be in a private network and use plain HTTP. */
export const callable = (raw: string) => {
  if (raw === '') return null
  const url = callableUrl(raw, { allowPrivate: true })
  return url?.href ?? fault('must be a URL such as https://id.example/jwks.json, without a user or password')
}
/** The root of a partner's API: the service appends its paths to it. */
export const partner = (raw: string) => {
  if (raw === '') return null
  const url = callableUrl(raw, { allowPrivate: true })
  const isRoot = url && url.search === '' && url.hash === ''
  return isRoot
    ? url.href.replace(/\/+$/, '')
    : fault('must be a URL such as https://partner.example/api, without a user, password or query')
}
/** One secret, or two during a rotation: `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks defines them. */
export const signingSecrets = (raw: string): readonly string[] => {
  const parts = list(raw)
  const good = parts.every((part) => {
    const bytes = Buffer.from(part.replace(/^whsec_/, ''), 'base64')
    return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(part) && bytes.length >= 24 && bytes.length <= 64
  })
  const isFew = parts.length >= 1 && parts.length <= 2
  return good && isFew
    ? parts
    : fault('must be one or two secrets such as whsec_… with 24 to 64 bytes in base64')
}
export const slug = (raw: string) =>
  /^[a-z0-9][a-z0-9_-]{0,59}$/.test(raw) ? raw : fault('must be a word of a-z, 0-9, _ and -')
export const headerName = (raw: string) =>
  /^[a-z0-9-]{1,60}$/i.test(raw) ? raw.toLowerCase() : fault('must be the name of a header')
/** A key that is valid in a header. */
export const headerWord = (raw: string) =>
  /^[\x21-\x7e]{1,500}$/.test(raw) ? raw : fault('must be 1 to 500 visible ASCII characters')
