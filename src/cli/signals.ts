/** The signals that ask a command to end: a closed terminal, Ctrl-C, a supervisor. */
export const ENDING_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/**
 * Ends a command that does not handle the signal itself. Leaving by `process.exit` runs the exit hooks, which stop the
 * embedded PostgreSQL; the system's default would leave it running.
 */
export function endOnSignals() {
  for (const signal of ENDING_SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + NUMBERS[signal])
    })
  }
}
