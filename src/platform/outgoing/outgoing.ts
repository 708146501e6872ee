import { tracingChannel } from 'node:diagnostics_channel'
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Agent, buildConnector, type Dispatcher, errors } from 'undici'
import { isPublicAddress } from './addresses.ts'
import { callableUrl } from './urls.ts'

export type OutgoingRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** The time limit from the look-up of the name to the last byte of the reply. */
  deadlineMs: number
  /** Aborts the request early, as a timeout. */
  signal?: AbortSignal
  /** The most bytes read of the reply's body; the rest is discarded. */
  maxBytes: number
}

export type OutgoingReply = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
  /** The body was longer than `maxBytes`. */
  isCut: boolean
}

/** A reply whose body is read as it arrives. Read or destroy the body: it holds a connection. */
export type OutgoingStream = Pick<OutgoingReply, 'status' | 'headers'> & { body: Readable }

/**
 * Why a request failed, in words for the person who entered the URL: `address` forbidden, `name` not found,
 * `timeout`, `tls`, `connection` refused or lost, `reply` not HTTP.
 */
export type OutgoingFault = 'address' | 'name' | 'timeout' | 'tls' | 'connection' | 'reply'

export class OutgoingError extends Error {
  readonly fault: OutgoingFault

  constructor(fault: OutgoingFault, cause?: unknown) {
    super(TEXTS[fault], { cause })
    this.name = 'OutgoingError'
    this.fault = fault
  }
}

const TEXTS: Record<OutgoingFault, string> = {
  address: 'The host is not on the public internet',
  name: 'The name of the host was not found',
  timeout: 'No complete answer in time',
  tls: 'The TLS handshake failed',
  connection: 'The connection was refused or lost',
  reply: 'The answer is not readable HTTP',
}

/** The DNS timeout when a user enters a URL. */
const ASK_MS = 2_000

/** Resolves all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

export type OutgoingOptions = {
  allowPrivate: boolean
  resolve?: Resolve
  /** Connects to the chosen address; tests replace it with their own socket. */
  dial?: (options: DialOptions) => buildConnector.connector
}
export type DialOptions = {
  lookup: LookupFunction
  timeout: number
  rejectUnauthorized: boolean
  allowH2: boolean
}

export type OutgoingClient = {
  /**
   * Checks whether a URL may be called: its form, and every address of its name. A name that does not resolve at the
   * moment is accepted, because each request checks again.
   */
  accepts(url: string): Promise<boolean>
  /**
   * Sends one request and follows no redirect.
   * @throws {OutgoingError}
   */
  send(input: OutgoingRequest): Promise<OutgoingReply>
  /**
   * Sends one request and leaves the body to the caller, at the pace of the caller. `deadlineMs` limits the time until
   * the body begins, and each pause of the sender within it.
   * @throws {OutgoingError}
   */
  open(input: Omit<OutgoingRequest, 'maxBytes'>): Promise<OutgoingStream>
  close(): Promise<void>
}

/**
 * Queries name servers directly: `getaddrinfo` would block one of the four threads that also hash passwords and read
 * files. Users choose the name server by their URL, and it may be slow.
 */
function publicResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (found.length === 0 && first?.status === 'rejected') throw first.reason
    return found
  }
}

const systemResolver: Resolve = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address)

/**
 * The only client for outgoing requests: it checks every address after resolving its name, and again after
 * connecting.
 */
export function openOutgoing({
  allowPrivate,
  resolve,
  dial = buildConnector,
}: OutgoingOptions): OutgoingClient {
  const addressesOf = resolve ?? (allowPrivate ? systemResolver : publicResolver())
  const permits = (address: string) => allowPrivate || isPublicAddress(address)

  /** Refuses a name if any of its addresses is forbidden: the next look-up may return only that one. */
  const checked = async (name: string) => {
    const addresses = await addressesOf(name).catch((error: unknown) => {
      throw new OutgoingError('name', error)
    })
    if (addresses.length === 0) throw new OutgoingError('name')
    if (!addresses.every(permits)) throw new OutgoingError('address')
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  const checkedBy = callbackify(checked)
  const lookup: LookupFunction = (name, options, done) =>
    checkedBy(name, (error, found) => {
      if (error) return done(error, '')
      const [first] = found
      if (options.all) done(null, found)
      else done(null, first?.address ?? '', first?.family)
    })
  const connector = dial({ lookup, timeout: 10_000, rejectUnauthorized: true, allowH2: false })
  const agent = new Agent({
    connect: (options, done) =>
      connector(options, (...outcome) => {
        const [error, socket] = outcome
        if (error) return done(error, null)
        if (permits(socket.remoteAddress ?? '')) return done(null, socket)
        socket.destroy()
        done(new OutgoingError('address'), null)
      }),
    // Closes idle connections, however long the host offers to keep them.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    // The deadline of the request covers all phases.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const accepts = async (text: string) => {
    const host = callableUrl(text, { allowPrivate })?.hostname
    if (host === undefined) return false
    // A literal address was already checked with the URL.
    if (isIP(host.replace(/^\[|\]$/g, ''))) return true
    const found = await Promise.race([addressesOf(host).catch(() => []), sleep(ASK_MS, [], { ref: false })])
    return found.every(permits)
  }
  return {
    accepts,
    send: (input) => announced(allowPrivate, input, (url, request) => exchange(agent, url, request)),
    open: (input) => announced(allowPrivate, input, (url, request) => begin(agent, url, request)),
    close: () => agent.destroy(),
  }
}

/** A request as `OUTGOING` announces it; a subscriber may add headers before it is sent. */
export type OutgoingNotice = { method: string; origin: string; headers: Record<string, string> }
/** Announces every request that the service sends to another one, and its reply. */
export const OUTGOING = tracingChannel<'kasir.outgoing', OutgoingNotice>('kasir.outgoing')

/** Runs `work` with a request that may be sent, and announces it to subscribers of OUTGOING. */
async function announced<I extends Omit<OutgoingRequest, 'maxBytes'>, R>(
  allowPrivate: boolean,
  input: I,
  work: (url: URL, request: I) => Promise<R>,
): Promise<R> {
  const url = callableUrl(input.url, { allowPrivate })
  if (!url) throw new OutgoingError('address')
  if (!OUTGOING.hasSubscribers) return work(url, input)
  const headers = { ...input.headers }
  const notice = { method: input.method, origin: url.origin, headers }
  return OUTGOING.tracePromise(() => work(url, { ...input, headers }), notice)
}

async function begin(
  agent: Agent,
  { origin, pathname, search }: URL,
  { method, headers = {}, body, deadlineMs, signal }: Omit<OutgoingRequest, 'maxBytes'>,
): Promise<OutgoingStream> {
  const abort = new AbortController()
  const giveUp = () => abort.abort(new OutgoingError('timeout'))
  const timer = setTimeout(giveUp, deadlineMs)
  signal?.addEventListener('abort', giveUp)
  try {
    const path = `${pathname}${search}`
    const options = { method, headers, body: body ?? null, signal: abort.signal, bodyTimeout: deadlineMs }
    const reply = await agent.request({ origin, path, ...options })
    // A caller that destroys the body early gets an error event from it, which would end the process.
    reply.body.on('error', () => {})
    return { status: reply.statusCode, headers: reply.headers, body: reply.body }
  } catch (error) {
    throw toOutgoingError(error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** A custom handler: a stream for the body and a listener for the signal would double the cost of a request. */
function exchange(
  agent: Agent,
  { origin, pathname, search }: URL,
  { method, headers = {}, body, deadlineMs, signal, maxBytes }: OutgoingRequest,
): Promise<OutgoingReply> {
  return new Promise((resolve, reject) => {
    let started: Dispatcher.DispatchController | undefined
    let isOver = false
    let status = 0
    let read: OutgoingReply['headers'] = {}
    const chunks: Buffer[] = []
    let length = 0
    const end = () => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
    const fail = (error: unknown) => {
      if (isOver) return
      end()
      const fault = toOutgoingError(error)
      reject(fault)
      started?.abort(fault)
    }
    const answer = () => {
      if (isOver) return
      end()
      const [first] = chunks
      const whole = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
      resolve({ status, headers: read, body: whole.subarray(0, maxBytes), isCut: length > maxBytes })
    }
    const giveUp = () => fail(new OutgoingError('timeout'))
    const timer = setTimeout(giveUp, deadlineMs)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted || deadlineMs <= 0) return giveUp()
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        started = controller
        // Aborted while it waited for its connection.
        if (isOver) controller.abort(new OutgoingError('timeout'))
      },
      onResponseStart(_, code, head) {
        if (code < 200) return
        status = code
        read = head
      },
      onResponseData(controller, chunk) {
        if (isOver) return
        chunks.push(chunk)
        length += chunk.length
        if (length <= maxBytes) return
        answer()
        controller.abort(new OutgoingError('reply'))
      },
      onResponseEnd: answer,
      onResponseError: (_, error) => fail(error),
    }
    try {
      agent.dispatch({ origin, path: `${pathname}${search}`, method, headers, body: body ?? null }, handler)
    } catch (error) {
      fail(error)
    }
  })
}

function toOutgoingError(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error
  const { code = '', cause } = error as { code?: string; cause?: unknown }
  if (cause instanceof OutgoingError) return cause
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new OutgoingError('timeout', error)
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/.test(code)) {
    return new OutgoingError('tls', error)
  }
  const unreadable = error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
  return new OutgoingError(unreadable ? 'reply' : 'connection', error)
}
