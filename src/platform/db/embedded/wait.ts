import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 250
const REPORT_MS = 5_000

/**
 * Creates a pause for polling a resource that another process holds. It logs `line` when it is new, then every five
 * seconds. Throws the reason of `signal` once it is aborted.
 */
export function createWait({ say, signal }: { say: (line: string) => void; signal?: AbortSignal }) {
  let said = { line: '', at: 0 }
  return async (line: string): Promise<void> => {
    signal?.throwIfAborted()
    if (line !== said.line || performance.now() - said.at >= REPORT_MS) {
      say(line)
      said = { line, at: performance.now() }
    }
    await sleep(LOOK_MS, null, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
  }
}
