import { sqlStateOf } from '../db/pg-errors.ts'

type ErrorFields = { type: string; message: string; code?: string; stack?: string; cause?: ErrorFields }

const DEEPEST = 5

/** Messages of class 22 (data exceptions) quote the rejected value. */
const quotesData = (error: unknown) => /^22[0-9A-Z]{3}$/.test(sqlStateOf(error) ?? '')

/**
 * The loggable part of an error: its kind, message, code and stack, and the same of its causes. All other fields are
 * dropped: PostgreSQL puts whole rows of customers into `detail`, `hint` and `where`.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'the thrown value is not an Error' }
  const code = sqlStateOf(error)
  const message = quotesData(error) ? 'the database refused a value' : error.message
  return {
    type: error.name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: [message, ...framesOf(error)].join('\n') }),
    ...(error.cause === undefined || depth === DEEPEST ? {} : { cause: errorFields(error.cause, depth + 1) }),
  }
}

/** A stack begins with the message. The message is logged separately and may quote private data. */
const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^\s+at /.test(line))

/** The same for a terminal: a line and a stack for the error and for each of its causes. */
export function errorReport(error: unknown): string {
  const told: string[] = []
  for (let fields: ErrorFields | undefined = errorFields(error); fields; fields = fields.cause) {
    const code = fields.code === undefined ? '' : ` (${fields.code})`
    const frames = fields.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
    told.push([`${fields.type}: ${fields.message}${code}`, ...frames].join('\n'))
  }
  return told.join('\ncaused by ')
}
