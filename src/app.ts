import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { receiptPages } from './areas/selling/receipt-links/index.ts'
import { standingOf } from './areas/workspace/modules/index.ts'
import { uploadFiles } from './areas/workspace/uploads/index.ts'
import { documentAt } from './document.ts'
import { addressOf } from './platform/config/config.ts'
import type { Deps } from './platform/deps.ts'
import { logAnswers } from './platform/http/answer-log.ts'
import { boundRequests, readableUrl } from './platform/http/bounds.ts'
import { refuseBrokenHttp } from './platform/http/broken-http.ts'
import { countCallers } from './platform/http/callers.ts'
import { acceptedEncoding, compressor, packedOnce } from './platform/http/compress.ts'
import { boundConnections } from './platform/http/connections.ts'
import { docs } from './platform/http/docs.ts'
import { sendError } from './platform/http/error-handler.ts'
import type { GateMeans } from './platform/http/gate.ts'
import { parseJson } from './platform/http/json-body.ts'
import { lingerAfterAnswers } from './platform/http/linger.ts'
import { missing, servedBy } from './platform/http/missing.ts'
import { mount } from './platform/http/mount.ts'
import { dropStrangeCountry, trustOf, watchForwarded } from './platform/http/proxies.ts'
import { serveRegister } from './platform/http/register.ts'
import { API_PREFIX, type Route } from './platform/http/route.ts'
import { requestIdOf, stampOf } from './platform/http/stamp.ts'
import { readTls, renewTls, serverOptions } from './platform/http/tls.ts'
import { lazyChild } from './platform/log/log.ts'
import { routesAt } from './routes.ts'

const BODY_LIMIT = 1024 * 1024
/**
 * What a page of an allowed origin may send and which response headers it may read; sent in the preflight response
 * (Fetch, 3.2).
 */
const CROSS_ORIGIN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const CROSS_ORIGIN_READS = [
  'x-request-id',
  'idempotent-replayed',
  'kasir-data-as-of',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'content-disposition',
  'allow',
]

/** The route table, and the functions that its gate needs from the areas. */
export type RouteTable = { rows: readonly Route[] } & Partial<GateMeans>

/** Builds the service from its dependencies: hooks first, then the route table. No rule lives here. */
export async function createApp(
  deps: Deps,
  { rows, ...means }: RouteTable = { rows: routesAt(deps.config), standingOf },
): Promise<FastifyInstance> {
  const trust = trustOf(deps.config)
  const stamp = stampOf({ isHttps: deps.config.publicUrl?.startsWith('https:') ?? false })
  const tls = readTls(deps.config, deps.clock.ms())
  // By default Node checks for slow clients every 30 s, which could triple the configured limits.
  const bounds = { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 }
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: lazyChild,
    bodyLimit: BODY_LIMIT,
    trustProxy: trust,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // A client that reads nothing of the response for a minute is disconnected; slow reading counts as reading.
    connectionTimeout: 60_000,
    // A request that arrives on an open connection during shutdown is served: Fastify's own 503 lacks our error
    // envelope.
    return503OnClosing: false,
    ...serverOptions(tls, bounds),
    routerOptions: { maxParamLength: 1_000 },
    rewriteUrl: readableUrl,
    genReqId: requestIdOf,
    frameworkErrors: (error, request, reply) =>
      void sendError(deps, error, request as never, stamp(request as never, reply as never)),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(deps, error, socket),
  })
  if (tls !== null) renewTls(app, deps, tls)
  boundConnections(app.server, deps, trust)
  app.decorateRequest('identity', null)
  app.setErrorHandler((error, request, reply) => sendError(deps, error, request, reply))
  parseJson(app)
  app.addHook('onRequest', (request, reply, next) => {
    stamp(request, reply)
    next()
  })
  app.addHook(
    'onSend',
    compressor((request) => request.routeOptions.config.isSecret !== true),
  )
  lingerAfterAnswers(app)
  logAnswers(app, deps)
  await allowOrigins(app, deps.config)
  await app.register(cookie)
  watchForwarded(app, deps, trust)
  dropStrangeCountry(app, deps.config, trust)
  // Runs before every route, known or not. Preflights are answered earlier: an answer costs less than a refusal.
  countCallers(app, deps)
  boundRequests(app)
  // Before `served`: a file of the app is no route to suggest to a client of the API.
  const register = await serveRegister(app, deps.config)
  const served = servedBy(app)
  mount(app, deps, rows, means)
  // An open stream never ends by itself and would keep the server from closing. Not awaited, because the listener
  // closes after this hook.
  app.addHook('preClose', async () => void deps.live.endStreams())
  serveDocument(app, deps)
  await app.register(docs)
  await app.register((files) => uploadFiles(files, deps))
  await app.register((pages) => receiptPages(pages, deps))
  app.setNotFoundHandler(
    (request, reply) =>
      register.sendPage(request, reply) ??
      sendError(deps, missing(served, request.url, request.method, reply), request, reply),
  )
  return app
}

async function allowOrigins(app: FastifyInstance, { corsOrigins }: Deps['config']) {
  if (corsOrigins.length === 0) return
  await app.register(cors, {
    origin: [...corsOrigins],
    credentials: true,
    methods: [...CROSS_ORIGIN_METHODS],
    exposedHeaders: [...CROSS_ORIGIN_READS],
  })
}

function serveDocument(app: FastifyInstance, { config }: Deps) {
  const document = packedOnce(() => JSON.stringify(documentAt(addressOf(config), routesAt(config))))
  app.get(`${API_PREFIX}/openapi.json`, async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .type('application/json; charset=utf-8')
      .header('vary', 'accept-encoding')
      .send(await document(encoding))
  })
}
