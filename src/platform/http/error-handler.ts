import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { authenticate } from '../auth/authenticate.ts'
import { diskFull, isConnectionLost, translatePgError } from '../db/pg-errors.ts'
import type { Deps } from '../deps.ts'
import { isNoSpace, STARTING_BYTES } from '../files/free-space.ts'
import { errorText } from './envelope.ts'
import { isLookedAt, sendErrorPage } from './error-page.ts'
import type { Refusals } from './refusals.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyContextConfig {
    /** Every error that the API document lists for the route. */
    refusals?: Refusals
  }
}

/** Fastify's own errors, in our words (B-answer-4). */
const FRAMEWORK: Record<string, () => ApiError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new ApiError('PAYLOAD_TOO_LARGE', 'The request body is larger than this route accepts'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('The body is not as long as its Content-Length says'),
  FST_ERR_BAD_URL: () => badRequest('The URL of the request cannot be read'),
}
const badRequest = (message: string) => new ApiError('VALIDATION_ERROR', message, { status: 400 })

const diskOfServiceFull = (cause: unknown) =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    "No space left on the service's disk. Ask your administrator to free some, then send the request again",
    { headers: { 'retry-after': '1' }, cause },
  )

/** Every thrown error ends here; only expected errors reveal their cause to the caller (B-answer-5). */
export function toApiError(error: unknown): ApiError {
  const translated = translatePgError(error)
  if (translated instanceof ApiError) return translated
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  if (isNoSpace(error)) return diskOfServiceFull(error)
  const known = FRAMEWORK[code ?? '']
  if (known) return known()
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return badRequest((error as Error).message)
  return new ApiError(
    'INTERNAL_ERROR',
    'The service failed unexpectedly; quote the requestId when you report it',
    { cause: error },
  )
}

/**
 * Runs an error's follow-up work after its transaction is rolled back. If that fails, the failure is the response.
 */
async function settled(deps: Deps, error: ApiError): Promise<ApiError> {
  if (!error.afterRollback) return error
  try {
    await error.afterRollback(deps.db as never)
    return error
  } catch (failure) {
    return toApiError(failure)
  }
}

/** Node reports an aborted upload with the code of any broken connection. */
const isCutOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  !raw.complete && (error as { code?: unknown } | null)?.code === 'ECONNRESET'

/** Names the disk if it is full while the embedded PostgreSQL is away: it ended for that, and starts once there is space. */
async function withReason({ disks }: Deps, error: unknown): Promise<ApiError> {
  const isFull =
    isConnectionLost(error) &&
    (await disks()).some(({ name, freeBytes }) => name === 'database' && freeBytes < STARTING_BYTES)
  return isFull ? diskFull(error) : toApiError(error)
}

/** A cached key that has been revoked gets 401 and no other error. */
async function refusalOf(deps: Deps, error: unknown, request: FastifyRequest): Promise<ApiError> {
  const known = isCutOff(error, request)
    ? badRequest('The request ended before its body did')
    : await withReason(deps, error)
  // An internal error reveals nothing about the workspace, and the database may be unreachable.
  if (!request.identity?.remembered || known.status >= 500) return known
  return authenticate(deps, request, request.now).then(() => known, toApiError)
}

/** Statuses of requests that reach no route; the API document lists them once for all paths. */
const OF_THE_FORM: readonly number[] = [405, 408, 414, 431]

/** In tests, a route may throw only documented codes, so that no client meets an undocumented one. */
function named({ config }: Deps, error: ApiError, { routeOptions }: FastifyRequest): ApiError {
  const { refusals } = routeOptions.config
  if (config.env !== 'test' || refusals === undefined) return error
  const { status, code } = error
  if (OF_THE_FORM.includes(status) || refusals.get(status)?.includes(code)) return error
  const undocumented = `${routeOptions.url} refused with ${status} ${code}, which its document does not name`
  return new ApiError('INTERNAL_ERROR', undocumented, { cause: error })
}

export async function sendError(deps: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = named(deps, await settled(deps, await refusalOf(deps, error, request)), request)
  const meta = { requestId: request.id, timestamp: deps.clock.now() }
  const line = {
    code: known.code,
    status: known.status,
    param: known.logged === undefined ? known.param : undefined,
    method: request.method,
    route: request.routeOptions?.url,
  }
  // An overloaded process refuses a thousand requests a second: their stacks say nothing, and would take a fifth of its time.
  const isExpected = known.code === 'SERVICE_UNAVAILABLE' && known.cause === undefined
  if (isExpected) request.log.warn(line, known.message)
  else if (known.status >= 500) request.log.error({ ...line, err: known.cause ?? known }, known.message)
  else request.log.info(line, known.logged ?? known.message)
  reply
    .code(known.status)
    .headers({ ...(known.status === 503 ? { 'retry-after': '1' } : {}), ...known.headers })
  if (isLookedAt(request)) return sendErrorPage(reply, known, meta.requestId)
  return reply.type('application/json; charset=utf-8').send(errorText(known, meta))
}
