import type { Deps } from '../../../platform/deps.ts'
import { eachWorkspace } from '../../../platform/each-workspace.ts'
import { modulesOf } from '../../workspace/modules/index.ts'
import { leftBetween } from './rules.ts'
import { sendReminders } from './sender.ts'
import * as store from './store.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/** Workspaces read at once, and bills of one statement. */
const WORKSPACES = 500
const BILLS = 1_000
const FAILURE = 'could not remind the customers of a workspace; trying again later'

export const hasReminding = async ({ db }: Pick<Tools, 'db'>): Promise<boolean> =>
  (await store.listReminding(db, '', 1)).length > 0

/** Every workspace that reminds. */
async function* reminding({ db }: Pick<Tools, 'db'>) {
  for (let after = ''; ; ) {
    const found = await store.listReminding(db, after, WORKSPACES)
    yield* found
    after = found.at(-1)?.accountId ?? ''
    if (found.length < WORKSPACES) return
  }
}

/**
 * Makes one reminder for each bill that was left, sends it, and sees what became of those that had one (B-cart-2, B-cart-3,
 * B-cart-5). A run may be cut off, and two may meet.
 */
export async function followCarts(tools: Deps, stop?: AbortSignal): Promise<void> {
  await eachWorkspace({ log: tools.log, failure: FAILURE, stop }, reminding(tools), async (workspace) => {
    const now = tools.clock.now()
    if (!(await modulesOf(tools, workspace, now)).has('marketing')) return
    await store.close(tools.db, workspace, now)
    const left = leftBetween(now, workspace.delayHours)
    for (let made = BILLS; made === BILLS && !stop?.aborted; ) {
      made = await store.schedule(tools.db, workspace, { ...left, now, limit: BILLS })
    }
    await sendReminders(tools, workspace, stop)
  })
}
