import type { Db, Tx } from '../db/open.ts'
import { deleteOwn, ownRows } from '../db/own-rows.ts'
import type { MailedLinksRow } from '../db/tables/workspace.ts'
import type { AccountId } from '../scope.ts'

export type LinkRow = Pick<MailedLinksRow, 'memberId' | 'boundTo'>

/** The member has no other link of this kind from here on. */
export const putLink = (tx: Tx, row: MailedLinksRow) =>
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

type Named = { accountId: AccountId; kind: MailedLinksRow['kind']; tokenHash: string; now: string }

export const findLink = (db: Db, named: Named): Promise<LinkRow | undefined> =>
  ownRows(db, named, 'mailedLinks')
    .select(['memberId', 'boundTo'])
    .where('tokenHash', '=', named.tokenHash)
    .where('kind', '=', named.kind)
    .where('expiresAt', '>', named.now)
    .executeTakeFirst()

/** Uses the link up: of two who come with it at once, the second finds it gone. */
export const takeLink = (tx: Tx, named: Named): Promise<LinkRow | undefined> =>
  deleteOwn(tx, named, 'mailedLinks')
    .where('tokenHash', '=', named.tokenHash)
    .where('kind', '=', named.kind)
    .where('expiresAt', '>', named.now)
    .returning(['memberId', 'boundTo'])
    .executeTakeFirst()
