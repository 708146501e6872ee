import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Answers only at whole multiples of `stepMs` after the call, whether the work succeeds or throws: how long an answer
 * took then tells nothing of what was found. Nothing is held while it waits.
 */
export async function inEvenTime<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const spent = performance.now() - start
    await sleep(Math.ceil(spent / stepMs) * stepMs - spent)
  }
}
