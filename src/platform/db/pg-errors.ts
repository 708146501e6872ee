import { ApiError } from '../../core/errors.ts'

/** SQLSTATEs the service acts on. Names of constraints are not used: a sharded engine hides them. */
const RETRYABLE = new Set(['40001', '40P01'])
/** Connections, shutdown, resources, and a database that became a read-only standby. */
const UNAVAILABLE = /^(08|57P|53|25006)/
/** Classes that end the connection they arrive on. */
const ENDING = /^(08|57P)/
/** What the driver says, without a code, when its connection is lost or was never made. */
const GONE =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed) and is not queryable|timeout e(?:xpired|xceeded when trying to connect)|Query read timeout|Cannot use a pool after calling end)/

/** What a coordinator says, in a class that tells nothing, when a worker goes away under a statement or a commit. */
const WORKER_GONE =
  /^(?:terminating connection|could not commit transaction for shard|connection to the remote node|failure on connection|lost connection)/

/** Errors of sockets to the database: a code such as ECONNRESET alone does not say whose socket it was. */
const ofDatabase = new WeakSet<object>()
export const markAsDatabases = (error: Error) => {
  ofDatabase.add(error)
}

export const sqlStateOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** A migration changed a column of a prepared statement; nothing ran. The message is in the database's language. */
export const isStalePlan = (error: unknown) =>
  sqlStateOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'

export const isRetryable = (error: unknown) => RETRYABLE.has(sqlStateOf(error) ?? '') || isStalePlan(error)
export const isUniqueViolation = (error: unknown) => sqlStateOf(error) === '23505'
export const isForeignKeyViolation = (error: unknown) => sqlStateOf(error) === '23503'
export const isDivisionByZero = (error: unknown) => sqlStateOf(error) === '22012'
export const isLockTimeout = (error: unknown) => sqlStateOf(error) === '55P03'

/** Whether the error means that the connection it came on is of no more use. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlStateOf(error)
  return ofDatabase.has(error) || (code === undefined ? GONE.test(error.message) : ENDING.test(code))
}

/**
 * Whether one of the workers that a database is spread over is out of reach, while the connection to the coordinator and the
 * rows on every other worker are as they were (docs/scaling.md).
 */
export function isWorkerLost(error: unknown): boolean {
  if (error instanceof ApiError) return error.cause !== undefined && isWorkerLost(error.cause)
  const code = sqlStateOf(error) ?? ''
  const { severity, message } = error as { severity?: string; message: string }
  return severity === 'ERROR' && (ENDING.test(code) || (code === 'XX000' && WORKER_GONE.test(message)))
}

const RETRY_SOON = { 'retry-after': '1' }
const busy = (cause: unknown) =>
  new ApiError('SERVICE_UNAVAILABLE', 'The database is not answering; send the request again', {
    headers: RETRY_SOON,
    cause,
  })

const unknown = new WeakSet<ApiError>()
export const isOutcomeUnknown = (error: unknown): error is ApiError =>
  error instanceof ApiError && unknown.has(error)

const LOST = 'It is not known whether this was saved: the connection to the database was lost'

/**
 * The connection was lost after a commit had been asked for: nobody here knows whether it was done (B-unknown-2). `known`
 * where there is more to say than that.
 */
export function outcomeUnknown(
  cause: unknown,
  nextStep = 'Check whether it was done before you send it again',
  known = LOST,
): ApiError {
  const error = new ApiError('SERVICE_UNAVAILABLE', `${known}. ${nextStep}`, { headers: RETRY_SOON, cause })
  unknown.add(error)
  return error
}

/** Turns what PostgreSQL says into what a caller can act on; anything unknown stays a fault of ours (500). */
export function translatePgError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (isConnectionLost(error)) return busy(error)
  const code = sqlStateOf(error)
  if (code === undefined) return error
  if (UNAVAILABLE.test(code) || isRetryable(error) || isWorkerLost(error)) return busy(error)
  if (code === '55P03') return busy(error)
  if (code === '57014') return busy(error)
  if (code === '23505')
    return new ApiError('CONFLICT', 'Another record already uses this value', { cause: error })
  if (code === '23503')
    return new ApiError('CONFLICT', 'Another record changed at the same time; read it again and retry', {
      cause: error,
    })
  if (code === '22003') return new ApiError('VALIDATION_ERROR', 'A number became too large', { cause: error })
  return error
}

/** Whether it is the database that failed, or that no connection to it came free in time: no verdict on the request. */
export function isOfDatabase(error: unknown): boolean {
  const translated = translatePgError(error)
  return translated instanceof ApiError && (translated !== error || translated.code === 'SERVICE_UNAVAILABLE')
}
