import type { Deps } from '../deps.ts'
import { rateLimitWaitMs } from '../partners/answer.ts'
import { isCircuitOpen } from '../partners/client.ts'
import { serviceMeans } from './service-means.ts'

type JobContext = ReturnType<typeof serviceMeans>
/** A row of any workspace for which a job calls a partner. */
export type DueRow = { accountId: string; id: string }

type DueRows = {
  service: { id: string; name: string }
  rows: readonly DueRow[]
  stop: AbortSignal | undefined
  work(means: JobContext, id: string): Promise<unknown>
  /** Delays the rows of the workspace after a 429, because the limit may be that of the workspace. */
  postpone(means: JobContext, id: string, waitMs: number): Promise<unknown>
  /** Called for any other failure. */
  onFailure?(means: JobContext, id: string, error: unknown): Promise<unknown>
  /** The name of a row in the log, and the message for a failure. */
  log: { noun: string; message: string }
}

/** Processes one row after another. Ends early if the circuit breaker of the partner is open, or after a 429. */
export async function forEachDue(
  deps: Deps,
  { service, rows, stop, work, postpone, onFailure, log }: DueRows,
): Promise<void> {
  for (const { accountId, id } of rows) {
    if (stop?.aborted) return
    const means = serviceMeans(deps, { accountId, service })
    try {
      await work(means, id)
    } catch (error) {
      deps.log.warn({ err: error, [log.noun]: id }, log.message)
      const waitMs = rateLimitWaitMs(error)
      if (waitMs !== null) {
        await postpone(means, id, waitMs)
        return
      }
      await onFailure?.(means, id, error)
      if (isCircuitOpen(error)) return
    }
  }
}
