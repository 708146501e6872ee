import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Settles only at whole multiples of `stepMs` after the call, whether the work succeeds or throws, so the response
 * time reveals nothing about the result. It holds no resource while it waits.
 */
export async function withConstantTime<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const spent = performance.now() - start
    await sleep(Math.ceil(spent / stepMs) * stepMs - spent)
  }
}
