import { TIERS, type Tier } from '../core/plans.ts'

/** One row per setting: the configuration table of the README is printed from here. */
type Setting<T> = { env: string; fallback: string; help: string; parse(text: string): T }

const fault = (problem: string): never => {
  throw new Error(problem)
}
const text = (raw: string) => raw
const optional = (raw: string) => (raw === '' ? null : raw)
const whole = (min: number, max: number) => (raw: string) => {
  const value = Number(raw)
  const good = /^\d+$/.test(raw) && value >= min && value <= max
  return good ? value : fault(`must be a whole number from ${min} to ${max}`)
}
const oneOf =
  <T extends string>(words: readonly T[]) =>
  (raw: string): T =>
    words.find((word) => word === raw) ?? fault(`must be one of ${words.join(', ')}`)
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
const url = (protocols: readonly string[]) => (raw: string) => {
  if (raw === '') return null
  const parsed = URL.canParse(raw) ? new URL(raw) : fault(`must be a URL (${protocols.join(' or ')})`)
  return protocols.includes(parsed.protocol) ? raw : fault(`must start with ${protocols.join(' or ')}`)
}
const setting = <T>(env: string, fallback: string, parse: (text: string) => T, help: string): Setting<T> => ({
  env,
  fallback,
  help,
  parse,
})

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
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    url(['postgres:', 'postgresql:']),
    'PostgreSQL 15 or newer; unset starts the embedded one.',
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
    'Least severe line that is logged.',
  ),
  logRequests: setting(
    'LOG_REQUESTS',
    'slow',
    oneOf(['all', 'slow', 'none']),
    'Which successful requests leave a line; errors always do.',
  ),
  env: setting(
    'NODE_ENV',
    'production',
    oneOf(['production', 'development', 'test']),
    'test checks every reply against its schema.',
  ),
  secretsKey: setting(
    'SECRETS_KEY',
    '',
    optional,
    'Key for secrets at rest, 32 bytes in base64; unset: made once under DATA_DIR.',
  ),
  defaultTier: setting(
    'DEFAULT_TIER',
    'free',
    oneOf(TIERS) as (raw: string) => Tier,
    'Plan of a workspace without a subscription: free, starter, growth or business.',
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    '3000',
    whole(0, 10_000_000),
    'Requests a minute per credential; 0 switches the general limit off.',
  ),
  trustProxy: setting('TRUST_PROXY', '0', flag, '1 reads the client address from X-Forwarded-For.'),
  corsOrigins: setting('CORS_ORIGINS', '', list, 'Origins that browsers may call from, comma-separated.'),
} as const

type Settings = typeof SETTINGS
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> }

export class ConfigError extends Error {}

/** Parses the environment once; every fault is reported, not only the first. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const entries = Object.entries(SETTINGS).map(([name, { env: key, fallback, parse }]) => {
    try {
      return [name, parse((env[key] ?? fallback).trim() || fallback)]
    } catch (error) {
      faults.push(`${key} ${(error as Error).message} (it is "${env[key]}")`)
      return [name, undefined]
    }
  })
  const secret = env['SECRETS_KEY']
  if (secret && Buffer.from(secret, 'base64').length !== 32)
    faults.push('SECRETS_KEY must be 32 bytes in base64')
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return Object.fromEntries(entries) as Config
}
