import { ASK_STATUS, isStatus } from '../core.ts'

/** Collects the status bytes that a printer sends, and asks for them. */
export function statusReader(write: (bytes: Uint8Array) => Promise<void>) {
  let statuses: number[] = []
  let wake = () => {}
  return {
    take(bytes: Iterable<number>) {
      statuses.push(...[...bytes].filter(isStatus))
      wake()
    },
    /** Two status bytes; null if none come within `ms`. */
    async ask(ms: number): Promise<readonly [number, number] | null> {
      statuses = []
      const answered = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          if (statuses.length < 2) return
          clearTimeout(timer)
          resolve()
        }
      })
      await write(ASK_STATUS)
      await answered
      const [first, second] = statuses
      return first === undefined || second === undefined ? null : [first, second]
    },
  }
}
