import type { Deps } from '../deps.ts'
import { OutgoingError, type OutgoingReply } from '../outgoing/outgoing.ts'
import { NotOpenedError } from '../secrets/secrets.ts'
import { VERSION } from '../version.ts'
import type { LoggedAttempt } from './attempt-log.ts'
import { retryAfterS } from './schedule.ts'
import { secretLocation, signedHeaders } from './signature.ts'
import type { DueDelivery, LeasedEndpoint } from './store-dispatch.ts'

/** Bytes read of a response, and bytes kept of it. */
const MOST_BYTES = 65_536
const SNIPPET_BYTES = 1_024

export type AttemptOutcome = {
  attempt: LoggedAttempt
  isSuccess: boolean
  isGone: boolean
  /** The attempt failed in this service, so it says nothing about the endpoint. */
  isOurs: boolean
  retryAfterS: number | null
}

type Tools = Pick<Deps, 'config' | 'clock' | 'log' | 'secrets' | 'outgoing'>

/**
 * Sends one delivery. Every result, even an internal error, is an outcome, so that it is recorded and retries end.
 * Returns null if the key of the signing secret cannot be read at the moment: nothing is sent, and no retry is used.
 */
export async function attemptAt(
  tools: Tools,
  endpoint: LeasedEndpoint,
  due: DueDelivery,
): Promise<AttemptOutcome | null> {
  const { clock, config, log, outgoing, secrets } = tools
  const at = clock.now()
  const startedMs = clock.ms()
  const logged = (statusCode: number | null, error: string | null, responseSnippet: string | null) => ({
    at,
    statusCode,
    durationMs: Math.max(0, clock.ms() - startedMs),
    error,
    responseSnippet,
    manual: due.byHand,
  })
  const failed = (error: string, isOurs: boolean): AttemptOutcome => ({
    attempt: logged(null, error, null),
    isSuccess: false,
    isGone: false,
    isOurs,
    retryAfterS: null,
  })
  if (due.body === null) return failed('The event is no longer kept', true)
  let secret: string
  try {
    secret = await secrets.open(endpoint.secret, secretLocation(endpoint.accountId, endpoint.id))
  } catch (error) {
    if (error instanceof NotOpenedError)
      return failed('The signing secret cannot be opened with the key of this service', true)
    log.warn({ err: error, delivery: due.id }, 'could not read the key of a signing secret; retrying')
    return null
  }
  try {
    const reply = await outgoing.send({
      method: 'POST',
      url: endpoint.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': `Kasir/${VERSION}`,
        ...signedHeaders(secret, due.eventId, startedMs, due.body),
      },
      body: due.body,
      deadlineMs: config.webhookTimeout * 1_000,
      maxBytes: MOST_BYTES,
    })
    const header = reply.headers['retry-after']
    return {
      attempt: logged(reply.status, null, snippetOf(reply)),
      isSuccess: reply.status >= 200 && reply.status < 300,
      isGone: reply.status === 410,
      isOurs: false,
      retryAfterS: retryAfterS(Array.isArray(header) ? header[0] : header, clock.ms()),
    }
  } catch (error) {
    if (error instanceof OutgoingError) return failed(error.message, false)
    log.error({ err: error, delivery: due.id }, 'could not make a webhook attempt')
    return failed('The service failed to make the attempt', true)
  }
}

/** Converts the body to text without control characters, which break databases and terminals. */
const snippetOf = ({ body }: OutgoingReply): string =>
  body
    .subarray(0, SNIPPET_BYTES)
    .toString('utf8')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '�')
