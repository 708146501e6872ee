import { ApiError } from '../../core/errors.ts'

/** SQLSTATEs that the service acts on. It ignores constraint names, because a sharded database hides them. */
const RETRYABLE = new Set(['40001', '40P01'])
/** Connection and resource errors, a shutdown, and a database that became a read-only standby. */
const UNAVAILABLE = /^(08|57P|53|25006)/
/** Classes of errors that end their connection. */
const ENDING = /^(08|57P)/
/** Messages without a code, from the driver, when its connection is lost or was never made. */
const GONE =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed) and is not queryable|timeout e(?:xpired|xceeded when trying to connect)|Query read timeout|Cannot use a pool after calling end)/

/** Messages of the coordinator, with the code XX000, when a worker goes away during a statement or a commit. */
const WORKER_GONE =
  /^(?:terminating connection|could not commit transaction for shard|connection to the remote node|failure on connection|lost connection)/

/** Socket errors of database connections: a code such as ECONNRESET alone does not say whose socket failed. */
const ofDatabase = new WeakSet<object>()
export const markAsDatabases = (error: Error) => {
  ofDatabase.add(error)
}

export const sqlStateOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * A migration changed a column of a prepared statement, which did not run. Tests `routine` because the message is in
 * the database's language.
 */
export const isStalePlan = (error: unknown) =>
  sqlStateOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'

export const isRetryable = (error: unknown) => RETRYABLE.has(sqlStateOf(error) ?? '') || isStalePlan(error)
export const isUniqueViolation = (error: unknown) => sqlStateOf(error) === '23505'
export const isForeignKeyViolation = (error: unknown) => sqlStateOf(error) === '23503'
export const isDivisionByZero = (error: unknown) => sqlStateOf(error) === '22012'
/** A time limit of the session, or an operator, ended the statement. */
export const isCanceled = (error: unknown) => sqlStateOf(error) === '57014'
export const isLockTimeout = (error: unknown) => sqlStateOf(error) === '55P03'

/** Whether the error means that its connection is unusable. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlStateOf(error)
  return ofDatabase.has(error) || (code === undefined ? GONE.test(error.message) : ENDING.test(code))
}

/**
 * Whether a worker of a sharded database is unreachable. The connection to the coordinator still works, and so do the
 * rows on every other worker (docs/scaling.md).
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

/** Whether the server is away, stops, takes no writes or lacks space or memory. */
export const isUnavailable = (error: unknown) => UNAVAILABLE.test(sqlStateOf(error) ?? '')

/** PostgreSQL had no disk space left; the statement is undone. */
export const isDiskFull = (error: unknown) => sqlStateOf(error) === '53100'
export const diskFull = (cause: unknown) =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    "No space left on the database's disk. Ask your administrator to free some, then send the request again",
    { headers: RETRY_SOON, cause },
  )

const unknown = new WeakSet<ApiError>()
export const isOutcomeUnknown = (error: unknown): error is ApiError =>
  error instanceof ApiError && unknown.has(error)

const LOST = 'It is not known whether this was saved: the connection to the database was lost'

/**
 * The connection was lost after COMMIT was sent, so the outcome is unknown (B-unknown-2). `known` replaces the default
 * message.
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

/** Converts a PostgreSQL error to an ApiError that a caller can act on; an unknown error stays a 500. */
export function translatePgError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (isConnectionLost(error)) return busy(error)
  const code = sqlStateOf(error)
  if (code === undefined) return error
  if (isDiskFull(error)) return diskFull(error)
  if (isUnavailable(error) || isRetryable(error) || isWorkerLost(error)) return busy(error)
  if (code === '55P03') return busy(error)
  if (isCanceled(error)) return busy(error)
  if (code === '23505')
    return new ApiError('CONFLICT', 'Another record already uses this value. Choose another one', {
      cause: error,
    })
  if (code === '23503')
    return new ApiError('CONFLICT', 'Another record changed at the same time; read it again and retry', {
      cause: error,
    })
  if (code === '22003')
    return new ApiError('VALIDATION_ERROR', 'A number or a total became too large. Enter smaller numbers', {
      cause: error,
    })
  return error
}

/**
 * Whether the database failed, or no connection became free in time. Such an error does not mean that the request is
 * wrong.
 */
export function isOfDatabase(error: unknown): boolean {
  const translated = translatePgError(error)
  return translated instanceof ApiError && (translated !== error || translated.code === 'SERVICE_UNAVAILABLE')
}
