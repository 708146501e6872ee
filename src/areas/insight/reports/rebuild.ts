import { inTx } from '../../../platform/db/open.ts'
import { analyzeTables } from '../../../platform/db/statistics.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { chunkBefore, rollToEnd } from './roll.ts'
import { oldestPosition } from './store.ts'
import type { Chunk, Owner } from './store-roll.ts'
import * as store from './store-roll.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'log'>
/** Columns that are kept too high (or, below zero, too low), under the key of their row. */
export type Difference = { accountId: AccountId; outletId: string; key: string; differences: string }
const FILLED = ['reportFigures', 'reportGoods', 'reportMethods', 'reportTaxes'] as const
/** A workspace whose figures could not be compared, or not to the end. */
export type UncomparedWorkspace = { accountId: AccountId; reason: string }
export type RebuildResult = {
  outlets: number
  rebuilt: number
  differences: Difference[]
  uncompared: UncomparedWorkspace[]
}

/**
 * Compares every stored sum with its sales, and recomputes the sums of an outlet if one differs. Sales go on
 * meanwhile: each comparison is one moment, with what the log has that is not counted in yet. Holds only the position
 * of a workspace, for as long as some days take. A failure for one workspace does not end the work for the others.
 */
export async function rebuildRollups(
  tools: Tools,
  tell: (difference: Difference) => void,
): Promise<RebuildResult> {
  const proof: RebuildResult = { outlets: 0, rebuilt: 0, differences: [], uncompared: [] }
  for (const accountId of await store.listAccounts(tools.db)) {
    await rebuildWorkspace(tools, accountId, { proof, tell }).catch((error: unknown) => {
      proof.uncompared.push({ accountId, reason: error instanceof Error ? error.message : String(error) })
    })
  }
  if (proof.rebuilt > 0) await analyzeTables(tools, FILLED)
  return proof
}

type Report = { proof: RebuildResult; tell: (difference: Difference) => void }

async function rebuildWorkspace(tools: Tools, accountId: AccountId, { proof, tell }: Report) {
  const owner = { accountId, now: tools.clock.now() }
  await rollToEnd(tools, owner)
  for (const outlet of await store.listOutlets(tools.db, owner)) {
    const found = (await differencesOf(tools, owner, outlet)).map(
      (difference): Difference => ({ accountId, outletId: outlet.id, ...difference }),
    )
    proof.outlets += 1
    proof.differences.push(...found)
    for (const difference of found) tell(difference)
    if (found.length === 0) continue
    proof.rebuilt += 1
    await inTx(tools.db, async (tx) => {
      await store.awaitHold(tx, owner, oldestPosition(owner.now))
      await store.forget(tx, owner, outlet)
    })
    await rollToEnd(tools, owner)
  }
}

type Outlet = Pick<Chunk, 'id' | 'timezone'>

/** Rebuilds backwards, some days per statement. Days without stored figures compare as empty. */
async function differencesOf({ db }: Tools, owner: Owner, outlet: Outlet) {
  const found: { key: string; differences: string }[] = []
  for (let since: string | null = 'infinity'; since !== null; ) {
    const before: string = since
    since = await inTx(db, async (tx) => {
      await store.awaitHold(tx, owner, oldestPosition(owner.now))
      const undone = await store.listUndone(tx, owner)
      if (undone.some(({ id }) => id === outlet.id))
        throw new Error(`the outlet ${outlet.id} was changed meanwhile; run the command again`)
      const chunk = await chunkBefore(tx, owner, { ...outlet, since: before })
      found.push(...(await store.listDifferences(tx, owner, chunk)))
      return chunk.dayFrom === '-infinity' ? null : chunk.dayFrom
    })
  }
  return found
}
