import { isIP } from 'node:net'
import { TIERS, type Tier } from '../core/plans.ts'
import { callableUrl } from './outgoing/urls.ts'

/** One row per setting: docs/configuration.md is printed from here. The value of a secret one is never shown. */
type Setting<T> = { env: string; fallback: string; help: string; secret: boolean; parse(text: string): T }

const fault = (problem: string): never => {
  throw new Error(problem)
}
const text = (raw: string) => raw
const whole = (min: number, max: number) => (raw: string) => {
  const value = Number(raw)
  const good = /^\d+$/.test(raw) && value >= min && value <= max
  return good ? value : fault(`must be a whole number from ${min} to ${max}`)
}
const oneOf =
  <T extends string>(words: readonly T[]) =>
  (raw: string): T =>
    words.find((word) => word === raw) ?? fault(`must be one of ${words.join(', ')}`)
const orUnset =
  <T>(parse: (raw: string) => T) =>
  (raw: string): T | null =>
    raw === '' ? null : parse(raw)
const flag = (raw: string) => {
  if (['1', 'true'].includes(raw)) return true
  if (['0', 'false', ''].includes(raw)) return false
  return fault('must be 1 or 0')
}
const list = (raw: string) =>
  raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
/** An origin as browsers send it (RFC 6454, 6.2): a path or a query would match none. */
const origin = (raw: string) => {
  const parsed = URL.canParse(raw) ? new URL(raw) : null
  const isOrigin = parsed && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`
  return isOrigin
    ? parsed.origin
    : fault(`must list origins such as https://dash.example; "${raw}" is not one`)
}
const origins = (raw: string) => list(raw).map(origin)

/** Names of address ranges that proxy-addr knows. */
const RANGES = ['loopback', 'linklocal', 'uniquelocal']
const isRange = (part: string): boolean => {
  const [address = '', bits, ...rest] = part.split('/')
  const version = isIP(address)
  if (RANGES.includes(part)) return true
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
/** How many proxies are in front, or their addresses; a bare number is always the former. */
const proxies = (raw: string): number | string[] => {
  const hops = Number(raw)
  if (/^\d+$/.test(raw) && hops <= 10) return hops
  const parts = list(raw)
  const strange = parts.find((part) => !isRange(part))
  if (strange === undefined) return parts
  return fault('must be the number of proxies in front, 0 to 10, or their addresses such as 10.0.0.0/8')
}
/** Whole seconds, up to a week each; an attempt that is planned for later is no retry any more. */
const seconds = (raw: string): readonly number[] => {
  const parts = list(raw)
  const good = parts.every((part) => /^\d{1,6}$/.test(part) && Number(part) <= 604_800)
  if (good && parts.length >= 1 && parts.length <= 50) return parts.map(Number)
  return fault('must list 1 to 50 whole seconds up to 604800, such as 0,5,300')
}
const key = (raw: string) => {
  if (raw === '') return null
  return Buffer.from(raw, 'base64').length === 32 ? raw : fault('must be 32 bytes in base64')
}
/** `smtp:` or `smtps:`, a host, and a user and password that can be decoded; what follows the `?` is the sender's. */
const mailServer = (raw: string) => {
  if (raw === '') return null
  const parsed = URL.canParse(raw) ? new URL(raw) : null
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
const address = (raw: string) => {
  if (raw === '') return null
  return /^[^\s<>@,;"]+@[^\s<>@,;"]+$/.test(raw) ? raw : fault('must be an e-mail address')
}
const url = (protocols: readonly string[]) => (raw: string) => {
  if (raw === '') return null
  const parsed = URL.canParse(raw) ? new URL(raw) : fault(`must be a URL (${protocols.join(' or ')})`)
  return protocols.includes(parsed.protocol) ? raw : fault(`must start with ${protocols.join(' or ')}`)
}
/** An address this service calls; the operator's own may lie in a private network and speak plain http. */
const callable = (raw: string) => {
  if (raw === '') return null
  const url = callableUrl(raw, { allowPrivate: true })
  return url?.href ?? fault('must be a URL such as https://id.example/jwks.json, without a user or password')
}
/** The root of a partner's API: its routes are put behind it. */
const partner = (raw: string) => {
  if (raw === '') return null
  const url = callableUrl(raw, { allowPrivate: true })
  const isRoot = url && url.search === '' && url.hash === ''
  return isRoot
    ? url.href.replace(/\/+$/, '')
    : fault('must be a URL such as https://partner.example/api, without a user, password or query')
}
/** A key as it goes into a header. */
const headerWord = (raw: string) =>
  /^[\x21-\x7e]{1,500}$/.test(raw) ? raw : fault('must be 1 to 500 visible ASCII characters')
const setting = <T>(env: string, fallback: string, parse: (text: string) => T, help: string): Setting<T> => ({
  env,
  fallback,
  help,
  secret: false,
  parse,
})
const secret = <T>(row: Setting<T>): Setting<T> => ({ ...row, secret: true })

export const SETTINGS = {
  host: setting('HOST', '127.0.0.1', text, 'Address to listen on; 0.0.0.0 for every interface.'),
  port: setting('PORT', '3000', whole(0, 65_535), 'Port to listen on; 0 picks a free one.'),
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Address that browsers use; https turns on secure cookies.',
  ),
  dataDir: setting('DATA_DIR', './data', text, 'Where the embedded database and secrets live.'),
  databaseUrl: secret(
    setting(
      'DATABASE_URL',
      '',
      url(['postgres:', 'postgresql:']),
      'PostgreSQL 15 or newer; unset starts the embedded one.',
    ),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '16',
    whole(2, 200),
    'Connections to the database held by this process.',
  ),
  allowUnsafeDatabase: setting(
    'ALLOW_UNSAFE_DATABASE',
    '0',
    flag,
    '1 starts even when fsync, full_page_writes or synchronous_commit is off.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'Lowest level that is logged.',
  ),
  logRequests: setting(
    'LOG_REQUESTS',
    'slow',
    oneOf(['all', 'slow', 'none']),
    'Which successful requests are logged; errors always are.',
  ),
  env: setting(
    'NODE_ENV',
    'production',
    oneOf(['production', 'development', 'test']),
    'test checks every reply against its schema.',
  ),
  secretsKey: secret(
    setting(
      'SECRETS_KEY',
      '',
      key,
      'Key for secrets at rest, 32 bytes in base64, the same for every process of one database; unset: created once under DATA_DIR.',
    ),
  ),
  defaultTier: setting(
    'DEFAULT_TIER',
    'free',
    oneOf(TIERS) as (raw: string) => Tier,
    'Plan of every workspace: free, starter, growth or business.',
  ),
  signup: setting(
    'SIGNUP',
    'open',
    oneOf(['open', 'first', 'closed'] as const),
    'Who may open a workspace: open (anyone), first (anyone, until there is one) or closed (nobody).',
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    '3000',
    whole(0, 10_000_000),
    'Requests a minute per credential; 0 switches the general limit off.',
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    '5000',
    whole(10, 1_000_000),
    'Client connections open at a time; one address may hold a quarter of them, a trusted proxy any number.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    '0',
    proxies,
    'Proxies in front whose X-Forwarded-For counts: how many (0 to 10), or their addresses and ranges, comma-separated.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    '',
    origins,
    'Origins that browsers may call from, such as https://dash.example, comma-separated.',
  ),
  smtpUrl: secret(
    setting(
      'SMTP_URL',
      '',
      mailServer,
      'Mail server, smtp:// or smtps://user:password@host:port; unset: mails are files under DATA_DIR/mail.',
    ),
  ),
  smtpTls: setting(
    'SMTP_TLS',
    '',
    orUnset(oneOf(['required', 'optional', 'off'])),
    'Encryption to an smtp:// server: required (nothing is sent without it), optional (used where offered) or off; unset: required, but optional for a server on this machine.',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    '',
    callable,
    'Provider on whose page members may sign in (OpenID Connect); docs/authentication.md shows how. It needs PUBLIC_URL.',
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    '',
    orUnset(text),
    'By which name the provider knows this service.',
  ),
  oidcClientSecret: secret(
    setting('OIDC_CLIENT_SECRET', '', orUnset(text), 'Its password at the provider; unset: a public client.'),
  ),
  idpIssuer: setting(
    'IDP_ISSUER',
    '',
    orUnset(text),
    'The `iss` of the JWTs your identity provider issues for Kasir, letter for letter; docs/authentication.md shows how.',
  ),
  idpAudience: setting('IDP_AUDIENCE', '', orUnset(text), 'The `aud` by which those JWTs mean this service.'),
  idpJwksUrl: secret(
    setting(
      'IDP_JWKS_URL',
      '',
      callable,
      'Where the provider publishes the keys that sign them; the three IDP_ settings belong together.',
    ),
  ),
  mailFrom: setting('MAIL_FROM', '', address, 'Sender of mails; unset: no-reply at the host of PUBLIC_URL.'),
  webhookAllowPrivateUrls: setting(
    'WEBHOOK_ALLOW_PRIVATE_URLS',
    '0',
    flag,
    '1 lets webhooks call plain http and this machine or network; only with NODE_ENV=development.',
  ),
  webhookRetrySchedule: setting(
    'WEBHOOK_RETRY_SCHEDULE',
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    seconds,
    'Seconds before each attempt at a webhook, the first included, comma-separated.',
  ),
  webhookDisableAfter: setting(
    'WEBHOOK_DISABLE_AFTER',
    '20',
    whole(1, 100_000),
    'Failed attempts in a row that switch an endpoint off, once the run has the age below.',
  ),
  webhookDisableMinAge: setting(
    'WEBHOOK_DISABLE_MIN_AGE',
    '3600',
    whole(0, 30 * 86_400),
    'Seconds that a run of failures must have lasted before it switches an endpoint off.',
  ),
  webhookTimeout: setting(
    'WEBHOOK_TIMEOUT',
    '15',
    whole(1, 60),
    'Seconds that a receiver has to answer an attempt, from the look-up of its name to the last byte.',
  ),
  paymentPartnerUrl: setting(
    'PAYMENT_PARTNER_URL',
    '',
    partner,
    'Where the partner of the payment module is reached; unset: the module cannot be switched on.',
  ),
  paymentPartnerKey: secret(
    setting(
      'PAYMENT_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; both settings belong together.',
    ),
  ),
  fulfillmentPartnerUrl: setting(
    'FULFILLMENT_PARTNER_URL',
    '',
    partner,
    'Where the partner of the fulfillment module is reached; unset: the module cannot be switched on.',
  ),
  fulfillmentPartnerKey: secret(
    setting(
      'FULFILLMENT_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; both settings belong together.',
    ),
  ),
  marketingPartnerUrl: setting(
    'MARKETING_PARTNER_URL',
    '',
    partner,
    'Where the partner of the marketing module is reached; unset: the module works without what a partner adds.',
  ),
  marketingPartnerKey: secret(
    setting(
      'MARKETING_PARTNER_KEY',
      '',
      orUnset(headerWord),
      'The key of this installation at that partner; both settings belong together.',
    ),
  ),
} as const

type Settings = typeof SETTINGS
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> }

const ANYWHERE: readonly string[] = ['0.0.0.0', '::', '']

/** Settings that mean nothing without each other. */
const TOGETHER: readonly (readonly (keyof Settings)[])[] = [
  ['idpIssuer', 'idpAudience', 'idpJwksUrl'],
  ['oidcIssuer', 'oidcClientId'],
  ['paymentPartnerUrl', 'paymentPartnerKey'],
  ['fulfillmentPartnerUrl', 'fulfillmentPartnerKey'],
  ['marketingPartnerUrl', 'marketingPartnerKey'],
]

function* halves(config: Readonly<Record<string, unknown>>): Generator<string> {
  for (const names of TOGETHER) {
    const unset = names.filter((name) => config[name] === null).map((name) => SETTINGS[name].env)
    if (unset.length === 0 || unset.length === names.length) continue
    const all = names.map((name) => SETTINGS[name].env)
    yield `${unset.join(' and ')} must be set too: ${all.join(', ')} are all set, or none`
  }
  if (typeof config['oidcIssuer'] === 'string' && config['publicUrl'] === null) {
    yield 'PUBLIC_URL must be set too: the provider at OIDC_ISSUER sends browsers back to it'
  }
}

/** Where clients reach the service, without a slash at the end: PUBLIC_URL, else what it listens on. */
export function addressOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== null) return publicUrl.replace(/\/$/, '')
  const name = ANYWHERE.includes(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

export class ConfigError extends Error {}

/** Parses the environment once; every fault is reported, not only the first. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const entries = Object.entries(SETTINGS).map(([name, { env: key, fallback, parse, secret: hidden }]) => {
    try {
      return [name, parse((env[key] ?? fallback).trim() || fallback)]
    } catch (error) {
      faults.push(`${key} ${(error as Error).message}${hidden ? '' : ` (it is "${env[key]}")`}`)
      return [name, undefined]
    }
  })
  const config = Object.fromEntries(entries) as Config
  faults.push(...halves(config))
  if (config.webhookAllowPrivateUrls && config.env === 'production') {
    faults.push(
      'WEBHOOK_ALLOW_PRIVATE_URLS=1 needs NODE_ENV=development: anybody with a workspace could reach this network',
    )
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return config
}
