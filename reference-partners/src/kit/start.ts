import { createDrain, openOutgoing, systemClock } from 'kasir/partner-tools'
import { createPartnerApp } from './app.ts'
import { openDatabase, prepareSchema } from './db.ts'
import { type Loop, startLoop } from './loop.ts'
import { NOTICE_SCHEDULE, sendDue } from './notices/sender.ts'
import type { PartnerOptions } from './options.ts'
import type { Partner } from './partner.ts'
import { sweepShared } from './sweep.ts'
import type { Tools } from './tools.ts'
import { keysOf } from './workspaces/keys.ts'

export type RunningPartner = { url: string; close(drainMs?: number): Promise<void> }

/** The time limit for requests in flight at a stop. */
const DRAIN_MS = 5_000
const LEAST_KEY = 16
const NOTICES_EVERY_MS = 2_000
const SWEEP_EVERY_MS = 3_600_000

/**
 * Starts a partner: its schema, its server, its work. Several processes may serve one database.
 */
export async function startPartner(partner: Partner, options: PartnerOptions): Promise<RunningPartner> {
  const { databaseUrl, log, platformKey, webhookSecret: secret } = options
  const { name, books } = partner
  if (platformKey.length < LEAST_KEY)
    throw new Error(`The platform key of the ${name} partner must have at least ${LEAST_KEY} characters`)
  const now = options.now ?? systemClock.now
  await prepareSchema(options.directUrl ?? databaseUrl, books)
  let isClosing = false
  const db = openDatabase({
    url: databaseUrl,
    schema: books.schema,
    pooler: options.pooler ?? null,
    poolSize: options.poolSize ?? 5,
    onError: (error) => {
      if (!isClosing) log.warn({ reason: error.message }, `the ${name} partner lost a database connection`)
    },
  })
  // The operator says where notices go, which may be this machine.
  const outgoing = openOutgoing({ allowPrivate: true })
  let url = ''
  let woken: readonly Loop[] = []
  const tools: Tools = {
    db,
    log,
    keys: keysOf(platformKey, partner.keyPrefix),
    now,
    requireTrustedClock: options.requireTrustedClock ?? (async () => {}),
    publicUrl: () => (options.publicUrl ?? url).replace(/\/+$/, ''),
    wake: () => {
      for (const loop of woken) loop.wake()
    },
  }
  const app = createPartnerApp(partner, tools)
  const drain = createDrain(app)
  const end = async (loops: readonly Loop[]) => {
    isClosing = true
    // An unanswered notice does not delay the shutdown: it is retried later.
    await Promise.all([outgoing.close(), ...loops.map((loop) => loop.stop())])
    await db.close()
  }
  try {
    url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port })
  } catch (error) {
    await end([])
    throw error
  }
  const schedule = options.noticeSchedule ?? NOTICE_SCHEDULE
  const notices = startLoop({ name: 'notices', everyMs: NOTICES_EVERY_MS, log }, async (stop) => {
    const noticeUrl = typeof options.noticeUrl === 'function' ? options.noticeUrl() : options.noticeUrl
    if (noticeUrl !== null) await sendDue({ name, db, log, outgoing, now, noticeUrl, secret, schedule }, stop)
  })
  const sweeping = startLoop({ name: 'old keys', everyMs: SWEEP_EVERY_MS, log }, () => sweepShared(tools))
  const own = partner.startWork?.(tools) ?? { woken: [], timed: [] }
  woken = [notices, ...own.woken]
  const loops = [...woken, sweeping, ...own.timed]
  let closing: Promise<void> | undefined
  return { url, close: (drainMs = DRAIN_MS) => (closing ??= drain(drainMs).then(() => end(loops))) }
}
