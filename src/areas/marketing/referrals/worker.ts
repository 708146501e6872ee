import { randomBytes } from 'node:crypto'
import { inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { eachWorkspace } from '../../../platform/each-workspace.ts'
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
  rewardOf,
} from './rules.ts'
import type { NewAttribution } from './statements.ts'
import * as store from './store.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>
type Workspace = Awaited<ReturnType<typeof store.listRunning>>[number]

/** Workspaces read at once, and sales of one transaction. */
const WORKSPACES = 500
const SALES = 500
const FAILURE = 'could not follow the referrals of a workspace; trying again later'

export const hasRunning = async ({ db }: Pick<Tools, 'db'>): Promise<boolean> =>
  (await store.listRunning(db, '', 1)).length > 0

/** Every workspace whose program is on. */
async function* running({ db }: Pick<Tools, 'db'>) {
  for (let after = ''; ; ) {
    const found = await store.listRunning(db, after, WORKSPACES)
    yield* found
    after = found.at(-1)?.accountId ?? ''
    if (found.length < WORKSPACES) return
  }
}

/**
 * Makes links and attributions of the sales that were completed since the last run (B-referral-2, B-referral-3). It follows
 * the log of events, so the sale itself pays nothing for it, and no sale that commits late is missed. A run may be cut off, and
 * two may meet: what a transaction made and how far it read are committed together.
 */
export async function followReferrals(tools: Tools & Pick<Deps, 'log'>, stop?: AbortSignal): Promise<void> {
  await eachWorkspace({ log: tools.log, failure: FAILURE, stop }, running(tools), async (workspace) => {
    if (!(await modulesOf(tools, workspace, tools.clock.now())).has('marketing')) return
    await store.settle(tools.db, workspace, tools.clock.now())
    for (let isFull = true; isFull && !stop?.aborted; ) {
      isFull = await inTx(tools.db, (tx) => followSome(tx, workspace, tools.clock.now()))
    }
  })
}

/** Looks at the next portion of sales; true when there may be more. */
async function followSome(tx: Tx, workspace: Workspace, now: string): Promise<boolean> {
  const program = await store.lockRunning(tx, workspace)
  if (!program) return false
  const horizon = await store.horizon(tx)
  // The log was restored into another cluster, whose transactions have other numbers: all of it is looked at once more.
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
    await attribute(tx, workspace, now, sales, { ...DEFAULTS, ...program })
  }
  const seen = found.at(-1) ?? (isFromElsewhere ? { tx: horizon, id: LAST_EVENT } : undefined)
  if (seen) await store.seen(tx, workspace, seen)
  return found.length === SALES
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
  now: string,
  sales: readonly store.Fact[],
  program: ProgramValues,
) {
  const codes = new Set(sales.flatMap(({ code }) => (code === null ? [] : [code])))
  if (codes.size === 0) return
  const links = new Map((await store.linksOf(tx, workspace, [...codes])).map((link) => [link.code, link]))
  const made: NewAttribution[] = []
  const used: { linkId: string; saleId: string }[] = []
  for (const sale of sales) {
    const link = links.get(sale.code ?? '')
    if (!link) continue
    const { linkId } = link
    if (sale.customerId === link.customerId) used.push({ linkId, saleId: sale.saleId })
    if (!isAttributed(sale, link, program)) continue
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
  if (used.length > 0) await store.reward(tx, workspace, now, used)
}
