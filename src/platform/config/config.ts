import { MODULES, type Module } from '../../core/modules.ts'
import { TIERS, type Tier } from '../../core/plans.ts'
import { type Environment, givenText } from './files.ts'
import { PARTNER_SETTINGS } from './partners.ts'
import { secret, setting } from './setting.ts'
import {
  address,
  bucket,
  callable,
  flag,
  headerName,
  key,
  mailServer,
  networks,
  oneOf,
  origins,
  orUnset,
  proxies,
  seconds,
  text,
  url,
  wholeNumber,
} from './values.ts'

export const SETTINGS = {
  host: setting('HOST', '127.0.0.1', text, 'Address to listen on; 0.0.0.0 for every interface.'),
  port: setting('PORT', '3000', wholeNumber(0, 65_535), 'Port to listen on; 0 picks a free one.'),
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Address that browsers use; https turns on secure cookies.',
  ),
  tlsCert: setting(
    'TLS_CERT',
    '',
    orUnset(text),
    'File with the certificate of the host in PUBLIC_URL and its chain (PEM): the service then speaks https itself; unset: plain http.',
  ),
  tlsKey: setting('TLS_KEY', '', orUnset(text), 'File with the private key of that certificate (PEM).'),
  dataDir: setting(
    'DATA_DIR',
    './data',
    text,
    'Where the embedded database, secrets and uploaded images live.',
  ),
  databaseUrl: secret(
    setting(
      'DATABASE_URL',
      '',
      url(['postgres:', 'postgresql:']),
      'PostgreSQL 15 or newer; unset starts the embedded one.',
    ),
  ),
  listenUrl: secret(
    setting(
      'LISTEN_URL',
      '',
      url(['postgres:', 'postgresql:']),
      'Direct URL of PostgreSQL if DATABASE_URL is a pooler in transaction mode: for live events, migrations and backups; unset: DATABASE_URL.',
    ),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '16',
    wholeNumber(2, 200),
    'Connections to the database held by this process.',
  ),
  readReplicaUrl: secret(
    setting(
      'READ_REPLICA_URL',
      '',
      url(['postgres:', 'postgresql:']),
      'Streaming standby of that PostgreSQL, from which reports are read (docs/scaling.md); unset: the primary answers them.',
    ),
  ),
  readReplicaMaxLag: setting(
    'READ_REPLICA_MAX_LAG',
    '60',
    wholeNumber(2, 86_400),
    'Seconds that the standby may be behind; beyond them the primary answers the reports.',
  ),
  salesTogether: setting('SALES_TOGETHER', '1', flag, '0 reads before each sale and writes it alone.'),
  databaseSharded: setting('DATABASE_SHARDED', 'auto', oneOf(['auto', 'always']), 'docs/scaling.md has it.'),
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
    'Who may open a workspace: open (anyone), first (anyone, until there is one) or closed (no one).',
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    '3000',
    wholeNumber(0, 10_000_000),
    'Requests a minute per credential; 0 switches the general limit off.',
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    '5000',
    wholeNumber(10, 1_000_000),
    'Client connections open at a time; one address may hold a quarter of them, a trusted proxy any number.',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    '',
    orUnset(wholeNumber(0, 65_535)),
    'Port for GET /metrics in the format of Prometheus; 0 picks a free one; unset: no metrics.',
  ),
  metricsHost: setting(
    'METRICS_HOST',
    '127.0.0.1',
    text,
    'Address that METRICS_PORT listens on. The figures need no credential: keep the port inside your network.',
  ),
  tracesUrl: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    url(['http:', 'https:']),
    'Address of an OpenTelemetry collector (OTLP over HTTP): requests are traced there; unset: no traces. Other settings of OpenTelemetry, such as OTEL_TRACES_SAMPLER and OTEL_EXPORTER_OTLP_HEADERS, hold as well.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    '0',
    proxies,
    'Proxies in front whose X-Forwarded-For is trusted: their number (0 to 10), or their addresses and ranges, comma-separated.',
  ),
  countryHeader: setting(
    'COUNTRY_HEADER',
    'cf-ipcountry',
    headerName,
    'Header in which the proxy in front sends the country of a visitor (ISO 3166); trusted only from proxies in TRUST_PROXY.',
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
    'Encryption to an smtp:// server: required (no mail is sent without it), optional (used if offered) or off; unset: required, but optional for a server on this machine.',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    '',
    callable,
    'OpenID Connect provider with which members can sign in; docs/authentication.md shows how. It needs PUBLIC_URL.',
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', '', orUnset(text), 'Client ID of this service at the provider.'),
  oidcClientSecret: secret(
    setting(
      'OIDC_CLIENT_SECRET',
      '',
      orUnset(text),
      'Client secret at the provider; unset: a public client.',
    ),
  ),
  idpIssuer: setting(
    'IDP_ISSUER',
    '',
    orUnset(text),
    'The `iss` of the JWTs your identity provider issues for Kasir, letter for letter; docs/authentication.md shows how.',
  ),
  idpAudience: setting('IDP_AUDIENCE', '', orUnset(text), 'The `aud` of those JWTs for this service.'),
  idpJwksUrl: secret(
    setting(
      'IDP_JWKS_URL',
      '',
      callable,
      "URL of the provider's signing keys; set all three IDP_ settings or none.",
    ),
  ),
  mailFrom: setting('MAIL_FROM', '', address, 'Sender of mails; unset: no-reply at the host of PUBLIC_URL.'),
  uploadsMaxMb: setting(
    'UPLOADS_MAX_MB',
    '1024',
    wholeNumber(0, 1_000_000),
    'Megabytes of uploaded images per workspace; 0: no limit.',
  ),
  s3Endpoint: setting(
    'S3_ENDPOINT',
    '',
    callable,
    'S3-compatible service for uploaded images, such as https://s3.example; unset: files under DATA_DIR/uploads.',
  ),
  s3Bucket: setting('S3_BUCKET', '', orUnset(bucket), 'Bucket for the images.'),
  s3Region: setting('S3_REGION', 'us-east-1', text, 'Region that requests to the bucket are signed for.'),
  s3AccessKeyId: setting(
    'S3_ACCESS_KEY_ID',
    '',
    orUnset(text),
    'Key that may read, write and delete in the bucket.',
  ),
  s3SecretAccessKey: secret(setting('S3_SECRET_ACCESS_KEY', '', orUnset(text), 'Its secret.')),
  s3PublicUrl: setting(
    'S3_PUBLIC_URL',
    '',
    url(['http:', 'https:']),
    'Public URL of the bucket, such as a CDN; unset: this service serves the images.',
  ),
  printerNetworks: setting(
    'PRINTER_NETWORKS',
    '',
    networks,
    'Networks that the service prints to, such as 192.168.1.0/24, comma-separated; none: no network printers; unset: the private networks, or none while SIGNUP is open.',
  ),
  webhookAllowPrivateUrls: setting(
    'WEBHOOK_ALLOW_PRIVATE_URLS',
    '0',
    flag,
    '1 lets webhooks call plain HTTP, this machine and its network; only with NODE_ENV=development.',
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
    wholeNumber(1, 100_000),
    'Failed attempts in a row that switch an endpoint off, if they span at least the time below.',
  ),
  webhookDisableMinAge: setting(
    'WEBHOOK_DISABLE_MIN_AGE',
    '3600',
    wholeNumber(0, 30 * 86_400),
    'Seconds that failures must last before they switch an endpoint off.',
  ),
  webhookTimeout: setting(
    'WEBHOOK_TIMEOUT',
    '15',
    wholeNumber(1, 60),
    'Timeout of an attempt in seconds, from the DNS look-up to the last byte of the response.',
  ),
  ...PARTNER_SETTINGS,
} as const

type Settings = typeof SETTINGS
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> }

const ANYWHERE: readonly string[] = ['0.0.0.0', '::', '']

/** Settings that are only useful together. */
const TOGETHER: readonly (readonly (keyof Settings)[])[] = [
  ['tlsCert', 'tlsKey'],
  ['s3Endpoint', 's3Bucket', 's3AccessKeyId', 's3SecretAccessKey'],
  ['idpIssuer', 'idpAudience', 'idpJwksUrl'],
  ['oidcIssuer', 'oidcClientId'],
  ['paymentPartnerUrl', 'paymentPartnerKey', 'paymentPartnerWebhookSecret'],
  ['fulfillmentPartnerUrl', 'fulfillmentPartnerKey', 'fulfillmentPartnerWebhookSecret'],
  ['marketingPartnerUrl', 'marketingPartnerKey'],
]

const isHttpsAddress = (value: unknown) => typeof value === 'string' && value.startsWith('https:')

/** The server in a URL of PostgreSQL; a socket directory is in its parameters. */
function serverIn(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`
}

const isSameServer = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && serverIn(one) === serverIn(other)

function* halves(config: Readonly<Record<string, unknown>>): Generator<string> {
  for (const names of TOGETHER) {
    const unset = names.filter((name) => config[name] === null).map((name) => SETTINGS[name].env)
    if (unset.length === 0 || unset.length === names.length) continue
    const all = names.map((name) => SETTINGS[name].env)
    yield `${unset.join(' and ')} must be set too: ${all.join(', ')} are all set, or none`
  }
  if (config['listenUrl'] !== null && config['databaseUrl'] === null) {
    yield 'DATABASE_URL must be set too: LISTEN_URL is the same database without the pooler'
  }
  if (config['readReplicaUrl'] !== null && config['databaseUrl'] === null) {
    yield 'DATABASE_URL must be set too: READ_REPLICA_URL is a standby of that database'
  }
  for (const name of ['databaseUrl', 'listenUrl'] as const) {
    if (isSameServer(config['readReplicaUrl'], config[name]))
      yield `READ_REPLICA_URL and ${SETTINGS[name].env} must differ: a read replica is another server`
  }
  if (config['tlsCert'] !== null && !isHttpsAddress(config['publicUrl'])) {
    yield 'PUBLIC_URL must be set too, to the https address that browsers open: the certificate in TLS_CERT is for its host'
  }
  if (typeof config['oidcIssuer'] === 'string' && config['publicUrl'] === null) {
    yield 'PUBLIC_URL must be set too: the provider at OIDC_ISSUER sends browsers back to it'
  }
  if (config['midtransServerKey'] !== null && config['paymentPartnerUrl'] !== null) {
    yield 'MIDTRANS_SERVER_KEY and PAYMENT_PARTNER_URL exclude each other: there is one payment partner'
  }
  if (config['biteshipApiKey'] !== null && config['fulfillmentPartnerUrl'] !== null) {
    yield 'BITESHIP_API_KEY and FULFILLMENT_PARTNER_URL exclude each other: there is one fulfillment partner'
  }
  if (config['paymentProviderSlug'] === config['fulfillmentProviderSlug']) {
    yield 'PAYMENT_PROVIDER_SLUG and FULFILLMENT_PROVIDER_SLUG must differ: each partner needs its own address'
  }
}

/** The address of the service for clients, without a trailing slash: PUBLIC_URL, else the address it listens on. */
export function addressOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== null) return publicUrl.replace(/\/$/, '')
  const name = ANYWHERE.includes(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

export class ConfigError extends Error {}

/** Parses the environment once and reports every error, not only the first. */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const entries = Object.entries(SETTINGS).map(([name, row]) => {
    const { env: key, fallback, parse, secret: hidden } = row
    try {
      return [name, parse(givenText(row, env) || fallback)]
    } catch (error) {
      faults.push(`${key} ${(error as Error).message}${hidden ? '' : ` (it is "${env[key]}")`}`)
      return [name, undefined]
    }
  })
  const config = Object.fromEntries(entries) as Config
  faults.push(...halves(config))
  if (config.webhookAllowPrivateUrls && config.env === 'production') {
    faults.push(
      'WEBHOOK_ALLOW_PRIVATE_URLS=1 needs NODE_ENV=development: otherwise every member of a workspace could reach this network',
    )
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return config
}

/** The modules whose reference partner the service runs itself. */
export function referencePartnersOf(config: Config): Module[] {
  const others: Record<Module, readonly unknown[]> = {
    payment: [config.paymentPartnerUrl, config.midtransServerKey],
    fulfillment: [config.fulfillmentPartnerUrl, config.biteshipApiKey],
    marketing: [config.marketingPartnerUrl],
  }
  return MODULES.filter((module) => others[module].every((each) => each === null))
}
