import type { Deps } from '../../../platform/deps.ts'
import { modulesOf } from '../../workspace/modules/index.ts'
import { leftBetween } from './rules.ts'
import { sendReminders } from './sender.ts'
import * as store from './store.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/** Workspaces read at once, and bills of one statement. */
const WORKSPACES = 500
const BILLS = 1_000

export const hasReminding = async ({ db }: Pick<Tools, 'db'>): Promise<boolean> =>
  (await store.listReminding(db, '', 1)).length > 0

/** Every workspace that reminds and whose module is on. */
async function* reminding(tools: Tools, stop?: AbortSignal) {
  for (let after = ''; ; ) {
    const found = await store.listReminding(tools.db, after, WORKSPACES)
    for (const one of found) {
      if (stop?.aborted) return
      if ((await modulesOf(tools, one, tools.clock.now())).has('marketing')) yield one
    }
    after = found.at(-1)?.accountId ?? ''
    if (found.length < WORKSPACES) return
  }
}

/**
 * Makes one reminder for each bill that was left, sends it, and sees what became of those that had one (B-cart-2, B-cart-3,
 * B-cart-5). A run may be cut off, and two may meet.
 */
export async function followCarts(tools: Deps, stop?: AbortSignal): Promise<void> {
  for await (const workspace of reminding(tools, stop)) {
    const now = tools.clock.now()
    await store.close(tools.db, workspace, now)
    const left = leftBetween(now, workspace.delayHours)
    for (let made = BILLS; made === BILLS && !stop?.aborted; ) {
      made = await store.schedule(tools.db, workspace, { ...left, now, limit: BILLS })
    }
    await sendReminders(tools, workspace, stop)
  }
}
