import { named, type Tx } from '../db/open.ts'
import { statement } from '../db/statement.ts'

const LOCK = statement('mailbox_lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Serializes the counting of mails to one mailbox, across all senders. */
export const lockMailbox = (tx: Tx, mailbox: string) => named(tx, LOCK, [`mailbox ${mailbox}`])
