import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../platform/clock.ts'
import { openOutgoing } from '../../platform/outgoing/outgoing.ts'
import { createPartnerApp } from './app.ts'
import { openDatabase, prepareSchema } from './db.ts'
import type { Loop } from './loop.ts'
import type { ReferencePaymentOptions } from './options.ts'
import type { Tools } from './tools.ts'
import { startJobs, startSending } from './work.ts'
import { keysOf } from './workspaces/keys.ts'

export type ReferencePaymentPartner = { url: string; close(): Promise<void> }

const LEAST_KEY = 16

/**
 * Starts the payment partner that a self-hoster runs without a vendor: a real server with data of its own. It moves no
 * money. Several processes may serve one database.
 */
export async function startReferencePaymentPartner(
  options: ReferencePaymentOptions,
): Promise<ReferencePaymentPartner> {
  const { databaseUrl, log, platformKey } = options
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
  const sending = startSending({ ...options, db, outgoing, now })
  const tools: Tools = {
    db,
    log,
    keys: keysOf(platformKey),
    now,
    publicUrl: () => (options.publicUrl ?? url).replace(/\/+$/, ''),
    wake: sending.wake,
  }
  const app = createPartnerApp(tools)
  const end = async (loops: readonly Loop[]) => {
    isClosing = true
    // A receiver that does not answer keeps nobody: its notice comes again.
    await Promise.all([outgoing.close(), ...loops.map((loop) => loop.stop())])
    await db.close()
  }
  try {
    url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port })
  } catch (error) {
    await end(sending.loops)
    throw error
  }
  const loops = [...sending.loops, ...startJobs(tools)]
  let closing: Promise<void> | undefined
  return { url, close: () => (closing ??= drain(app).then(() => end(loops))) }
}

/** How long requests in flight may take to finish. */
const DRAIN_MS = 5_000
const IDLE_LOOK_MS = 50

async function drain(app: FastifyInstance) {
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS)
  const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close()
  clearInterval(idle)
  clearTimeout(late)
}
