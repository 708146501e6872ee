import path from 'node:path'
import type { RunningService } from '../main.ts'
import { addressOf, type Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/open.ts'
import { interruptedRestore } from '../platform/doctor/machine.ts'
import { API_PREFIX } from '../platform/http/route.ts'
import { errorReport } from '../platform/log/error-text.ts'
import { standardOutput } from '../platform/log/output.ts'
import { VERSION } from '../platform/version.ts'
import { databaseName, writeAddress } from './address.ts'
import { command, dataDirArg, settingsOf } from './command.ts'
import { lanLines, qrLines } from './lan.ts'
import { ENDING_SIGNALS } from './signals.ts'

/** Prints through the log's output, so a stalled terminal or reader does not block the service. */
const say = (line: string) => standardOutput().write(`${line}\n`)

export const serve = command({
  name: 'serve',
  description: 'Start the service: its database, the schema, the API',
  args: {
    host: { type: 'string', valueHint: 'address', description: 'Address to listen on (HOST)' },
    port: { type: 'string', valueHint: 'number', description: 'Port to listen on (PORT)' },
    'new-key': {
      type: 'boolean',
      description: 'Replace a lost key for secrets; lists the data lost with it',
    },
    ...dataDirArg,
  },
  environment: [
    'host',
    'port',
    'publicUrl',
    'tlsCert',
    'tlsKey',
    'printerNetworks',
    'dataDir',
    'databaseUrl',
    'listenUrl',
    'databasePoolSize',
    'readReplicaUrl',
    'readReplicaMaxLag',
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
    'metricsPort',
    'metricsHost',
    'tracesUrl',
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
    const interruption = new AbortController()
    // Handles signals from here on: ending mid-start would leave the database running.
    const starting = startService(config, {
      say,
      onLost: () => onLost(),
      newKey: args['new-key'] ?? false,
      signal: interruption.signal,
    })
    const signals = stopOnSignals(starting, interruption)
    onLost = signals.lost
    const service = await starting.catch((error: unknown) => {
      if (interruption.signal.aborted && error === interruption.signal.reason) return null
      throw error
    })
    if (service === null || signals.isLeaving()) return
    await writeAddress(config, service.address)
    const isNew = await hasNoWorkspace(service.deps.db)
    for (const { found, remedy } of await interruptedRestore(config)) say(`Warning: ${found}. ${remedy}`)
    for (const line of greeting(config, service, isNew)) say(line)
  },
})

/** Used only by the greeting. False if the query fails, because the service also runs while a database worker is unreachable. */
export const hasNoWorkspace = (db: Db): Promise<boolean> =>
  db
    .selectFrom('accounts')
    .select('accountId')
    .limit(1)
    .executeTakeFirst()
    .then(
      (found) => found === undefined,
      () => false,
    )

/**
 * The first signal drains requests; a second one exits immediately. `lost` stops the service after a fault it cannot repair
 * itself, so that a supervisor restarts it.
 */
function stopOnSignals(
  starting: Promise<RunningService>,
  interruption: AbortController,
): { lost(): void; isLeaving(): boolean } {
  let leaving = false
  const leave = (code: number) => {
    leaving = true
    const exit = (exitCode: number) =>
      standardOutput()
        .drained()
        .then(() => process.exit(exitCode))
    const end = ({ stop }: RunningService) =>
      stop().then(
        () => exit(code),
        (error: unknown) => {
          console.error(errorReport(error))
          return exit(1)
        },
      )
    // A failed start reports its reason and stops what it started.
    starting.then(end, () => {})
  }
  for (const signal of ENDING_SIGNALS) {
    process.on(signal, () => {
      // A closing terminal may send SIGHUP after another signal.
      if (leaving && signal === 'SIGHUP') return
      if (leaving) process.exit(1)
      say('Stopping: requests in flight finish first (repeat to stop immediately)')
      interruption.abort()
      leave(0)
    })
  }
  const fail = (error: unknown) => {
    starting.then(
      ({ deps }) => deps.log.fatal({ err: error }, 'unexpected error; the service stops'),
      () => {},
    )
    if (!leaving) leave(1)
  }
  // After an unexpected error the state of the process is unknown: finish the running requests, then restart.
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  return { lost: () => leaving || leave(1), isLeaving: () => leaving }
}

/** The lines an operator needs right after the start. */
export function greeting(
  config: Config,
  { address, metricsAddress }: Pick<RunningService, 'address' | 'metricsAddress'>,
  isNew: boolean,
): string[] {
  const base = config.publicUrl === null ? address : addressOf(config)
  const lines = [
    `Kasir ${VERSION} is ready at ${base}`,
    `  API reference  ${base}/docs`,
    `  Data           ${path.resolve(config.dataDir)}`,
    `  Database       ${databaseName(config)}`,
    ...(metricsAddress === null ? [] : [`  Metrics        ${metricsAddress}`]),
    ...(config.tlsCert === null ? lanLines(config.host, address) : qrLines(base)),
  ]
  if (!isNew) return lines
  return [...lines, ...firstSteps(config, base)]
}

/** How to open the first workspace. With SIGNUP=first, the demo would take the place of the owner's. */
function firstSteps({ signup }: Config, base: string): string[] {
  if (signup === 'closed') {
    return [
      'There is no workspace yet, and SIGNUP=closed refuses all sign-ups. To open yours, start with SIGNUP=first.',
    ]
  }
  return [
    signup === 'first'
      ? 'There is no workspace yet, and only the first sign-up is accepted. Open yours:'
      : 'There is no workspace yet. Look at a full one (kasir demo, in a clone npm run demo), or open your own:',
    `  curl ${base}${API_PREFIX}/auth/signup -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"you@example.com","password":"a long password","businessName":"Warung Saya"}'`,
  ]
}
