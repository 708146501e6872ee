/**
 * Every error that the API returns, declared once: the envelope, OpenAPI and docs/errors.md derive from this table.
 * Statuses follow RFC 9110.
 */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 422,
    when: 'The request must be corrected before it is sent again: 400 when a field or query parameter is unknown or outside its own bounds (type, format, length, range, enum), 422 when a value conflicts with other fields or with stored data. `param` names the field.',
  },
  AUTH_REQUIRED: { status: 401, when: 'The request has no valid credential.' },
  INVALID_CREDENTIALS: {
    status: 401,
    when: 'The e-mail address and password do not match, or the code of the second factor is wrong or used.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    when: 'The password is correct, but the member has a second factor: send `details.challenge` with a code to `POST /auth/login/second-factor` before `details.expiresAt`.',
  },
  INVALID_SIGNATURE: { status: 401, when: 'The signature of an inbound notice is missing or wrong.' },
  PLAN_UPGRADE_REQUIRED: { status: 402, when: 'The plan of the workspace does not include this.' },
  SECOND_FACTOR_NOT_SET_UP: {
    status: 403,
    when: 'The workspace requires a second factor of owners and managers, and this member has none yet: set one up with `POST /auth/second-factor`.',
  },
  FORBIDDEN: { status: 403, when: 'The credential is valid but may not do this.' },
  APPROVAL_REQUIRED: {
    status: 403,
    when: 'A manager or owner must approve this first: get a token from `POST /approvals` for `details.action` and send it as the header `Approval`.',
  },
  LIMIT_REACHED: { status: 403, when: 'A limit of the plan has been reached; `param` names it.' },
  NOT_FOUND: { status: 404, when: 'No such resource in this workspace, or no such route.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path exists, but not for this method; `Allow` lists the methods it has.',
  },
  CONFLICT: { status: 409, when: 'The current state does not allow the operation.' },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    when: 'A request with this Idempotency-Key but another method, path or body has already succeeded (`details.usedAt`): look up what it created before you send yours under a new key. Or the first request is still running: then `Retry-After` is set, and you should send the same key again.',
  },
  PAYMENT_MODULE_DISABLED: { status: 409, when: 'The payment module is off in this workspace.' },
  FULFILLMENT_MODULE_DISABLED: { status: 409, when: 'The fulfillment module is off in this workspace.' },
  MARKETING_MODULE_DISABLED: { status: 409, when: 'The marketing module is off in this workspace.' },
  ALREADY_QUEUED: { status: 409, when: 'The delivery is already waiting to be sent.' },
  ENDPOINT_DISABLED: { status: 409, when: 'The endpoint of the delivery is switched off.' },
  PAYLOAD_TOO_LARGE: { status: 413, when: 'The request body is larger than the route accepts.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: 'The body is not JSON (`Content-Type: application/json`).' },
  OFFLINE_TOTAL: {
    status: 422,
    when: 'The total computed for an offline sale differs from the printed one; `details` has both figures, `computed` and `printed`.',
  },
  UNKNOWN_MODULE: { status: 422, when: 'No module has that name.' },
  RATE_LIMITED: { status: 429, when: 'Too many requests; wait the number of seconds in `Retry-After`.' },
  INTERNAL_ERROR: {
    status: 500,
    when: 'An error in the service itself; quote the requestId when you report it.',
  },
  PARTNER_ERROR: { status: 502, when: 'A partner returned an error or an invalid response.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'A dependency of the service is down; retry with the same Idempotency-Key. `details.partner` is the module whose partner keeps failing, if that is the cause.',
  },
  PARTNER_TIMEOUT: { status: 504, when: 'A partner did not answer in time.' },
} as const satisfies Record<string, { status: number; when: string }>

export type ErrorCode = keyof typeof ERRORS

type ErrorOptions = {
  status?: number
  param?: string
  details?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
  logged?: string
  afterRollback?: AfterRollback
}

/** Work that must survive the rollback caused by this error; the error handler runs it directly on the database. */
export type AfterRollback = (db: never) => Promise<unknown>

/** An expected refusal of a request. It can be thrown anywhere; one error handler turns it into the envelope. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly param: string | undefined
  readonly details: Record<string, unknown> | undefined
  readonly headers: Record<string, string> | undefined
  /** Logged instead of `message` and `param` when those quote the caller's input. */
  readonly logged: string | undefined
  readonly afterRollback: AfterRollback | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = options.status ?? ERRORS[code].status
    this.param = options.param
    this.details = options.details
    this.headers = options.headers
    this.logged = options.logged
    this.afterRollback = options.afterRollback
  }

  /** The same error with more details. */
  withDetails(details: Record<string, unknown>): ApiError {
    const { code, message, status, param, headers, cause, logged, afterRollback } = this
    return new ApiError(code, message, {
      status,
      details: { ...this.details, ...details },
      ...(param !== undefined && { param }),
      ...(headers !== undefined && { headers }),
      ...(cause !== undefined && { cause }),
      ...(logged !== undefined && { logged }),
      ...(afterRollback !== undefined && { afterRollback }),
    })
  }
}

/** 422: a value that conflicts with other fields or stored data (B-request-3). */
export const invalid = (param: string, message: string) =>
  new ApiError('VALIDATION_ERROR', message, { param })

/** 400: a field outside its own bounds that a schema cannot state (B-request-3). */
export const malformed = (param: string | undefined, message: string) =>
  new ApiError('VALIDATION_ERROR', message, param === undefined ? { status: 400 } : { status: 400, param })

/** 404 for unknown and foreign ids alike, so that existence never leaks (B-ids-2). */
export const notFound = (what: string, param?: string) =>
  param === undefined
    ? new ApiError('NOT_FOUND', `No such ${what}`)
    : new ApiError('NOT_FOUND', `No such ${what}: check ${param}`, { param })

/** 409: the state of the record refuses the operation (B-request-3). */
export const conflict = (message: string, details?: Record<string, unknown>) =>
  new ApiError('CONFLICT', message, details === undefined ? {} : { details })

/** 401: never says which part of a credential is wrong. */
export const authRequired = () =>
  new ApiError('AUTH_REQUIRED', 'Send `Authorization: Bearer <key>` with a valid API key, or sign in')

export const forbidden = (message: string) => new ApiError('FORBIDDEN', message)
