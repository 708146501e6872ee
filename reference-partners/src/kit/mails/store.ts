import type { Db, PartnerDatabase } from '../db.ts'

export type Mail = {
  id: string
  recipient: string
  subject: string
  body: string
  /** The same for programs that show pages. */
  html: string | null
  /** The address by which the reader unsubscribes. */
  unsubscribeUrl: string | null
  attempts: number
  createdAt: string
}
type Lease = { now: string; until: string; atMost: number }

/** Leases due mails. After the lease expires another process may send them. */
export const claimMails = (db: PartnerDatabase, { now, until, atMost }: Lease) =>
  db.tx((tx) =>
    tx.rows<Mail>(
      `update ${tx.schema}.mails m set due_at = $2, attempts = m.attempts + 1
        where m.id in (select id from ${tx.schema}.mails where due_at <= $1 order by due_at, id limit $3
          for update skip locked)
        returning m.*`,
      [now, until, atMost],
    ),
  )

/** Address and text are removed when they are no longer needed; the row stays for the daily count. */
export const endMail = (db: Db, id: string) =>
  db.rows(
    `update ${db.schema}.mails
      set due_at = null, recipient = null, subject = '', body = '', html = null, unsubscribe_url = null where id = $1`,
    [id],
  )

export const postponeMail = (db: Db, id: string, dueAt: string) =>
  db.rows(`update ${db.schema}.mails set due_at = $2 where id = $1 and due_at is not null`, [id, dueAt])
