import type { Deps } from '../../../platform/deps.ts'
import { eachWorkspace } from '../../../platform/jobs/each-workspace.ts'
import { modulesOf } from '../../workspace/modules/index.ts'
import { abandonedWindow } from './rules.ts'
import { sendReminders } from './sender.ts'
import * as store from './store.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/** Workspaces per query, and bills per statement. */
const WORKSPACES = 500
const BILLS = 1_000
const FAILURE = 'could not remind the customers of a workspace; retrying later'

export const hasReminding = async ({ db }: Pick<Tools, 'db'>): Promise<boolean> =>
  (await store.listReminding(db, '', 1)).length > 0

/** Yields every workspace with reminders switched on or with watched ones. */
async function* reminding({ db }: Pick<Tools, 'db'>) {
  for (let after = ''; ; ) {
    const found = await store.listReminding(db, after, WORKSPACES)
    yield* found
    after = found.at(-1)?.accountId ?? ''
    if (found.length < WORKSPACES) return
  }
}

/**
 * Schedules one reminder per abandoned bill, sends due reminders, and closes those whose bill has ended (B-cart-2,
 * B-cart-3, B-cart-5). Reminders are closed also while they or the module are off. A run can be interrupted, and two
 * runs can overlap.
 */
export async function remindCustomers(tools: Deps, stop?: AbortSignal): Promise<void> {
  await eachWorkspace({ log: tools.log, failure: FAILURE, stop }, reminding(tools), async (workspace) => {
    const now = tools.clock.now()
    const left = abandonedWindow(now, workspace.delayHours)
    await store.close(tools.db, workspace, { now, oldest: left.from })
    if (!workspace.enabled || !(await modulesOf(tools, workspace, now)).has('marketing')) return
    for (let made = BILLS; made === BILLS && !stop?.aborted; ) {
      made = await store.schedule(tools.db, workspace, { ...left, now, limit: BILLS })
    }
    await sendReminders(tools, workspace, stop)
  })
}
