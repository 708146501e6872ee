import type { FastifyBaseLogger } from 'fastify'
import { type Bindings, type DestinationStream, type Level, type Logger, pino } from 'pino'
import { errorFields } from './error-text.ts'
import { standardOutput } from './output.ts'
import { readableLine } from './readable.ts'

/** Fields that must never reach a log, anywhere in a line. */
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

/**
 * Text that looks like a credential, an address or a phone number, anywhere in a line: a message may quote what a
 * user typed into the wrong field. This covers our tokens by their form, any JWT, and the text after an auth scheme.
 * Each pattern reads a bounded length, because a long line of one character would otherwise take minutes.
 */
const TELLING: readonly (readonly [RegExp, string])[] = [
  [/\b(?:kasir_sk_|whsec_)[\w+/=-]+/g, '[secret]'],
  [/\beyJ[\w-]{1,512}\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\.[\w-]{43}\b/g, '[token]'],
  [/\b(Bearer|Delegation|Basic) +[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  [/[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)[\w-]+(?:\.[\w-]+)+/g, '[mail]'],
  [/(?<![\w.+-])(?:\+62|62|0)[ -]?8\d{1,3}(?:[ -]?\d{2,5}){2,3}(?![\w.])/g, '[phone]'],
  [/(?<![\w.])\+\d{1,3}[ -]?\d{2,5}(?:[ -]?\d{2,5}){1,3}(?![\w.])/g, '[phone]'],
]
const withoutPeople = (line: string) =>
  TELLING.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), line)

export const makeLog = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorFields(error) },
      hooks: {
        streamWrite: withoutPeople,
        // Without its own message, pino would log the error's message, which may quote a row.
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
    destination ?? (process.stdout.isTTY ? terminalLog : standardOutput()),
  )

/** Log lines for a person at the terminal, between those of the startup. */
const terminalLog: DestinationStream = { write: (line) => standardOutput().write(readableLine(line)) }

type Unwritten = { readonly log: FastifyBaseLogger; readonly fields: Bindings; made?: FastifyBaseLogger }
const written = (to: Unwritten) => (to.made ??= to.log.child(to.fields))
const lineOf = (level: Level | 'silent') =>
  function (this: Unwritten, ...args: unknown[]) {
    const child = written(this)
    Reflect.apply(child[level], child, args)
  }
const LAZY = {
  get level() {
    return (this as unknown as Unwritten).log.level
  },
  child(this: Unwritten, ...args: Parameters<FastifyBaseLogger['child']>) {
    return written(this).child(...args)
  },
  fatal: lineOf('fatal'),
  error: lineOf('error'),
  warn: lineOf('warn'),
  info: lineOf('info'),
  debug: lineOf('debug'),
  trace: lineOf('trace'),
  silent: lineOf('silent'),
}

/**
 * A child logger that is created with its first line: creating one scans its fields for secrets, which costs as much
 * as routing the request.
 */
export const lazyChild = (log: FastifyBaseLogger, fields: Bindings): FastifyBaseLogger =>
  Object.assign(Object.create(LAZY) as FastifyBaseLogger & Unwritten, { log, fields })
