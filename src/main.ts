import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { setIdTime } from './core/ids.ts'
import type { Module } from './core/modules.ts'
import { openOidc } from './platform/auth/oidc.ts'
import { openSignedTokens } from './platform/auth/signed.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { StartError, systemCode } from './platform/db/embedded/fault.ts'
import { durabilityFaults, migrate } from './platform/db/migrate.ts'
import { type OpenDb, openDb, type Pooler, poolWaitMs } from './platform/db/open.ts'
import { findPooler, poolerFault, requireSessions } from './platform/db/pooler.ts'
import { openPulse } from './platform/db/pulse.ts'
import type { Deps } from './platform/deps.ts'
import { exposures } from './platform/exposure.ts'
import { API_PREFIX } from './platform/http/route.ts'
import { createJobBoard } from './platform/job-board.ts'
import { openKeptFiles } from './platform/kept-files.ts'
import type { Secrets } from './platform/keyring.ts'
import { createLive, type LiveTuning } from './platform/live.ts'
import { makeLog } from './platform/log.ts'
import { openOutgoing } from './platform/outgoing/outgoing.ts'
import type { Tuning as PartnerTuning } from './platform/partners/client.ts'
import { type OwnPartner, openPartners } from './platform/partners/partners.ts'
import { openSecrets } from './platform/secrets-key.ts'
import { findEngine } from './platform/sharding/engine.ts'
import { noWorkers, openWorkerPulse } from './platform/sharding/pulse.ts'
import { openStorage } from './platform/storage.ts'
import { startDispatcher } from './platform/webhooks/dispatcher.ts'
import { startWorker } from './platform/worker.ts'

/** Reports to a person what happens, one line at a time. */
export type Say = (line: string) => void
type Lost = (error: StartError) => void
/** `directUrl` is that of PostgreSQL itself, where locks of a session and LISTEN last. */
export type Database = { url: string; directUrl: string; stop(): Promise<void> }

/** The database of the configuration: the one at DATABASE_URL, or the embedded one under DATA_DIR. */
export async function openDatabase(config: Config, say: Say, onLost?: Lost): Promise<Database> {
  const { databaseUrl: url } = config
  if (url !== null) return { url, directUrl: config.listenUrl ?? url, stop: async () => {} }
  const { startEmbedded } = await import('./platform/db/embedded.ts')
  const embedded = await startEmbedded({
    dataDir: path.resolve(config.dataDir),
    say,
    ...(onLost ? { onLost } : {}),
  })
  return { url: embedded.url, directUrl: embedded.url, stop: embedded.stop }
}

/**
 * Refuses a database that could lose an acknowledged sale or is spread over workers in part, and brings the schema up to
 * date. Answers the names of the migrations it applied.
 */
export async function prepareDatabase(config: Config, url: string): Promise<string[]> {
  const applied = await prepareSchema(config, url)
  const { faults } = await findEngine(url)
  if (faults.length > 0) {
    throw new StartError(
      'DATABASE_HALF_SHARDED',
      `Not every table lies where it should (${faults.slice(0, 3).join('; ')}): run kasir shard, which goes on where it was cut off.`,
    )
  }
  return applied
}

/** The same without a look at where tables lie: what is to be spread may be half spread. */
export async function prepareSchema(config: Config, url: string): Promise<string[]> {
  const faults = await durabilityFaults(url).catch((error: Error) => {
    throw new StartError(
      'DATABASE_UNREACHABLE',
      `The database at ${nameOfUrl(config)} does not answer: ${error.message}`,
    )
  })
  if (config.databaseUrl !== null) await requireSessions(url, nameOfUrl(config))
  if (faults.length > 0 && !config.allowUnsafeDatabase) {
    throw new StartError(
      'DATABASE_UNSAFE',
      `This database can lose what it has confirmed (${faults.join(', ')}). Fix it, or set ALLOW_UNSAFE_DATABASE=1 to accept the loss.`,
    )
  }
  return migrate(url).catch((error: Error) => {
    throw new StartError('SCHEMA_REFUSED', error.message)
  })
}

const nameOfUrl = ({ listenUrl }: Config) => (listenUrl === null ? 'DATABASE_URL' : 'LISTEN_URL')

async function usablePooler(url: string): Promise<Pooler | null> {
  const pooler = await findPooler(url).catch((error: Error) => {
    throw new StartError(
      'DATABASE_UNREACHABLE',
      `The pooler at DATABASE_URL does not answer: ${error.message}`,
    )
  })
  const fault = poolerFault(pooler, true)
  if (fault !== null) throw new StartError('DATABASE_POOLED', fault)
  return pooler
}

export type DepsOptions = {
  config: Config
  url: string
  clock?: Clock
  log?: Deps['log']
  live?: Partial<LiveTuning>
  partnerTuning?: Partial<PartnerTuning>
  /** Gives up the key for secrets that this database was used with (platform/secrets-key.ts). */
  newKey?: boolean
  /** Starts the partners that this process runs itself, once its secrets are open. */
  startOwnPartners?: (secrets: Secrets, pooler: Pooler | null) => Promise<Partial<Record<Module, OwnPartner>>>
}

type PoolOptions = {
  config: Config
  url: string
  pooler: Pooler | null
  log: Deps['log']
  isSharded: boolean
}

function openPool({ config, url, pooler, log, isSharded }: PoolOptions): OpenDb {
  let closing = false
  const opened = openDb({
    url,
    pooler,
    poolSize: config.databasePoolSize,
    waitMs: poolWaitMs(config.env),
    isSharded: config.databaseSharded === 'always' || isSharded,
    onError: (error) => {
      // A database that shuts down right behind us reports to connections that are already closing.
      if (closing) return
      // The driver hangs its whole client on the error; the log needs the reason only.
      log.warn({ code: systemCode(error), reason: error.message }, 'a database connection was lost')
    },
  })
  const close = () => {
    closing = true
    return opened.close()
  }
  return { ...opened, close }
}

export async function makeDeps({
  config,
  url,
  clock = systemClock,
  log,
  live: tuning,
  partnerTuning = {},
  newKey = false,
  startOwnPartners,
}: DepsOptions): Promise<Deps & { close(): Promise<void> }> {
  const logger = log ?? makeLog(config.logLevel)
  setIdTime(() => clock.ms())
  const directUrl = config.listenUrl ?? url
  const pooler = directUrl === url ? null : await usablePooler(url)
  const { isSharded } = await findEngine(directUrl)
  const opened = openPool({ config, url, pooler, log: logger, isSharded })
  const { db, pool } = opened
  const closeFirst = async (error: unknown): Promise<never> => {
    await opened.close()
    throw error
  }
  const secrets = await openSecrets({ config, db, clock, newKey, warn: logger.warn.bind(logger) }).catch(
    closeFirst,
  )
  const own = await startOwnPartners?.(secrets, pooler).catch(closeFirst)
  const tokens = openSignedTokens({ config, clock, log: logger, secrets })
  const oidc = openOidc({ config, clock, log: logger, callback: `${API_PREFIX}/auth/oidc/callback` })
  const stopWatching = secrets.watch()
  const live = createLive({ url: directUrl, clock, log: logger, tuning })
  const pulse = openPulse(url)
  const workers = isSharded ? openWorkerPulse(directUrl) : noWorkers
  const { events } = await import('./events.ts')
  const outgoing = openOutgoing({ allowPrivate: config.webhookAllowPrivateUrls })
  const partners = openPartners({ config, own, tuning: partnerTuning, now: () => clock.now() })
  const storage = openStorage(config)
  const close = async () => {
    stopWatching()
    for (const one of [live, outgoing, partners, storage, pulse, workers, tokens, oidc]) await one?.close()
    await opened.close()
  }
  const jobs = createJobBoard()
  return Object.freeze({
    config,
    clock,
    db,
    pool,
    log: logger,
    secrets,
    tokens,
    oidc,
    live,
    pulse,
    workers,
    jobs,
    outgoing,
    partners,
    storage,
    keptFiles: openKeptFiles({ dir: path.resolve(config.dataDir, 'feeds'), clock, log: logger }),
    events,
    close,
  })
}

export type Service = { app: FastifyInstance; address: string; deps: Deps; stop(): Promise<void> }

/** How long requests in flight may take to finish once the service has been asked to stop (B-unknown-4). */
const DRAIN_MS = 10_000

/**
 * Starts everything in order and returns how to stop it in the reverse order. `onLost` is called when the embedded
 * database keeps dying: the service cannot go on and should be stopped.
 */
export async function startService(
  config: Config,
  { say, onLost, newKey = false }: { say: Say; onLost?: Lost; newKey?: boolean },
): Promise<Service> {
  const undo: (() => Promise<void>)[] = []
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= undoAll(undo))
  // The areas are loaded while the database comes up.
  const loading = Promise.all([import('./app.ts'), import('./jobs.ts')])
  loading.catch(() => {})
  try {
    const database = await openDatabase(config, say, onLost)
    undo.unshift(database.stop)
    const applied = await prepareDatabase(config, database.directUrl)
    if (applied.length > 0) say(`Schema brought up to date: ${applied.join(', ')}`)
    let address: string | null = null
    const startOwnPartners = (secrets: Secrets, pooler: Pooler | null) =>
      ownPartners(config, { database, pooler, secrets, undo, listensAt: () => address })
    const deps = await makeDeps({ config, url: database.url, newKey, startOwnPartners })
    undo.unshift(deps.close)
    const [{ createApp }, { jobs }] = await loading
    const app = await createApp(deps)
    // Stopped in the reverse order: nobody is let in any more before anything else ends.
    const worker = startWorker(deps, jobs)
    undo.unshift(worker.stop)
    const dispatcher = startDispatcher({ ...deps, random: Math.random })
    undo.unshift(dispatcher.stop)
    undo.unshift(() => drain(app))
    address = await listen(app, config)
    for (const { found, remedy } of exposures(config)) say(`Warning: ${found}. ${remedy}`)
    return { app, address, deps, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Own = {
  database: Database
  pooler: Pooler | null
  secrets: Secrets
  undo: (() => Promise<void>)[]
  /** Where the service listens, once it does. */
  listensAt(): string | null
}

/** The reference partners, where the settings name no other: their keys are made from the key for secrets. */
async function ownPartners(config: Config, own: Own): Promise<Partial<Record<Module, OwnPartner>>> {
  return {
    ...(config.paymentPartnerUrl === null && config.midtransServerKey === null
      ? { payment: await ownPayment(config, own) }
      : {}),
    ...(config.fulfillmentPartnerUrl === null && config.biteshipApiKey === null
      ? { fulfillment: await ownFulfillment(config, own) }
      : {}),
    ...(config.marketingPartnerUrl === null ? { marketing: await ownMarketing(config, own) } : {}),
  }
}

const ownKeys = (secrets: Secrets, name: string) => ({
  platformKey: secrets.sign(name, 'platform key'),
  noticeSecret: `whsec_${Buffer.from(secrets.sign(name, 'notices'), 'base64url').toString('base64')}`,
})

const databaseOf = ({ database, pooler }: Own) => ({
  databaseUrl: database.url,
  directUrl: database.directUrl,
  pooler,
})

const mailOf = (config: Config) => ({
  smtpUrl: config.smtpUrl,
  smtpTls: config.smtpTls,
  from: config.mailFrom ?? 'no-reply@localhost',
  dir: path.resolve(config.dataDir, 'mail'),
})

async function ownPayment(config: Config, own: Own): Promise<OwnPartner> {
  const { startReferencePaymentPartner } = await import('./reference-partners/payment/index.ts')
  const { secrets, undo, listensAt } = own
  const { platformKey, noticeSecret } = ownKeys(secrets, 'reference payment partner')
  const partner = await startReferencePaymentPartner({
    ...databaseOf(own),
    port: config.referencePaymentPort,
    publicUrl: config.referencePaymentPublicUrl,
    platformKey,
    webhookSecret: noticeSecret,
    noticeUrl: () => {
      const address = listensAt()
      return address && `${address}${API_PREFIX}/webhooks/${config.paymentProviderSlug}`
    },
    mail: mailOf(config),
    log: makeLog(config.logLevel).child({ partner: 'payment' }),
  })
  undo.unshift(partner.close)
  return { url: partner.url, platformKey, noticeSecret }
}

async function ownFulfillment(config: Config, own: Own): Promise<OwnPartner> {
  const { startReferenceFulfillmentPartner } = await import('./reference-partners/fulfillment/index.ts')
  const { secrets, undo, listensAt } = own
  const { platformKey, noticeSecret } = ownKeys(secrets, 'reference fulfillment partner')
  const partner = await startReferenceFulfillmentPartner({
    ...databaseOf(own),
    port: config.referenceFulfillmentPort,
    publicUrl: config.referenceFulfillmentPublicUrl,
    platformKey,
    webhookSecret: noticeSecret,
    noticeUrl: () => {
      const address = listensAt()
      return address && `${address}${API_PREFIX}/webhooks/${config.fulfillmentProviderSlug}`
    },
    log: makeLog(config.logLevel).child({ partner: 'fulfillment' }),
  })
  undo.unshift(partner.close)
  return { url: partner.url, platformKey, noticeSecret }
}

async function ownMarketing(config: Config, own: Own): Promise<OwnPartner> {
  const { startReferenceMarketingPartner } = await import('./reference-partners/marketing/index.ts')
  const { secrets, undo } = own
  const { platformKey, noticeSecret } = ownKeys(secrets, 'reference marketing partner')
  const partner = await startReferenceMarketingPartner({
    ...databaseOf(own),
    port: config.referenceMarketingPort,
    publicUrl: config.referenceMarketingPublicUrl,
    platformKey,
    webhookSecret: noticeSecret,
    noticeUrl: null,
    mail: mailOf(config),
    log: makeLog(config.logLevel).child({ partner: 'marketing' }),
  })
  undo.unshift(partner.close)
  return { url: partner.url, platformKey, noticeSecret }
}

/** A step that fails must not keep the later ones, the database last of all, from being stopped. */
async function undoAll(steps: (() => Promise<void>)[]) {
  const faults: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

const LISTEN_FAULTS: Readonly<Record<string, (config: Config) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken; stop what uses it or set PORT to another one.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user; set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is not an address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST ${host} is not an address of this machine.`,
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const told = LISTEN_FAULTS[systemCode(error)]
    throw told ? new StartError('PORT_UNUSABLE', told(config)) : error
  }
}

/** How often connections are looked at that have had their last answer. */
const IDLE_LOOK_MS = 50

async function drain(app: FastifyInstance) {
  const { server } = app
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  // A connection that was busy when the listener closed would be kept open for another request that never comes.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
  await app.close()
  clearInterval(idle)
  clearTimeout(late)
}
