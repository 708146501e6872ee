import { inTx } from '../../../platform/db/open.ts'
import { isConnectionLost, isOutcomeUnknown, isWorkerLost } from '../../../platform/db/pg-errors.ts'
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
/** A workspace, or one of its outlets, whose figures could not be compared, or not to the end. */
export type UncomparedPart = { accountId: AccountId; outletId?: string; reason: string }
export type RebuildResult = {
  outlets: number
  rebuilt: number
  differences: Difference[]
  uncompared: UncomparedPart[]
}

/**
 * Compares every stored sum with its sales, and recomputes the sums of an outlet if one differs. Sales go on
 * meanwhile: each comparison is one moment, with what the log has that is not counted in yet. Holds only the position
 * of a workspace, for as long as some days take. A failure for one workspace or outlet does not end the work for the others, but a
 * lost connection does: every other workspace would fail too.
 */
export async function rebuildRollups(
  tools: Tools,
  tell: (difference: Difference) => void,
): Promise<RebuildResult> {
  const proof: RebuildResult = { outlets: 0, rebuilt: 0, differences: [], uncompared: [] }
  for (const accountId of await store.listAccounts(tools.db)) {
    await noteFailure(proof, { accountId }, () => rebuildWorkspace(tools, accountId, { proof, tell }))
  }
  if (proof.rebuilt > 0) await analyzeTables(tools, FILLED)
  return proof
}

type Report = { proof: RebuildResult; tell: (difference: Difference) => void }

async function noteFailure(
  proof: RebuildResult,
  part: Omit<UncomparedPart, 'reason'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if ((isConnectionLost(error) || isOutcomeUnknown(error)) && !isWorkerLost(error)) throw error
    proof.uncompared.push({ ...part, reason: error instanceof Error ? error.message : String(error) })
  }
}

async function rebuildWorkspace(tools: Tools, accountId: AccountId, report: Report) {
  const owner = { accountId, now: tools.clock.now() }
  await rollToEnd(tools, owner)
  for (const outlet of await store.listOutlets(tools.db, owner))
    await noteFailure(report.proof, { accountId, outletId: outlet.id }, () =>
      rebuildOutlet(tools, owner, outlet, report),
    )
}

type Outlet = Pick<Chunk, 'id' | 'timezone'>

async function rebuildOutlet(tools: Tools, owner: Owner, outlet: Outlet, { proof, tell }: Report) {
  const found = (await differencesOf(tools, owner, outlet)).map(
    (difference): Difference => ({ accountId: owner.accountId, outletId: outlet.id, ...difference }),
  )
  proof.outlets += 1
  proof.differences.push(...found)
  for (const difference of found) tell(difference)
  if (found.length === 0) return
  proof.rebuilt += 1
  await inTx(tools.db, async (tx) => {
    await store.awaitHold(tx, owner, oldestPosition(owner.now))
    await store.forget(tx, owner, outlet)
  })
  await rollToEnd(tools, owner)
}

/** Rebuilds backwards, some days per statement. Days without stored figures compare as empty. */
async function differencesOf({ db }: Tools, owner: Owner, outlet: Outlet) {
  const found: { key: string; differences: string }[] = []
  for (let since: string | null = 'infinity'; since !== null; ) {
    const before: string = since
    since = await inTx(db, async (tx) => {
      await store.awaitHold(tx, owner, oldestPosition(owner.now))
      const undone = await store.listUndone(tx, owner)
      if (undone.some(({ id }) => id === outlet.id))
        throw new Error('it was changed meanwhile; run the command again')
      const chunk = await chunkBefore(tx, owner, { ...outlet, since: before })
      found.push(...(await store.listDifferences(tx, owner, chunk)))
      return chunk.dayFrom === '-infinity' ? null : chunk.dayFrom
    })
  }
  return found
}
