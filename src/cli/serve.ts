import path from 'node:path'
import type { Service } from '../main.ts'
import { addressOf, type Config } from '../platform/config.ts'
import { errorReport } from '../platform/error-text.ts'
import { API_PREFIX } from '../platform/http/route.ts'
import { VERSION } from '../platform/version.ts'
import { keepAddress } from './address.ts'
import { command, dataDirArg, say, settingsOf } from './command.ts'

export const serve = command({
  name: 'serve',
  description: 'Start the service: its database, the schema, the API',
  args: {
    host: { type: 'string', valueHint: 'address', description: 'Address to listen on (HOST)' },
    port: { type: 'string', valueHint: 'number', description: 'Port to listen on (PORT)' },
    'new-key': {
      type: 'boolean',
      description: 'Give up a lost key for secrets and continue with another; says what is lost with it',
    },
    ...dataDirArg,
  },
  environment: [
    'host',
    'port',
    'publicUrl',
    'dataDir',
    'databaseUrl',
    'listenUrl',
    'databasePoolSize',
    'salesTogether',
    'databaseSharded',
    'allowUnsafeDatabase',
    'logLevel',
    'logRequests',
    'secretsKey',
    'defaultTier',
    'signup',
    'rateLimitPerMinute',
    'maxConnections',
    'trustProxy',
    'countryHeader',
    'corsOrigins',
    'oidcIssuer',
    'oidcClientId',
    'oidcClientSecret',
    'idpIssuer',
    'idpAudience',
    'idpJwksUrl',
    'smtpUrl',
    'smtpTls',
    'mailFrom',
    'uploadsMaxMb',
    's3Endpoint',
    's3Bucket',
    's3Region',
    's3AccessKeyId',
    's3SecretAccessKey',
    's3PublicUrl',
    'webhookAllowPrivateUrls',
    'webhookRetrySchedule',
    'webhookDisableAfter',
    'webhookDisableMinAge',
    'webhookTimeout',
    'midtransServerKey',
    'midtransUrl',
    'midtransVaBank',
    'paymentPartnerUrl',
    'paymentPartnerKey',
    'paymentPartnerWebhookSecret',
    'paymentProviderSlug',
    'referencePaymentPort',
    'referencePaymentPublicUrl',
    'biteshipApiKey',
    'biteshipUrl',
    'biteshipWebhookHeader',
    'biteshipWebhookSecret',
    'fulfillmentPartnerUrl',
    'fulfillmentPartnerKey',
    'fulfillmentPartnerWebhookSecret',
    'fulfillmentProviderSlug',
    'referenceFulfillmentPort',
    'referenceFulfillmentPublicUrl',
    'marketingPartnerUrl',
    'marketingPartnerKey',
    'referenceMarketingPort',
    'referenceMarketingPublicUrl',
  ],
  examples: [
    ['kasir serve', 'with the embedded database under ./data'],
    ['kasir serve --port 8080 --host 0.0.0.0', 'for other machines on the network'],
    ['DATABASE_URL=postgres://kasir@db/kasir kasir serve', 'with a PostgreSQL of your own'],
  ],
  run: async (args) => {
    const config = settingsOf({ HOST: args.host, PORT: args.port, DATA_DIR: args['data-dir'] })
    const { startService } = await import('../main.ts')
    let onLost = () => {}
    // From here on signals are ours: ended in mid-start, the service would leave its database behind.
    const starting = startService(config, {
      say,
      onLost: () => onLost(),
      newKey: args['new-key'] ?? false,
    })
    const signals = stopOnSignals(starting)
    onLost = signals.lost
    const service = await starting
    if (signals.isLeaving()) return
    await keepAddress(config, service.address)
    const isNew = !(await service.deps.db
      .selectFrom('accounts')
      .select('accountId')
      .limit(1)
      .executeTakeFirst())
    for (const line of greeting(config, service.address, isNew)) say(line)
  },
})

/**
 * A first signal drains, a second one gives up on whatever still hangs. `lost` stops for a fault that nobody can mend
 * from inside: a supervisor starts the service again.
 */
function stopOnSignals(starting: Promise<Service>): { lost(): void; isLeaving(): boolean } {
  let leaving = false
  const leave = (code: number) => {
    leaving = true
    const end = ({ stop }: Service) =>
      stop().then(
        () => process.exit(code),
        (error: unknown) => {
          console.error(errorReport(error))
          process.exit(1)
        },
      )
    // A start that failed says why by itself and stops what it had started.
    starting.then(end, () => {})
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (leaving) process.exit(1)
      say('Stopping: requests in flight finish first (again to stop at once)')
      leave(0)
    })
  }
  const fail = (error: unknown) => {
    starting.then(
      ({ deps }) => deps.log.fatal({ err: error }, 'an unforeseen fault: the service stops'),
      () => {},
    )
    if (!leaving) leave(1)
  }
  // After a fault nobody foresaw the process is in a state nobody thought of: finish what runs, then start afresh.
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  return { lost: () => leaving || leave(1), isLeaving: () => leaving }
}

/** What a person needs right after the start, and nothing else. */
function greeting(config: Config, address: string, isNew: boolean): string[] {
  const base = config.publicUrl === null ? address : addressOf(config)
  const lines = [
    `Kasir ${VERSION} is ready at ${base}`,
    `  API reference  ${base}/docs`,
    `  Data           ${path.resolve(config.dataDir)}`,
    `  Database       ${databaseName(config)}`,
  ]
  if (!isNew) return lines
  return [
    ...lines,
    'There is no workspace yet. Look at a full one (kasir demo, in a clone npm run demo), or open your own:',
    `  curl ${base}${API_PREFIX}/auth/signup -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"you@example.com","password":"a long password","businessName":"Warung Saya"}'`,
  ]
}

/** Never the whole address: it may hold a password. */
function databaseName({ databaseUrl }: Config): string {
  if (databaseUrl === null) return 'embedded PostgreSQL'
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${hostname || 'a local socket'}${port === '' ? '' : `:${port}`}${pathname}`
}
