import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { ApiError, NO_PAGE, notFound, parseJson, translatePgError } from 'kasir/partner-tools'
import { errorText } from './http/envelope.ts'
import { mount, requestIdOf } from './http/mount.ts'
import type { Partner } from './partner.ts'
import type { Tools } from './tools.ts'

const BODY_LIMIT = 256 * 1024

/** The partner's own server: its hooks, its route table, its pages. */
export function createPartnerApp(partner: Partner, tools: Tools): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: tools.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    genReqId: requestIdOf,
  })
  parseJson(app)
  app.addHook('onRequest', async (request, reply) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('content-security-policy', NO_PAGE)
  })
  app.setErrorHandler((error, request, reply) => {
    const known = refusalOf(error)
    if (known.status >= 500)
      tools.log.error(
        { err: error, requestId: request.id },
        `the ${partner.name} partner failed at a request`,
      )
    void reply
      .code(known.status)
      .headers(known.headers ?? {})
      .type('application/json; charset=utf-8')
      .send(errorText(known))
  })
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type('application/json; charset=utf-8')
      .send(errorText(notFound('route'))),
  )
  mount(app, tools, partner.routes)
  partner.mountPages?.(app, tools)
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(partner.document(tools.publicUrl())),
  )
  return app
}

const badRequest = (message: string, cause: unknown) =>
  new ApiError('VALIDATION_ERROR', message, { status: 400, cause })

/** Maps errors of the framework and the database to the partner's errors. */
function refusalOf(error: unknown): ApiError {
  const translated = translatePgError(error)
  if (translated instanceof ApiError) return translated
  const { statusCode = 500 } = error as { statusCode?: number }
  if (statusCode === 413)
    return new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than this route accepts')
  if (statusCode === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')
  if (statusCode >= 400 && statusCode < 500) return badRequest((error as Error).message, error)
  return new ApiError('INTERNAL_ERROR', 'The partner failed internally; try again later', { cause: error })
}
