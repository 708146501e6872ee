import { newId } from '../../../core/ids.ts'
import { type Db, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { Span } from '../../../platform/http/whole.ts'
import { behindEdge, readEdge } from '../../../platform/log/edge.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import type { ProgramValues, ReferralLink, ReferredSale, RewardUse, UnusedReward } from './rules.ts'
import type { Attribution, Link, Program, Stats } from './schema.ts'
import * as sql from './statements.ts'

type Account = Pick<Scope, 'accountId'>

const FIELDS = [
  'enabled',
  'rewardType',
  'referrerValue',
  'refereeValue',
  'currency',
  'minPurchaseAmount',
  'rewardExpiryDays',
  'attributionWindowDays',
  'maxRewardsPerReferrer',
  'programTerms',
  'landingUrl',
  'marketingCampaignId',
  'createdAt',
  'updatedAt',
] as const

export const find = (db: Db, scope: Account): Promise<Program | undefined> =>
  ownRows(db, scope, 'referralPrograms').select(FIELDS).executeTakeFirst()

export const lock = (tx: Tx, scope: Account) =>
  ownRows(tx, scope, 'referralPrograms').select('enabledAt').forUpdate().executeTakeFirst()

/** Returns the last transaction number at which every transaction so far has ended. */
export const horizon = async (db: Db): Promise<string> => behindEdge(await readEdge(db))

/**
 * `enabledAt` is the time since which the program is on. `from` is the position where its reader begins; null keeps
 * the position.
 */
export type ReaderPosition = { enabledAt: string | null; from: { tx: string; id: string } | null }

export const replace = (tx: Tx, scope: Scope, values: ProgramValues, { enabledAt, from }: ReaderPosition) =>
  insertOwn(tx, scope, 'referralPrograms', {
    ...values,
    enabledAt,
    seenTx: from?.tx ?? '0',
    seenId: from?.id ?? '',
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({
        ...values,
        enabledAt,
        ...(from && { seenTx: from.tx, seenId: from.id }),
        updatedAt: scope.now,
      }),
    )
    .execute()

export type ReferralLinkRow = Omit<Link, 'url'>
export const listLinks = (db: Db, { accountId }: Scope, { after, limit }: Span) =>
  named<ReferralLinkRow>(db, sql.LIST_LINKS, [accountId, after?.[0] ?? null, limit])

export const listAttributions = (db: Db, scope: Scope, { after, limit }: Span): Promise<Attribution[]> =>
  ownRows(db, scope, 'referralAttributions')
    .select([
      'id',
      'linkId',
      'saleId as transactionId',
      'status',
      'referrerReward',
      'refereeReward',
      'currency',
      'createdAt',
      'updatedAt',
    ])
    .$if(after !== null, (rows) => rows.where('id', '<', after?.[0] ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export async function stats(db: Db, { accountId }: Scope): Promise<Stats> {
  const [row] = await named<Stats>(db, sql.STATS, [accountId])
  return row ?? { links: 0, clicks: 0, conversions: 0, rewardsIssued: 0, revenue: 0 }
}

export const listRunning = (db: WriteDb, after: string, limit: number) =>
  askReachable<{ accountId: AccountId; enabled: boolean }>(
    db,
    { table: 'referralPrograms', where: 'account_id > $1', values: [after] },
    (of) =>
      of === null ? named(db, sql.RUNNING, [after, limit]) : named(db, sql.RUNNING_OF, [after, limit, of]),
    limit,
  )

export type RunningProgram = Omit<ProgramValues, 'enabled' | 'programTerms' | 'landingUrl'> & {
  enabledAt: string
  seenTx: string
  seenId: string
}

/** Locks a running program. Returns undefined if it is off or if another process has locked it. */
export async function lockRunning(tx: Tx, { accountId }: Account): Promise<RunningProgram | undefined> {
  const [row] = await named<RunningProgram>(tx, sql.LOCK, [accountId])
  return row
}

export const listCompleted = (
  db: Db,
  { accountId }: Account,
  after: { tx: string; id: string },
  { since, limit, upTo }: { since: string; limit: number; upTo: string },
) =>
  named<{ id: string; tx: string; saleId: string }>(db, sql.COMPLETED, [
    accountId,
    after.tx,
    after.id,
    limit,
    since,
    upTo,
  ])

export type Fact = ReferredSale & {
  code: string | null
  /** True if the customer has no link yet. */
  isNew: boolean
  isAttributed: boolean
  /** True if the sale has used a reward. */
  isRewarded: boolean
}
export const listFacts = (db: Db, { accountId }: Account, saleIds: readonly string[]) =>
  named<Fact>(db, sql.FACTS, [accountId, saleIds])

export const addLinks = (
  tx: Tx,
  account: Account,
  now: string,
  links: readonly { customerId: string; code: string }[],
) =>
  sql.addLinks(
    tx,
    account,
    links.map((link) => ({ ...link, id: newId('referralLink') })),
    { clicks: 0, createdAt: now, updatedAt: now },
  )

export const linksOf = (db: Db, { accountId }: Account, codes: readonly string[]) =>
  named<ReferralLink & { code: string }>(db, sql.LINKS_OF, [accountId, codes])

export const attribute = (
  tx: Tx,
  account: Account,
  rows: readonly sql.NewAttribution[],
  { now, currency, expiresAt }: { now: string; currency: string; expiresAt: string },
) =>
  sql.attribute(
    tx,
    account,
    rows.map((row) => ({ ...row, id: newId('referralAttribution') })),
    { currency, expiresAt, createdAt: now, updatedAt: now },
  )

export const unusedRewards = (
  db: Db,
  { accountId }: Account,
  { linkIds, since }: { linkIds: readonly string[]; since: string },
) => named<UnusedReward>(db, sql.UNUSED, [accountId, linkIds, since])

export const reward = (tx: Tx, { accountId }: Account, now: string, uses: readonly RewardUse[]) =>
  namedWrite(tx, sql.REWARD, [
    accountId,
    now,
    uses.map(({ rewardId }) => rewardId),
    uses.map(({ saleId }) => saleId),
  ])

export const settle = (db: WriteDb, { accountId }: Account, now: string) =>
  namedWrite(db, sql.SETTLE, [accountId, now])

export const seen = (tx: Tx, { accountId }: Account, { tx: seenTx, id }: { tx: string; id: string }) =>
  namedWrite(tx, sql.SEEN, [accountId, seenTx, id])

/** Counts a click. Returns false if the code is unknown. */
export const click = async (db: WriteDb, { accountId }: Account, code: string, now: string) =>
  (await namedWrite(db, sql.CLICK, [accountId, code, now])).length > 0

export const hasCode = async (db: Db, scope: Account, code: string) =>
  (await ownRows(db, scope, 'referralLinks').select('id').where('code', '=', code).executeTakeFirst()) !==
  undefined
