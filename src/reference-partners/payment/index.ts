import type { Logger } from 'pino'
import { systemClock } from '../../platform/clock.ts'
import { openOutgoing } from '../../platform/outgoing/outgoing.ts'
import { createPartnerApp } from './app.ts'
import { openDatabase, prepareSchema } from './db.ts'
import { startLoop } from './loop.ts'
import { NOTICE_SCHEDULE, sendDue } from './notices/sender.ts'
import { expireOverdue } from './sessions/service.ts'
import { sweep } from './sweep.ts'
import type { Tools } from './tools.ts'
import { keysOf } from './workspaces/keys.ts'

export type ReferencePaymentOptions = {
  databaseUrl: string
  /** The address to listen on; this machine alone by default. */
  host?: string
  /** 0 takes a free one. */
  port: number
  /** Opens and closes everything: at least 16 characters. Keys of workspaces are made from it. */
  platformKey: string
  /** `whsec_` and base64: signs notices. */
  webhookSecret: string
  /** Where notices go; without one they wait. */
  noticeUrl: string | null
  /** Where payers reach the partner; its own address by default. */
  publicUrl?: string | null
  poolSize?: number
  log: Logger
  now?: () => string
  /** Seconds before each attempt at a notice. */
  noticeSchedule?: readonly number[]
}

export type ReferencePaymentPartner = { url: string; close(): Promise<void> }

const NOTICES_EVERY_MS = 2_000
const SESSIONS_EVERY_MS = 2_000
const SWEEP_EVERY_MS = 3_600_000
const LEAST_KEY = 16

/**
 * Starts the payment partner that a self-hoster runs without a vendor: a real server with data of its own. It moves no
 * money. Several processes may serve one database.
 */
export async function startReferencePaymentPartner(
  options: ReferencePaymentOptions,
): Promise<ReferencePaymentPartner> {
  const { databaseUrl, log, platformKey, webhookSecret, noticeUrl } = options
  if (platformKey.length < LEAST_KEY)
    throw new Error(`The platform key of the payment partner must have at least ${LEAST_KEY} characters`)
  const now = options.now ?? systemClock.now
  await prepareSchema(databaseUrl)
  let isClosing = false
  const db = openDatabase({
    url: databaseUrl,
    poolSize: options.poolSize ?? 5,
    onError: (error) => {
      if (!isClosing) log.warn({ reason: error.message }, 'the payment partner lost a database connection')
    },
  })
  // The operator says where notices go, which may be this machine.
  const outgoing = openOutgoing({ allowPrivate: true })
  let url = ''
  const loops = {
    notices: startLoop({ name: 'notices', everyMs: NOTICES_EVERY_MS, log }, async (stop) => {
      if (noticeUrl === null) return
      const schedule = options.noticeSchedule ?? NOTICE_SCHEDULE
      await sendDue({ db, log, outgoing, now, noticeUrl, secret: webhookSecret, schedule }, stop)
    }),
  }
  const tools: Tools = {
    db,
    log,
    keys: keysOf(platformKey),
    now,
    publicUrl: () => (options.publicUrl ?? url).replace(/\/+$/, ''),
    wake: loops.notices.wake,
  }
  const app = createPartnerApp(tools)
  const stopWork = async (running: { stop(): Promise<void> }[]) => {
    isClosing = true
    await Promise.all(running.map((loop) => loop.stop()))
    await outgoing.close()
    await db.close()
  }
  try {
    url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port })
  } catch (error) {
    await stopWork([loops.notices])
    throw error
  }
  const others = [
    startLoop({ name: 'sessions', everyMs: SESSIONS_EVERY_MS, log }, async (stop) => {
      while (!stop.aborted && (await expireOverdue(tools)));
    }),
    startLoop({ name: 'sweep', everyMs: SWEEP_EVERY_MS, log }, () => sweep(tools)),
  ]
  let closing: Promise<void> | undefined
  const close = async () => {
    const { server } = app
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const late = setTimeout(() => server.closeAllConnections(), 5_000)
    await app.close()
    clearInterval(idle)
    clearTimeout(late)
    await stopWork([loops.notices, ...others])
  }
  return { url, close: () => (closing ??= close()) }
}
