import type { Db, Tx } from '../db/open.ts'
import { deleteOwn, ownRows } from '../db/own-rows.ts'
import type { MailedLinksRow } from '../db/tables/workspace.ts'
import type { AccountId } from '../scope.ts'

export type MailedLinkRow = Pick<MailedLinksRow, 'memberId' | 'boundTo'>

/** Replaces the member's previous link of this kind. */
export const insertLink = (tx: Tx, row: MailedLinksRow) =>
  tx
    .insertInto('mailedLinks')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'memberId', 'kind']).doUpdateSet({
        tokenHash: row.tokenHash,
        boundTo: row.boundTo,
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
      }),
    )
    .execute()

type LinkLookup = { accountId: AccountId; kind: MailedLinksRow['kind']; tokenHash: string; now: string }

export const findLink = (db: Db, named: LinkLookup): Promise<MailedLinkRow | undefined> =>
  ownRows(db, named, 'mailedLinks')
    .select(['memberId', 'boundTo'])
    .where('tokenHash', '=', named.tokenHash)
    .where('kind', '=', named.kind)
    .where('expiresAt', '>', named.now)
    .executeTakeFirst()

/** Consumes the link: of two concurrent uses, only the first succeeds. */
export const takeLink = (tx: Tx, named: LinkLookup): Promise<MailedLinkRow | undefined> =>
  deleteOwn(tx, named, 'mailedLinks')
    .where('tokenHash', '=', named.tokenHash)
    .where('kind', '=', named.kind)
    .where('expiresAt', '>', named.now)
    .returning(['memberId', 'boundTo'])
    .executeTakeFirst()
