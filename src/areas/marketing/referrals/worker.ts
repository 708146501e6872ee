import { randomBytes } from 'node:crypto'
import { inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { eachWorkspace } from '../../../platform/jobs/each-workspace.ts'
import { modulesOf } from '../../workspace/modules/index.ts'
import {
  CODE_LENGTH,
  codeOf,
  currencyOf,
  DEFAULTS,
  earns,
  expiryOf,
  isAttributed,
  LAST_EVENT,
  type ProgramValues,
  type Purchase,
  rewardOf,
  rewardUses,
} from './rules.ts'
import type { NewAttribution } from './statements.ts'
import * as store from './store.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>
type Workspace = Awaited<ReturnType<typeof store.listRunning>>[number]

/** Workspaces per query, and sales per transaction. */
const WORKSPACES = 500
const SALES = 500
const FAILURE = 'could not process the referrals of a workspace; retrying later'

export const hasRunning = async ({ db }: Pick<Tools, 'db'>): Promise<boolean> =>
  (await store.listRunning(db, '', 1)).length > 0

/** Yields every workspace whose program is on or has pending attributions. */
async function* running({ db }: Pick<Tools, 'db'>) {
  for (let after = ''; ; ) {
    const found = await store.listRunning(db, after, WORKSPACES)
    yield* found
    after = found.at(-1)?.accountId ?? ''
    if (found.length < WORKSPACES) return
  }
}

/**
 * Creates links and attributions for the sales completed since the last run (B-referral-2, B-referral-3). Ends pending
 * attributions also while the program or the module is off (B-referral-4). Reads the event log, so a sale pays no extra
 * cost, and a sale that commits late is not missed. A run can be interrupted, and two runs can overlap: each
 * transaction also commits the position up to which it has read.
 */
export async function processReferrals(tools: Tools & Pick<Deps, 'log'>, stop?: AbortSignal): Promise<void> {
  await eachWorkspace({ log: tools.log, failure: FAILURE, stop }, running(tools), async (workspace) => {
    const modules = await modulesOf(tools, workspace, tools.clock.now())
    for (let isFull = workspace.enabled && modules.has('marketing'); isFull; ) {
      if (stop?.aborted) return
      const outcome = await inTx(tools.db, (tx) => processBatch(tx, workspace, tools.clock.now()))
      if (outcome === null) return
      isFull = outcome.isFull
    }
    // A purchase in time that is still behind an open transaction gets its reward back from `expired`.
    await store.settle(tools.db, workspace, tools.clock.now())
  })
}

/** Processes the next portion of sales. Returns null if the program is off, or if another process has locked it. */
async function processBatch(tx: Tx, workspace: Workspace, now: string): Promise<{ isFull: boolean } | null> {
  const program = await store.lockRunning(tx, workspace)
  if (!program) return null
  const horizon = await store.horizon(tx)
  // A backup was restored into another cluster, which has other transaction numbers. The whole log is read again.
  const isFromElsewhere = BigInt(program.seenTx) > BigInt(horizon)
  const after = isFromElsewhere ? { tx: '0', id: '' } : { tx: program.seenTx, id: program.seenId }
  const found = await store.listCompleted(tx, workspace, after, {
    since: program.enabledAt,
    limit: SALES,
    upTo: horizon,
  })
  if (found.length > 0) {
    const sales = await store.listFacts(
      tx,
      workspace,
      found.map(({ saleId }) => saleId),
    )
    await makeLinks(tx, workspace, now, sales)
    await attribute(tx, workspace, { now, sales, program: { ...DEFAULTS, ...program } })
  }
  const seen = found.at(-1) ?? (isFromElsewhere ? { tx: horizon, id: LAST_EVENT } : undefined)
  if (seen) await store.seen(tx, workspace, seen)
  return { isFull: found.length === SALES }
}

async function makeLinks(tx: Tx, workspace: Workspace, now: string, sales: readonly store.Fact[]) {
  const customers = new Set(sales.filter(({ isNew }) => isNew).map(({ customerId }) => customerId))
  if (customers.size === 0) return
  const links = [...customers]
    .toSorted()
    .map((customerId) => ({ customerId, code: codeOf(randomBytes(CODE_LENGTH)) }))
  await store.addLinks(tx, workspace, now, links)
}

async function attribute(
  tx: Tx,
  workspace: Workspace,
  { now, sales, program }: { now: string; sales: readonly store.Fact[]; program: ProgramValues },
) {
  const codes = new Set(sales.flatMap(({ code }) => (code === null ? [] : [code])))
  if (codes.size === 0) return
  const links = new Map((await store.linksOf(tx, workspace, [...codes])).map((link) => [link.code, link]))
  const made: NewAttribution[] = []
  const purchases: Purchase[] = []
  for (const sale of sales) {
    const link = links.get(sale.code ?? '')
    if (!link) continue
    const { linkId } = link
    if (sale.customerId === link.customerId && !sale.isRewarded) purchases.push({ ...sale, linkId })
    if (sale.isAttributed || !isAttributed(sale, link, program)) continue
    const isEarned = earns(program, sale, link.earned)
    if (isEarned) link.earned += 1
    made.push({
      linkId,
      saleId: sale.saleId,
      status: isEarned ? 'pending' : 'rejected',
      referrerReward: isEarned ? rewardOf(program, program.referrerValue, sale) : 0,
      refereeReward: isEarned ? rewardOf(program, program.refereeValue, sale) : 0,
    })
  }
  const terms = { now, currency: currencyOf(program), expiresAt: expiryOf(program, now) }
  if (made.length > 0) await store.attribute(tx, workspace, made, terms)
  // Sales are in the order of their completion.
  const [first] = purchases
  if (!first) return
  const linkIds = [...new Set(purchases.map(({ linkId }) => linkId))]
  const rewards = await store.unusedRewards(tx, workspace, { linkIds, since: first.completedAt })
  const uses = rewardUses(rewards, purchases)
  if (uses.length > 0) await store.reward(tx, workspace, now, uses)
}
