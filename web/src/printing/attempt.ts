import { FAULTS, type Fault, faultIn } from '../core.ts'
import { type Connection, PrinterFault } from './connection.ts'

export type Outcome = { isPrinted: true } | { isPrinted: false; reason: Fault; mayHavePrinted: boolean }

/** Printers that report their state do so within this time. */
const STATUS_MS = 500
/** Time for a job besides that of its transfer. */
const DEADLINE_MS = 8_000
/** Shorter than the lease of a job, which is a minute. */
const LONGEST_MS = 45_000

const failed = (reason: Fault, mayHavePrinted: boolean): Outcome => ({
  isPrinted: false,
  reason,
  mayHavePrinted,
})

/** Resolves to 'late' after `ms`. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Prints one paper, as the service does on its own printers (B-print-10). */
export async function printOn(connection: Connection, bytes: Uint8Array): Promise<Outcome> {
  const { askStatus, bytesPerSecond = Number.POSITIVE_INFINITY } = connection
  const endMs =
    performance.now() + Math.min(LONGEST_MS, DEADLINE_MS + (bytes.length / bytesPerSecond) * 1_000)
  const leftMs = () => Math.max(0, endMs - performance.now())
  const asking = askStatus?.(STATUS_MS).catch(() => 'lost' as const) ?? Promise.resolve(null)
  const before = await within(asking, 2 * STATUS_MS)
  if (before === 'late' || before === 'lost') return failed('UNREACHABLE', false)
  const fault = before && faultIn(...before)
  try {
    if (fault) return failed(fault, false)
    if ((await within(connection.write(bytes), leftMs())) === 'late') return failed('NO_ANSWER', true)
    if (!askStatus || !before) return { isPrinted: true }
    // The answer shows that the printer has received all bytes before the question.
    const after = await within(askStatus(leftMs()), leftMs())
    if (after === 'late' || after === null) return failed('NO_ANSWER', true)
    const faultAfter = faultIn(...after)
    return faultAfter ? failed(faultAfter, true) : { isPrinted: true }
  } catch (error) {
    const reason = error instanceof PrinterFault ? error.reason : 'CONNECTION_LOST'
    return failed(reason, !FAULTS[reason])
  }
}
