/** Names of pino's levels. */
const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

type LogLine = { level: number; time: string; msg?: string; err?: { stack?: string } }

// oxlint-disable-next-line no-control-regex -- these are what a terminal acts on
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
/** A log may quote text sent by a stranger: it must not move the cursor or change the displayed text. */
const harmless = (text: string) =>
  text.replaceAll(CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const wordOf = (value: unknown) =>
  harmless(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))

/** Formats a JSON line of the log for people: `12:30:05Z WARN  message  field=value`, then the stack of an error. */
export function readableLine(line: string): string {
  let parsed: LogLine
  try {
    parsed = JSON.parse(line) as LogLine
  } catch {
    return `${harmless(line.trimEnd())}\n`
  }
  const { level, time, msg = '', err, ...fields } = parsed
  const { stack = '', ...error } = err ?? {}
  const clock = /T(\d\d:\d\d:\d\d)/.exec(time)?.[1]?.concat('Z') ?? time
  const details = Object.entries(err === undefined ? fields : { ...fields, ...error })
    .map(([name, value]) => `  ${harmless(name)}=${wordOf(value)}`)
    .join('')
  const trace = stack
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => `    ${harmless(text.trim())}\n`)
  const word = (LEVELS[level] ?? String(level)).padEnd(5)
  return `${harmless(clock)} ${word} ${harmless(msg)}${details}\n${trace.join('')}`
}
