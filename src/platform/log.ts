import { type DestinationStream, type Logger, pino } from 'pino'
import { errorFields } from './error-text.ts'

/** What must never reach a log, wherever it is in a line. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'key',
  'secret',
  'reference',
  'idempotency-key',
]

export const makeLog = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorFields(error) },
      hooks: {
        // Without a line of its own an error would be logged under its message, which may quote a row.
        logMethod(given, method) {
          const [first, ...rest] = given as unknown as [unknown, ...unknown[]]
          const thrown = first instanceof Error ? first : (first as { err?: unknown } | null)?.err
          if (!(thrown instanceof Error) || rest.length > 0) return method.apply(this, given)
          const fields = first instanceof Error ? { err: first } : first
          method.apply(this, [fields, errorFields(thrown).message] as unknown as typeof given)
        },
      },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  )
