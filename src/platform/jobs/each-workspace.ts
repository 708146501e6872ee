import type { Deps } from '../deps.ts'

type Frame = {
  log: Deps['log']
  /** The log message for a workspace that failed; the next run tries it again. */
  failure: string
  stop?: AbortSignal | undefined
}

/**
 * Runs work for one workspace after the other. A failure in one, because of its rows or their worker, does not block
 * the others. Throws the first failure after all have run.
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
