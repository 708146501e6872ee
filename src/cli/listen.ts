import { setTimeout as sleep } from 'node:timers/promises'
import { webAddressIn } from '../core/links.ts'
import { nearest } from '../core/suggest.ts'
import { systemClock } from '../platform/clock.ts'
import { OutgoingError } from '../platform/outgoing/outgoing.ts'
import { newSigningSecret, signedHeaders } from '../platform/webhooks/signature.ts'
import { command, say, sayAside, UsageError } from './command.ts'
import { openRemote, Refused, type Remote, remoteArgs } from './remote.ts'

/** How often the log is asked for what is new, and the longest wait while the service does not answer. */
const EVERY_MS = 500
const LONGEST_MS = 10_000

export const listen = command({
  name: 'listen',
  description: 'Post every event of a workspace to an address on this machine, signed as webhooks are',
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
      description: 'Only these event types; every type that webhooks are offered without it',
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
      throw new UsageError('--forward-to is an address with http:// or https://')
    }
    const remote = await openRemote(options)
    const stopping = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
    try {
      await follow(remote, { target, wanted: await typesOf(remote, types), stop: stopping.signal })
    } finally {
      await remote.close()
    }
  },
})

/** Every type that webhooks are offered, or those that were named. */
async function typesOf(remote: Remote, text: string | undefined): Promise<Set<string>> {
  type Offered = { eventTypes: { type: string }[] }
  const { data } = await remote.call<Offered>('GET', '/webhook-subscriptions/event-types').catch(inWords)
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

/** A refusal at the start is the person's to mend; later ones are waited out. */
export function inWords(error: unknown): never {
  if (error instanceof Refused) throw new UsageError(error.message)
  if (error instanceof OutgoingError) {
    throw new UsageError(
      `The service does not answer (${error.message}); is it running? --url names another one`,
    )
  }
  throw error
}

type LogEvent = { id: string; type: string; createdAt: string; data: unknown }
type Following = { target: string; wanted: ReadonlySet<string>; stop: AbortSignal }

/**
 * Follows the log from now on. What happens while the connection is lost arrives once it is back: the log is read on from the
 * cursor of the last answer.
 */
async function follow(remote: Remote, { target, wanted, stop }: Following) {
  const { data: me } = await remote.call<{ account: { id: string } }>('GET', '/auth/me').catch(inWords)
  const secret = newSigningSecret()
  const log = '/events?order=oldest&limit=100'
  let from = `&since=${encodeURIComponent(systemClock.now())}`
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
      from = `&cursor=${encodeURIComponent(page.cursor ?? '')}`
      if (page.hasMore) continue
    } catch (error) {
      if (waitMs === EVERY_MS) sayAside(`${textOf(error)}; trying again`)
      waitMs = Math.min(LONGEST_MS, waitMs * 2)
    }
    await sleep(waitMs, undefined, { signal: stop }).catch(() => {})
  }
}

/** A credential that is refused will be refused for ever. */
function textOf(error: unknown): string {
  if (error instanceof Refused && error.status < 500 && error.status !== 429)
    throw new UsageError(error.message)
  if (error instanceof Refused || error instanceof OutgoingError) return error.message
  throw error
}

type Forwarding = { target: string; secret: string; accountId: string; event: LogEvent; stop: AbortSignal }

/** The body that webhooks are sent. An answer other than 2xx is told and not tried again. */
async function forward(remote: Remote, { target, secret, accountId, event, stop }: Forwarding) {
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
