import { healthCheck, isKasirError, KasirTransportError, type Sale, salesCreate } from 'kasir-client'
import { queries } from '../app/queries.ts'
import { call } from '../app/service.ts'
import { isServed, useSession } from '../app/session.ts'
import { listenToTabs, tell } from './channel.ts'
import { clockOffset, serverNow } from './clock.ts'
import { createCustomer } from './customers.ts'
import { isOver } from './deadline.ts'
import { changeRow, readRows, removeRow, useOutbox } from './outbox.ts'
import { isDue, type OutboxRow, type Problem, pauseAfter, verdictOn, withTrueTime } from './outbox-row.ts'
import { inTurn } from './turn.ts'

/** Sends the outbox: the oldest sale first, each until its outcome is known, and never held up by another one. */

/** Failed tries since the service last answered. */
let silentTries = 0
let resumeMs = 0
/** The register notices a restored connection within this time; a request to the service is cheap. */
const LONGEST_SILENCE_MS = 15_000

function noteSilence() {
  silentTries += 1
  resumeMs = Date.now() + Math.min(pauseAfter(silentTries), LONGEST_SILENCE_MS)
}
function noteAnswer() {
  silentTries = 0
  resumeMs = 0
}
const isSilence = () => !isOver(resumeMs, LONGEST_SILENCE_MS, Date.now())

/** Creates the new customer of a sale, and writes the id into the sale before it leaves. */
async function withCustomer(row: OutboxRow): Promise<OutboxRow> {
  const { customer } = row.cart
  if (customer === null || customer.id !== null) return row
  const created = await createCustomer(row.accountId, customer, { isSingle: true })
  const change = {
    body: { ...row.body, customerId: created.id },
    cart: { ...row.cart, customer: created },
  }
  await changeRow(row.ref, change)
  return { ...row, ...change }
}

/** Notes whether the service can be reached. */
const checkService = () => call(healthCheck, undefined, { isSingle: true }).catch(() => {})

/** Sends one sale. Returns false when the service cannot be reached, so that the others need not try. */
async function sendRow(row: OutboxRow): Promise<boolean> {
  const tries = row.tries + 1
  let sent = row
  try {
    sent = await withCustomer(row)
    const { sale } = await call(salesCreate, sent.body, { idempotencyKey: row.key, isSingle: true })
    await removeRow(row.ref)
    tell({ kind: 'sent', ref: row.ref, sale })
    return true
  } catch (error) {
    if (!isKasirError(error)) {
      // A proxy may have answered with a page of its own to this sale alone.
      if (error instanceof KasirTransportError && error.fault === 'answer') await checkService()
      const { isReachable } = useSession.getState()
      await changeRow(row.ref, isReachable ? { tries, dueMs: Date.now() + pauseAfter(tries) } : { tries })
      return isReachable
    }
    const { code, message, requestId, retryAfterMs } = error
    const clock = { offsetMs: clockOffset(), now: serverNow() }
    const corrected = error.param === 'offline.soldAt' ? withTrueTime(sent, clock) : null
    if (corrected !== null) {
      await changeRow(row.ref, { ...corrected, tries })
      return true
    }
    const verdict = verdictOn(error)
    if (verdict === 'again')
      await changeRow(row.ref, { tries, dueMs: Date.now() + pauseAfter(tries, retryAfterMs) })
    else await changeRow(row.ref, { tries, state: verdict, problem: { code, message, requestId } })
    // The register takes a sale back whose receipt does not show yet.
    if (verdict !== 'again') tell({ kind: 'refused', ref: row.ref, problem: { code, message, requestId } })
    return true
  }
}

async function drain(stay: () => Promise<boolean>) {
  const tried = new Set<string>()
  for (;;) {
    const session = useSession.getState()
    if (session.member === null || !isServed(session) || !(await stay())) return
    const row = (await readRows()).find((each) => isDue(each, Date.now()) && !tried.has(each.ref))
    if (!row) return
    tried.add(row.ref)
    useOutbox.setState({ isSending: true })
    if (!(await sendRow(row))) return noteSilence()
    noteAnswer()
  }
}

let running: Promise<void> | null = null
let isWanted = false

/** Sends the rows that are due. A call during a run makes the run look once more. */
export function sendNow(): Promise<void> {
  isWanted = true
  running ??= run().finally(() => {
    running = null
  })
  return running
}

async function run() {
  while (isWanted) {
    isWanted = false
    const before = useOutbox.getState().lastSent
    await inTurn(drain).catch(() => {})
    useOutbox.setState({ isSending: false })
    if (useOutbox.getState().lastSent !== before) void queries.invalidateQueries()
  }
}

/** The members' sales that waited for a sign-in are tried again. */
export async function resumeAbsent() {
  for (const { ref, state } of await readRows())
    if (state === 'absent') await changeRow(ref, { state: 'waiting', dueMs: 0 })
  await sendNow()
}

export type Arrival = { kind: 'sent'; sale: Sale } | { kind: 'refused'; problem: Problem } | { kind: 'later' }

/** Sends a sale that was just made, and waits a moment for its answer. */
export function sendAndWait(ref: string, waitMs: number): Promise<Arrival> {
  // While the service is known to be out of reach the receipt does not wait: the sale is sent with the next try.
  if (isSilence()) return Promise.resolve({ kind: 'later' })
  return new Promise((resolve) => {
    const finish = (arrival: Arrival) => {
      stop()
      clearTimeout(timer)
      resolve(arrival)
    }
    const stop = listenToTabs((message) => {
      if (message.kind === 'sent' && message.ref === ref) finish({ kind: 'sent', sale: message.sale })
      if (message.kind === 'refused' && message.ref === ref)
        finish({ kind: 'refused', problem: message.problem })
    })
    const timer = setTimeout(() => finish({ kind: 'later' }), waitMs)
    void sendNow().then(() => {
      if (!useSession.getState().isReachable) finish({ kind: 'later' })
    })
  })
}

const TICK_MS = 1_000

/** Sends the rows that are due and polls an unreachable service, until the returned function is called. */
export function keepSending(): () => void {
  const look = async () => {
    if (isSilence()) return
    const { rows } = useOutbox.getState()
    const session = useSession.getState()
    if (isServed(session) && rows.some((row) => isDue(row, Date.now()))) return sendNow()
    if (session.isReachable) return
    noteSilence()
    // A success marks the service as reachable, which ends the silence below.
    await checkService()
  }
  const lookAgain = () => {
    noteAnswer()
    void look()
  }
  const timer = setInterval(() => void look(), TICK_MS)
  window.addEventListener('online', lookAgain)
  const stop = useSession.subscribe(({ isReachable }, before) => {
    if (!isReachable || before.isReachable) return
    lookAgain()
    void queries.invalidateQueries()
  })
  void resumeAbsent()
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', lookAgain)
    stop()
  }
}
