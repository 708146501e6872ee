import { newId } from '../../core/ids.ts'
import type { Tx } from '../db/open.ts'
import { insertOwn, ownRows } from '../db/own-rows.ts'
import type { Scope } from '../scope.ts'

export type Kind = 'INVITATION' | 'NOTICE' | 'PASSWORD' | 'EMAIL'

/** When the mail that reached the daily limit was sent; null below the limit. */
export const sentByWorkspace = async (tx: Tx, scope: Scope, max: number, since: string) =>
  (
    await ownRows(tx, scope, 'sentMails')
      .select('sentAt')
      .where('kind', '=', 'INVITATION')
      .where('sentAt', '>', since)
      .orderBy('sentAt', 'desc')
      .limit(1)
      .offset(max - 1)
      .executeTakeFirst()
  )?.sentAt ?? null

type MailboxLimit = { kind: Kind; mailbox: string; max: number; since: string; by?: Scope }

/** The same for a mailbox: by one workspace, or across all of them. */
export const sentToMailbox = async (tx: Tx, { kind, mailbox, max, since, by }: MailboxLimit) =>
  (
    await (by === undefined ? tx.selectFrom('sentMails') : ownRows(tx, by, 'sentMails'))
      .select('sentAt')
      .where('mailbox', '=', mailbox)
      .where('kind', '=', kind)
      .where('sentAt', '>', since)
      .orderBy('sentAt', 'desc')
      .limit(1)
      .offset(max - 1)
      .executeTakeFirst()
  )?.sentAt ?? null

/** How many other mailboxes the workspace has notified since that instant, and when it notified the first. */
export const otherMailboxes = (tx: Tx, scope: Scope, mailbox: string, since: string) =>
  ownRows(tx, scope, 'sentMails')
    .select((eb) => [
      eb.fn.count<number>('mailbox').distinct().as('count'),
      eb.fn.min<string | null>('sentAt').as('oldest'),
    ])
    .where('kind', '=', 'NOTICE')
    .where('mailbox', '!=', mailbox)
    .where('sentAt', '>', since)
    .executeTakeFirstOrThrow()

export const insert = (tx: Tx, scope: Scope, kind: Kind, mailbox: string) =>
  insertOwn(tx, scope, 'sentMails', { id: newId('sentMail'), kind, mailbox, sentAt: scope.now }).execute()
