import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { announceSwitchedOff } from './areas/insight/webhooks/index.ts'
import { StartError, systemCode } from './core/fault.ts'
import { setIdTime } from './core/ids.ts'
import type { Module } from './core/modules.ts'
import { listen, startMetrics, startTraces } from './listening.ts'
import { openOidc } from './platform/auth/oidc.ts'
import { openSignedTokens } from './platform/auth/signed.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Config, referencePartnersOf } from './platform/config/config.ts'
import { durabilityFaults, migrate } from './platform/db/migrate.ts'
import { type OpenDb, openDb, type Pooler, poolWaitMs } from './platform/db/open.ts'
import { fairPlaces, placesOf } from './platform/db/places.ts'
import { findPooler, poolerFault, requireSessions } from './platform/db/pooler.ts'
import { openPulse } from './platform/db/pulse.ts'
import { openReplica, requireNoReplica } from './platform/db/replica.ts'
import {
  type OpenDatabaseOptions,
  openDatabase,
  type RunningDatabase,
} from './platform/db/service-database.ts'
import type { Deps } from './platform/deps.ts'
import { exposures } from './platform/exposure.ts'
import { watchDisks } from './platform/files/free-space.ts'
import { openKeptFiles } from './platform/files/kept-files.ts'
import { openStorage } from './platform/files/storage.ts'
import { requireWritableFolders } from './platform/files/writable.ts'
import { createDrain } from './platform/http/drain.ts'
import { listenOnLoopback } from './platform/http/loopback.ts'
import { API_PREFIX } from './platform/http/route.ts'
import { readTls } from './platform/http/tls.ts'
import { openImages } from './platform/images/images.ts'
import { createJobBoard } from './platform/jobs/board.ts'
import { requireTrustedClock } from './platform/jobs/sweep-clock.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { createLive, type LiveTuning } from './platform/live/live.ts'
import { makeLog } from './platform/log/log.ts'
import { openOutgoing } from './platform/outgoing/outgoing.ts'
import { openPrinters, printerNetworksOf } from './platform/outgoing/printers.ts'
import type { PartnerTuning } from './platform/partners/client.ts'
import { type OwnPartner, openPartners } from './platform/partners/partners.ts'
import { openSecrets } from './platform/secrets/key-file.ts'
import type { Secrets } from './platform/secrets/keyring.ts'
import { findEngine } from './platform/sharding/engine.ts'
import { noWorkers, openWorkerPulse } from './platform/sharding/pulse.ts'
import { startDispatcher } from './platform/webhooks/dispatcher.ts'
import { together, type Undo, undoAll } from './undo.ts'

/** Reports progress to a person, one line at a time. */
export type Say = (line: string) => void

/**
 * Refuses a database that could lose an acknowledged sale or whose tables are only partly distributed, and migrates
 * the schema. Returns the names of the applied migrations.
 */
export async function prepareDatabase(
  config: Config,
  url: string,
  say?: Say,
  signal?: AbortSignal,
): Promise<string[]> {
  const applied = await prepareSchema(config, url, say, signal)
  const { faults } = await findEngine(url)
  if (faults.length > 0) {
    throw new StartError(
      'DATABASE_HALF_SHARDED',
      `Not every table lies where it should (${faults.slice(0, 3).join('; ')}): run kasir shard, which resumes where it stopped.`,
    )
  }
  return applied
}

/** One line for the startup log; `kasir migrate` lists the names. */
export const schemaLine = ({ length }: readonly string[]) =>
  `Database schema brought up to date (${length} ${length === 1 ? 'migration' : 'migrations'})`

/** The same without the distribution check: a database that is about to be distributed may be partly distributed. */
export async function prepareSchema(
  config: Config,
  url: string,
  say?: Say,
  signal?: AbortSignal,
): Promise<string[]> {
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
  return migrate(url, undefined, { say, signal }).catch((error: Error) => {
    if (signal?.aborted && error === signal.reason) throw error
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
  /** Replaces the secrets key that this database was used with (platform/secrets/key-file.ts). */
  newKey?: boolean
  /** Starts the partners that run in this process, once its secrets are readable. */
  startOwnPartners?: (opened: OpenedDatabase) => Promise<Partial<Record<Module, OwnPartner>>>
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
      // A database that stops directly after us reports to connections that are already closing.
      if (closing) return
      // The driver attaches its whole client to the error; the log needs only the reason.
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
  if (isSharded) requireNoReplica(config)
  const opened = openPool({ config, url, pooler, log: logger, isSharded })
  const { db, pool } = opened
  const closeFirst = async (error: unknown): Promise<never> => {
    await opened.close()
    throw error
  }
  const secrets = await openSecrets({ config, db, clock, newKey, warn: logger.warn.bind(logger) }).catch(
    closeFirst,
  )
  const own = await startOwnPartners?.({ secrets, pooler, db }).catch(closeFirst)
  const tokens = openSignedTokens({ config, clock, log: logger, secrets })
  const oidc = openOidc({ config, clock, log: logger, callback: `${API_PREFIX}/auth/oidc/callback` })
  const stopWatching = secrets.watch()
  const live = createLive({ url: directUrl, clock, log: logger, tuning })
  const pulse = openPulse(url)
  const replica = openReplica({ config, primaryUrl: directUrl, clock, log: logger })
  const workers = isSharded ? openWorkerPulse(directUrl) : noWorkers
  const outgoing = openOutgoing({ allowPrivate: config.webhookAllowPrivateUrls })
  const printers = openPrinters({ networks: printerNetworksOf(config) })
  const partners = openPartners({ config, own, tuning: partnerTuning, now: () => clock.now() })
  const storage = openStorage(config)
  const images = openImages({ log: logger })
  const close = async () => {
    stopWatching()
    for (const one of [live, outgoing, partners, storage, images, pulse, replica, workers, tokens, oidc])
      await one?.close()
    await opened.close()
  }
  return Object.freeze({
    config,
    clock,
    db,
    pool,
    slots: fairPlaces({ places: placesOf(config.databasePoolSize), waitMs: poolWaitMs(config.env) }),
    replica,
    log: logger,
    secrets,
    tokens,
    oidc,
    live,
    pulse,
    disks: watchDisks(config),
    workers,
    jobs: createJobBoard(),
    outgoing,
    printers,
    partners,
    storage,
    images,
    keptFiles: openKeptFiles({ dir: path.resolve(config.dataDir, 'feeds'), clock, log: logger }),
    events: (await import('./events.ts')).events,
    close,
  })
}

export type RunningService = {
  app: FastifyInstance
  address: string
  /** Null without METRICS_PORT. */
  metricsAddress: string | null
  deps: Deps
  stop(): Promise<void>
}

/** The time limit of a stop: supervisors such as `docker stop` kill after ten seconds (B-unknown-4). */
const STOP_MS = 9_500
/** The time that requests in flight have to finish after the service receives the stop signal (B-unknown-4). */
const DRAIN_MS = 6_000
/** After this, no request of the service still waits for a reference partner. */
const PARTNER_DRAIN_MS = 1_000
const SHORTEST_DATABASE_STOP_MS = 500

type StartOptions = OpenDatabaseOptions & { newKey?: boolean }

/** Starts everything in order and returns a function that stops it in reverse order. */
export async function startService(config: Config, options: StartOptions): Promise<RunningService> {
  const { say, newKey = false } = options
  const undo: Undo[] = []
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= undoAll(undo, performance.now() + STOP_MS))
  // The areas load while the database starts.
  const loading = Promise.all([import('./app.ts'), import('./jobs.ts')])
  loading.catch(() => {})
  try {
    // An unusable certificate is reported before the database starts.
    readTls(config, systemClock.ms())
    if (config.databaseUrl !== null) await requireWritableFolders(config)
    const database = await openDatabase(config, options)
    undo.unshift((leftMs) => database.stop(Math.max(leftMs, SHORTEST_DATABASE_STOP_MS)))
    const applied = await prepareDatabase(config, database.directUrl, say, options.signal)
    if (applied.length > 0) say(schemaLine(applied))
    let address: string
    let partnersCall: string | null = null
    // Everything that uses the database ends together, under one deadline.
    const users: Undo[] = []
    undo.unshift((leftMs) => together(users.map((close) => close(leftMs))))
    const startOwnPartners = (opened: OpenedDatabase) =>
      ownPartners(config, { ...opened, database, users, listensAt: () => partnersCall })
    const deps = await makeDeps({ config, url: database.url, newKey, startOwnPartners })
    users.push(deps.close)
    const [{ createApp }, { jobs, startPrinting }] = await loading
    const app = await createApp(deps)
    const metrics = await startMetrics(app, deps)
    if (metrics) users.push(metrics.close)
    const traces = await startTraces(app, config)
    if (traces) users.push(traces.close)
    const drain = createDrain(app)
    const dispatcher = startDispatcher({
      ...deps,
      random: Math.random,
      announceOff: (endpoint) => announceSwitchedOff(deps, endpoint),
    })
    const workers = [startWorker(deps, jobs), dispatcher, startPrinting(deps)]
    undo.unshift(() => together([drain(DRAIN_MS), ...workers.map((one) => one.stop())]))
    address = await listen(app, config)
    if (config.tlsCert === null) partnersCall = address
    else {
      const loopback = await listenOnLoopback(app)
      users.push(loopback.close)
      partnersCall = loopback.address
    }
    for (const { found, remedy } of exposures(config)) say(`Warning: ${found}. ${remedy}`)
    return { app, address, metricsAddress: metrics?.address ?? null, deps, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type OpenedDatabase = { secrets: Secrets; pooler: Pooler | null; db: Deps['db'] }
type Own = OpenedDatabase & {
  database: RunningDatabase
  users: Undo[]
  listensAt(): string | null
}

/** Starts the reference partners for which the settings name no other; their keys derive from the secrets key. */
async function ownPartners(config: Config, own: Own): Promise<Partial<Record<Module, OwnPartner>>> {
  const start = { payment: ownPayment, fulfillment: ownFulfillment, marketing: ownMarketing }
  const started: Partial<Record<Module, OwnPartner>> = {}
  for (const module of referencePartnersOf(config)) started[module] = await start[module](config, own)
  return started
}

const ownKeys = (secrets: Secrets, name: string) => ({
  platformKey: secrets.sign(name, 'platform key'),
  noticeSecret: `whsec_${Buffer.from(secrets.sign(name, 'notices'), 'base64url').toString('base64')}`,
})

const sharedOptions = ({ database, pooler, db }: Own) => ({
  databaseUrl: database.url,
  directUrl: database.directUrl,
  pooler,
  requireTrustedClock: () => requireTrustedClock({ db, clock: systemClock }),
})

const mailOf = (config: Config) => ({
  smtpUrl: config.smtpUrl,
  smtpTls: config.smtpTls,
  from: config.mailFrom ?? 'no-reply@localhost',
  dir: path.resolve(config.dataDir, 'mail'),
})

async function ownPayment(config: Config, own: Own): Promise<OwnPartner> {
  const { startReferencePaymentPartner } = await import('#reference-partners')
  const { secrets, users, listensAt } = own
  const { platformKey, noticeSecret } = ownKeys(secrets, 'reference payment partner')
  const partner = await startReferencePaymentPartner({
    ...sharedOptions(own),
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
  users.push(() => partner.close(PARTNER_DRAIN_MS))
  return { url: partner.url, platformKey, noticeSecret }
}

async function ownFulfillment(config: Config, own: Own): Promise<OwnPartner> {
  const { startReferenceFulfillmentPartner } = await import('#reference-partners')
  const { secrets, users, listensAt } = own
  const { platformKey, noticeSecret } = ownKeys(secrets, 'reference fulfillment partner')
  const partner = await startReferenceFulfillmentPartner({
    ...sharedOptions(own),
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
  users.push(() => partner.close(PARTNER_DRAIN_MS))
  return { url: partner.url, platformKey, noticeSecret }
}

async function ownMarketing(config: Config, own: Own): Promise<OwnPartner> {
  const { startReferenceMarketingPartner } = await import('#reference-partners')
  const { secrets, users } = own
  const { platformKey, noticeSecret } = ownKeys(secrets, 'reference marketing partner')
  const partner = await startReferenceMarketingPartner({
    ...sharedOptions(own),
    port: config.referenceMarketingPort,
    publicUrl: config.referenceMarketingPublicUrl,
    platformKey,
    webhookSecret: noticeSecret,
    noticeUrl: null,
    mail: mailOf(config),
    log: makeLog(config.logLevel).child({ partner: 'marketing' }),
  })
  users.push(() => partner.close(PARTNER_DRAIN_MS))
  return { url: partner.url, platformKey, noticeSecret }
}
