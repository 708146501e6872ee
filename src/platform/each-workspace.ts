import type { Deps } from './deps.ts'

type Frame = {
  log: Deps['log']
  /** What the log says of one that failed; it is tried again by the next run. */
  failure: string
  stop?: AbortSignal | undefined
}

/**
 * Works for one workspace after the other: what cannot be done for one, because of its rows or of the worker that they lie
 * on, holds up none of the others. Throws the first failure once all had their turn.
 */
export async function eachWorkspace<T extends { accountId: string }>(
  { log, failure, stop }: Frame,
  all: Iterable<T> | AsyncIterable<T>,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const failed: unknown[] = []
  for await (const one of all) {
    if (stop?.aborted) return
    await work(one).catch((error: unknown) => {
      log.warn({ err: error, account: one.accountId }, failure)
      failed.push(error)
    })
  }
  if (failed.length > 0) throw failed[0]
}
