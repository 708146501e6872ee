import { named, type Tx } from './db/open.ts'
import { statement } from './db/statement.ts'

const LOCK = statement('mailbox_lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Mails to one mailbox are counted one after the other, whoever sends them. */
export const lockMailbox = (tx: Tx, mailbox: string) => named(tx, LOCK, [`mailbox ${mailbox}`])
