import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { eachWorkspace } from '../../../platform/each-workspace.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { job } from '../../../platform/worker.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

const EVERY_MS = 3_600_000
/** An image that nothing names is kept for a week: whoever uploads it may save the product later (B-upload-3). */
const UNUSED_MS = 7 * 24 * 3_600_000
/** An address that was signed so long ago brings nothing any more. */
const UNSENT_MS = 3_600_000
const FAILURE = 'could not remove unused images; trying again later'

/**
 * Removes the images that nothing in their workspace has named for a week, and what was signed and never sent. The bytes go
 * before the row, so that a run that is cut off is finished by the next. One that somebody names while it is about to go stays.
 * What one workspace cannot be rid of holds up no other.
 */
export async function removeUnused(deps: Deps, stop?: AbortSignal): Promise<void> {
  await deps.storage.tidy(deps.clock.ms())
  await eachWorkspace({ log: deps.log, failure: FAILURE, stop }, holdersOf(deps), ({ accountId }) =>
    removeOf(deps, accountId, stop),
  )
}

async function* holdersOf({ db }: Deps) {
  for (let last = ''; ; ) {
    const holders = await statements.listHolders(db, last)
    yield* holders
    const end = holders.at(-1)
    if (!end) return
    last = end.accountId
  }
}

async function removeOf({ db, storage, clock }: Deps, accountId: AccountId, stop?: AbortSignal) {
  const now = clock.now()
  await statements.markUnused(db, accountId, now)
  const edges = { unused: addMs(now, -UNUSED_MS), signed: addMs(now, -UNSENT_MS) }
  for (;;) {
    const left = await statements.listLeft(db, accountId, edges)
    for (const { id, key, size } of left) {
      if (stop?.aborted) return
      if (!(await store.letGo(db, { accountId }, id, edges))) continue
      if (size !== null) await storage.remove(key)
      await store.remove(db, { accountId }, id)
    }
    if (left.length === 0) return
  }
}

export const uploadJobs = [job({ name: 'uploads.unused', everyMs: EVERY_MS, run: removeUnused })]
