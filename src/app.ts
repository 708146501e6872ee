import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { finishCloses } from './areas/selling/shifts/index.ts'
import { ApiError, malformed, notFound } from './core/errors.ts'
import { newId } from './core/ids.ts'
import { documentAt } from './document.ts'
import { addressOf } from './platform/config.ts'
import type { Deps } from './platform/deps.ts'
import { countCallers } from './platform/http/callers.ts'
import { acceptedEncoding, compressor, packedOnce } from './platform/http/compress.ts'
import { boundConnections } from './platform/http/connections.ts'
import { docs } from './platform/http/docs.ts'
import { sendError } from './platform/http/error-handler.ts'
import { mount } from './platform/http/mount.ts'
import { NO_PAGE } from './platform/http/pages.ts'
import { trustOf, watchForwarded } from './platform/http/proxies.ts'
import { API_PREFIX } from './platform/http/route.ts'
import type { Chore } from './platform/sweep.ts'
import { routes } from './routes.ts'

/** What the areas have the sweeper do. */
export const chores: readonly Chore[] = [{ name: 'closes that were cut off', run: finishCloses }]

const BODY_LIMIT = 1024 * 1024
const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/
/** What a page of an allowed origin may do, and read of the answer beside its body; a preflight tells the browser (Fetch, 3.2). */
const CROSS_ORIGIN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const CROSS_ORIGIN_READS = [
  'x-request-id',
  'idempotent-replayed',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'content-disposition',
  'allow',
]

/** Builds the service from its dependencies: hooks first, then the route table. No rule lives here. */
export async function createApp(deps: Deps): Promise<FastifyInstance> {
  const trust = trustOf(deps.config)
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: trust,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // A client that takes nothing of its answer for a minute is dropped; what trickles counts as taking.
    connectionTimeout: 60_000,
    // A request that reaches a stopping service on an open connection is served: Fastify's own 503 is no envelope.
    return503OnClosing: false,
    // Node looks for slow clients every 30 s unless told: the limits would be three times what they say.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    routerOptions: { maxParamLength: 1_000 },
    genReqId: (request) => {
      const sent = request.headers['x-request-id']
      return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : newId('request')
    },
    frameworkErrors: (error, request, reply) =>
      void sendError(deps, error, request as never, stamped(request as never, reply as never)),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(deps, error, socket),
  })
  boundConnections(app.server, deps, trust)
  app.decorateRequest('identity', null)
  app.setErrorHandler((error, request, reply) => sendError(deps, error, request, reply))
  parseJson(app)
  app.addHook('onRequest', async (request, reply) => {
    stamped(request, reply)
  })
  app.addHook(
    'onSend',
    compressor((request) => request.routeOptions.config.isSecret !== true),
  )
  logAnswers(app, deps)
  await app.register(helmet, {
    // Named by each page itself, and set for everything else where Fastify's own refusals get it too.
    contentSecurityPolicy: false,
    hsts: deps.config.publicUrl?.startsWith('https:') ?? false,
  })
  if (deps.config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...deps.config.corsOrigins],
      credentials: true,
      methods: [...CROSS_ORIGIN_METHODS],
      exposedHeaders: [...CROSS_ORIGIN_READS],
    })
  }
  await app.register(cookie)
  watchForwarded(app, deps, trust)
  // Before every route, known or not. A preflight has been answered by then: that costs less than to refuse it.
  countCallers(app, deps)
  const served = servedBy(app)
  mount(app, deps, routes)
  // An open stream is a request that never ends by itself: without this the server could not close. Not awaited, because
  // the listener closes after this hook.
  app.addHook('preClose', async () => void deps.live.endStreams())
  serveDocument(app, deps)
  await app.register(docs)
  app.setNotFoundHandler((request, reply) =>
    sendError(deps, missing(served, request.url, request.method, reply), request, reply),
  )
  return app
}

function serveDocument(app: FastifyInstance, { config }: Deps) {
  const document = packedOnce(() => JSON.stringify(documentAt(addressOf(config))))
  app.get(`${API_PREFIX}/openapi.json`, async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .type('application/json; charset=utf-8')
      .header('vary', 'accept-encoding')
      .send(await document(encoding))
  })
}

/** JSON only, UTF-8 only, uncompressed only; an absent body reads as none. */
function parseJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    const body = raw as Buffer
    const charset = /;\s*charset="?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as UTF-8'), undefined)
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed'), undefined)
    }
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(malformed('body', 'The body is not UTF-8'), undefined)
    void parse(request, body.toString('utf8'), (error, value) =>
      error ? done(malformed('body', 'The body is not valid JSON'), undefined) : done(null, value),
    )
  })
}

/** Fast successes leave no line: logging every request costs a quarter of the service's time. */
function logAnswers(app: FastifyInstance, deps: Deps) {
  const { logRequests } = deps.config
  const slowMs = 500
  if (logRequests === 'none') return
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime)
    if (logRequests === 'slow' && ms < slowMs) return
    request.log.info(
      { method: request.method, route: request.routeOptions.url, status: reply.statusCode, ms },
      'answered',
    )
  })
}

/**
 * Every answer carries its id (contract 1.13), is nobody's to keep, and is no page unless it says so (pages.ts); what
 * Fastify refuses by itself meets no hook.
 */
const stamped = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .header('content-security-policy', NO_PAGE)

type Served = { pattern: RegExp; method: string }

/** The paths and methods of every route that is registered from here on, by the router's own words. */
function servedBy(app: FastifyInstance): readonly Served[] {
  const served: Served[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const one of [method].flat()) if (one !== 'HEAD') served.push({ pattern, method: one })
  })
  return served
}

/** 405 with `Allow` where the path exists (RFC 9110, 15.5.6), otherwise 404. */
function missing(
  served: readonly Served[],
  url: string,
  method: string,
  reply: { header(name: string, value: string): unknown },
): ApiError {
  const path = url.split('?', 1)[0] ?? url
  const allowed = served.filter((known) => known.pattern.test(path)).map((known) => known.method)
  if (allowed.length === 0) return notFound('route')
  const allow = [...new Set(allowed)].join(', ')
  reply.header('allow', allow)
  return new ApiError('METHOD_NOT_ALLOWED', `${method} is not supported here; use ${allow}`)
}

const BROKEN: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Bytes that are no HTTP never reach a route; they are answered in the envelope all the same. */
function refuseBrokenHttp(deps: Deps, error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = BROKEN[error.code ?? ''] ?? '400 Bad Request'
  const requestId = newId('request')
  const body = JSON.stringify({
    data: null,
    error: { code: 'VALIDATION_ERROR', message: 'The request is not readable HTTP' },
    meta: { requestId, timestamp: deps.clock.now() },
  })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Security-Policy: ${NO_PAGE}\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
