import { setTimeout as sleep } from 'node:timers/promises'
import { webAddressIn } from '../core/links.ts'
import { nearest } from '../core/suggest.ts'
import { systemClock } from '../platform/clock.ts'
import { OutgoingError } from '../platform/outgoing/outgoing.ts'
import { newSigningSecret, signedHeaders } from '../platform/webhooks/signature.ts'
import { command, say, sayAside, UsageError } from './command.ts'
import { openRemote, type Remote, RequestRefused, remoteArgs } from './remote.ts'
import { ENDING_SIGNALS } from './signals.ts'

/** How often the log is polled, and the longest pause while the service does not answer. */
const EVERY_MS = 500
const LONGEST_MS = 10_000

export const listen = command({
  name: 'listen',
  description: 'Post every event of a workspace to an address on this machine, signed like a webhook',
  args: {
    'forward-to': {
      type: 'string',
      required: true,
      valueHint: 'URL',
      description: 'Where your receiver listens, such as http://127.0.0.1:4000/hook',
    },
    types: {
      type: 'string',
      valueHint: 'type,type',
      description: 'Only these event types. Default: every type available to webhooks',
    },
    ...remoteArgs,
  },
  environment: ['dataDir', 'publicUrl', 'host', 'port'],
  examples: [
    [
      'kasir listen --forward-to http://127.0.0.1:4000/hook',
      'the demo workspace of the service that runs here',
    ],
    [
      'kasir listen --forward-to http://127.0.0.1:4000 --types service.sale.completed.v1',
      'completed sales alone; kasir trigger makes one',
    ],
  ],
  run: async ({ 'forward-to': target, types, ...options }) => {
    if (webAddressIn(target) === null) {
      throw new UsageError('--forward-to must be an address with http:// or https://')
    }
    const remote = await openRemote(options)
    const stopping = new AbortController()
    for (const signal of ENDING_SIGNALS) process.once(signal, () => stopping.abort())
    try {
      await streamEvents(remote, { target, wanted: await typesOf(remote, types), stop: stopping.signal })
    } finally {
      await remote.close()
    }
  },
})

/** Returns the named event types, or every type available to webhooks. */
async function typesOf(remote: Remote, text: string | undefined): Promise<Set<string>> {
  type Offered = { eventTypes: { type: string }[] }
  const { data } = await remote
    .call<Offered>('GET', '/webhook-subscriptions/event-types')
    .catch(throwReadable)
  const known = data.eventTypes.map(({ type }) => type)
  return new Set(text === undefined ? known : text.split(',').map((type) => requireType(type.trim(), known)))
}

export function requireType(type: string, known: readonly string[]): string {
  if (known.includes(type)) return type
  const near = nearest(type, known)
  throw new UsageError(
    `No event has the type "${type}"${near === null ? '; docs/events.md lists them' : `; did you mean ${near}?`}`,
  )
}

/** The operator must fix an error at the start. Later errors are retried. */
export function throwReadable(error: unknown): never {
  if (error instanceof RequestRefused) throw new UsageError(error.message)
  if (error instanceof OutgoingError) {
    throw new UsageError(
      `The service does not answer (${error.message}). Check that it is running, or name another one with --url`,
    )
  }
  throw error
}

type LogEvent = { id: string; type: string; createdAt: string; data: unknown }
type ListenOptions = { target: string; wanted: ReadonlySet<string>; stop: AbortSignal }

/**
 * Follows the log from now on. After a lost connection it reads on from the last cursor, so no event is missed.
 */
async function streamEvents(remote: Remote, { target, wanted, stop }: ListenOptions) {
  const { data: me } = await remote.call<{ account: { id: string } }>('GET', '/auth/me').catch(throwReadable)
  const secret = newSigningSecret()
  const log = '/events?order=oldest&limit=100'
  // It stays beside the cursor: while an older transaction runs, the first cursor is before events of before the start.
  const since = `&since=${encodeURIComponent(systemClock.now())}`
  let from = since
  let waitMs = EVERY_MS
  say(`Listening at ${remote.address}, forwarding to ${target}`)
  say(`Signing secret: ${secret}`)
  while (!stop.aborted) {
    try {
      const { data: events, page } = await remote.call<LogEvent[]>('GET', log + from)
      if (waitMs > EVERY_MS) sayAside('The service answers again')
      waitMs = EVERY_MS
      for (const event of events) {
        if (stop.aborted) return
        if (wanted.has(event.type))
          await forward(remote, { target, secret, accountId: me.account.id, event, stop })
      }
      from = `${since}&cursor=${encodeURIComponent(page.cursor ?? '')}`
      if (page.hasMore) continue
    } catch (error) {
      if (waitMs === EVERY_MS) sayAside(`${textOf(error)}; trying again`)
      waitMs = Math.min(LONGEST_MS, waitMs * 2)
    }
    await sleep(waitMs, undefined, { signal: stop }).catch(() => {})
  }
}

/** Throws for a refusal that a retry cannot change, such as an invalid key. Otherwise returns the message to show. */
function textOf(error: unknown): string {
  if (error instanceof RequestRefused && error.status < 500 && error.status !== 429)
    throw new UsageError(error.message)
  if (error instanceof RequestRefused || error instanceof OutgoingError) return error.message
  throw error
}

type ForwardedEvent = {
  target: string
  secret: string
  accountId: string
  event: LogEvent
  stop: AbortSignal
}

/** Posts an event with the body of a webhook. Reports an answer other than 2xx and does not retry. */
async function forward(remote: Remote, { target, secret, accountId, event, stop }: ForwardedEvent) {
  const { id, type, createdAt: timestamp, data } = event
  const body = JSON.stringify({ id, type, timestamp, accountId, data })
  const beganMs = performance.now()
  const outcome = await remote
    .post(target, signedHeaders(secret, id, systemClock.ms(), body), body, stop)
    .catch((error: unknown) => {
      if (error instanceof OutgoingError) return error.message
      throw error
    })
  say(`${timestamp} ${type} ${id} → ${outcome} (${Math.round(performance.now() - beganMs)} ms)`)
}
