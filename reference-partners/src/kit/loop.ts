import type { Logger } from 'pino'

export type Loop = { wake(): void; stop(): Promise<void> }

/**
 * Repeats `work` every `everyMs`, and immediately when woken. A failure is logged and retried later. Stopping waits for
 * the work in progress.
 */
export function startLoop(
  { name, everyMs, log }: { name: string; everyMs: number; log: Logger },
  work: (stop: AbortSignal) => Promise<unknown>,
): Loop {
  const stopping = new AbortController()
  let isWoken = false
  let wakeUp = () => {}
  const rest = () =>
    new Promise<void>((resolve) => {
      if (isWoken || stopping.signal.aborted) return resolve()
      const timer = setTimeout(resolve, everyMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!stopping.signal.aborted) {
      isWoken = false
      await work(stopping.signal).catch((error: unknown) =>
        log.warn({ err: error, work: name }, 'a reference partner could not do its work; trying again later'),
      )
      await rest()
    }
  }
  const ended = run()
  return {
    wake: () => {
      isWoken = true
      wakeUp()
    },
    stop: async () => {
      stopping.abort()
      wakeUp()
      await ended
    },
  }
}
