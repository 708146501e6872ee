import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { eachWorkspace } from '../../../platform/jobs/each-workspace.ts'
import { requireTrustedClock } from '../../../platform/jobs/sweep-clock.ts'
import { job } from '../../../platform/jobs/worker.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { removeFiles, renderStored } from './service.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

const EVERY_MS = 3_600_000
const RENDER_EVERY_MS = 600_000
/** An unreferenced image stays for a week, because its product may be saved later (B-upload-3). */
const UNUSED_MS = 7 * 24 * 3_600_000
/** A signed address is unusable after this time. */
const UNSENT_MS = 3_600_000
const FAILURE = 'could not remove unused images; retrying later'

/**
 * Removes images that no text of their workspace has named for a week, and signed uploads that were never sent.
 * Removes the file before the row, so that the next run finishes an interrupted one. Keeps an image that is
 * referenced meanwhile. A failure in one workspace does not delay others.
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

async function removeOf(deps: Deps, accountId: AccountId, stop?: AbortSignal) {
  const { db, clock } = deps
  const now = clock.now()
  await statements.markUnused(db, accountId, now)
  const edges = { unused: addMs(now, -UNUSED_MS), signed: addMs(now, -UNSENT_MS) }
  for (;;) {
    const left = await statements.listLeft(db, accountId, edges)
    for (const { id, key, size } of left) {
      if (stop?.aborted) return
      if (!(await store.letGo(db, { accountId }, id, edges))) continue
      if (size !== null) await removeFiles(deps, key)
      await store.remove(db, { accountId }, id)
    }
    if (left.length === 0) return
  }
}

/** Decodes images that were stored before uploads were decoded on arrival (B-upload-4). */
export async function renderStoredImages(deps: Deps, stop?: AbortSignal): Promise<void> {
  const failure = 'could not create thumbnails of stored images; retrying later'
  const accounts = (await statements.listWithNotRendered(deps.db)).map((accountId) => ({ accountId }))
  await eachWorkspace({ log: deps.log, failure, stop }, accounts, async ({ accountId }) => {
    for (let after = ''; ; ) {
      const images = await statements.listNotRendered(deps.db, accountId, after)
      for (const image of images) {
        if (stop?.aborted) return
        await renderStored(deps, accountId, image)
      }
      const last = images.at(-1)
      if (!last) return
      after = last.id
    }
  })
}

export const uploadJobs = [
  job({
    name: 'uploads.unused',
    everyMs: EVERY_MS,
    run: async (deps, stop) => {
      const clock = await requireTrustedClock(deps)
      await removeUnused({ ...deps, clock }, stop)
    },
  }),
  job({ name: 'uploads.render', everyMs: RENDER_EVERY_MS, run: renderStoredImages }),
]
