import path from 'node:path'
import type { Config } from '../platform/config.ts'
import { VERSION } from '../platform/version.ts'
import { command, dataDirArg, say, settingsOf } from './command.ts'

export const serve = command({
  name: 'serve',
  description: 'Start the service: its database, the schema, the API',
  args: {
    host: { type: 'string', valueHint: 'address', description: 'Address to listen on (HOST)' },
    port: { type: 'string', valueHint: 'number', description: 'Port to listen on (PORT)' },
    ...dataDirArg,
  },
  environment: [
    'host',
    'port',
    'publicUrl',
    'dataDir',
    'databaseUrl',
    'databasePoolSize',
    'allowUnsafeDatabase',
    'logLevel',
    'logRequests',
    'secretsKey',
    'defaultTier',
    'rateLimitPerMinute',
    'trustProxy',
    'corsOrigins',
  ],
  examples: [
    ['kasir serve', 'with the embedded database under ./data'],
    ['kasir serve --port 8080 --host 0.0.0.0', 'for other machines on the network'],
    ['DATABASE_URL=postgres://kasir@db/kasir kasir serve', 'with a PostgreSQL of your own'],
  ],
  run: async (args) => {
    const config = settingsOf({ HOST: args.host, PORT: args.port, DATA_DIR: args['data-dir'] })
    const { startService } = await import('../main.ts')
    const service = await startService(config, say)
    stopOnSignals(service)
    const isNew = !(await service.deps.db
      .selectFrom('accounts')
      .select('accountId')
      .limit(1)
      .executeTakeFirst())
    for (const line of greeting(config, service.address, isNew)) say(line)
  },
})

type Stoppable = {
  stop(): Promise<void>
  deps: { log: { fatal(fields: object, message: string): void } }
}

/** A first signal drains, a second one gives up on whatever still hangs. */
function stopOnSignals({ stop, deps }: Stoppable) {
  let stopping = false
  const leave = (code: number) => {
    if (stopping) process.exit(1)
    stopping = true
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        deps.log.fatal({ err: error }, 'the service did not stop cleanly')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!stopping) say('Stopping: requests in flight finish first (again to stop at once)')
      leave(0)
    })
  }
  // A promise nobody awaited leaves the process in a state nobody thought of: finish what runs, then start afresh.
  for (const fault of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(fault, (error: unknown) => {
      deps.log.fatal({ err: error }, `${fault}: the service stops`)
      if (!stopping) leave(1)
    })
  }
}

/** What a person needs right after the start, and nothing else. */
function greeting(config: Config, address: string, isNew: boolean): string[] {
  const base = config.publicUrl?.replace(/\/$/, '') ?? address
  const lines = [
    `Kasir ${VERSION} is ready at ${base}`,
    `  API reference  ${base}/docs`,
    `  Data           ${path.resolve(config.dataDir)}`,
    `  Database       ${databaseName(config)}`,
  ]
  if (!isNew) return lines
  return [
    ...lines,
    'There is no workspace yet. Look at one that is full (npm run demo), or open your own:',
    `  curl ${base}/api/v1/auth/signup -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"you@example.com","password":"a long password","businessName":"Warung Saya"}'`,
  ]
}

/** Never the whole address: it may hold a password. */
function databaseName({ databaseUrl }: Config): string {
  if (databaseUrl === null) return 'embedded PostgreSQL'
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${hostname || 'a local socket'}${port === '' ? '' : `:${port}`}${pathname}`
}
