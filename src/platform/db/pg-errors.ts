import { ApiError } from '../../core/errors.ts'

/** SQLSTATEs the service acts on. Names of constraints are not used: a sharded engine hides them. */
const RETRYABLE = new Set(['40001', '40P01'])
const UNAVAILABLE = /^(08|57P|53)/
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])

export const sqlStateOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

export const isRetryable = (error: unknown) => RETRYABLE.has(sqlStateOf(error) ?? '')
export const isUniqueViolation = (error: unknown) => sqlStateOf(error) === '23505'
export const isForeignKeyViolation = (error: unknown) => sqlStateOf(error) === '23503'
export const isDivisionByZero = (error: unknown) => sqlStateOf(error) === '22012'
export const isLockTimeout = (error: unknown) => sqlStateOf(error) === '55P03'

const busy = (cause: unknown) =>
  new ApiError('SERVICE_UNAVAILABLE', 'The database is not answering; send the request again', {
    headers: { 'retry-after': '1' },
    cause,
  })

/** Turns what PostgreSQL says into what a caller can act on; anything unknown stays a fault of ours (500). */
export function translatePgError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = sqlStateOf(error)
  const message = error instanceof Error ? error.message : ''
  if (code === undefined)
    return /timeout exceeded when trying to connect|Connection terminated/.test(message) ? busy(error) : error
  if (UNAVAILABLE.test(code) || UNAVAILABLE_CODES.has(code) || isRetryable(error)) return busy(error)
  if (code === '55P03') return busy(error)
  if (code === '57014') return busy(error)
  if (code === '23505')
    return new ApiError('CONFLICT', 'Another record already uses this value', { cause: error })
  if (code === '23503')
    return new ApiError('CONFLICT', 'Another record changed at the same moment; read again and retry', {
      cause: error,
    })
  if (code === '22003') return new ApiError('VALIDATION_ERROR', 'A figure became too large', { cause: error })
  return error
}
