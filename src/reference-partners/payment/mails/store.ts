import type { Db, PartnerDatabase, Tx } from '../../kit/db.ts'

type NewMail = {
  id: string
  workspaceId: string
  receiptId: string
  recipient: string
  subject: string
  body: string
  now: string
}
export const insertMail = (tx: Tx, row: NewMail) =>
  tx.rows(
    `insert into reference_payment.mails (id, workspace_id, receipt_id, recipient, subject, body, attempts, due_at, created_at)
      values ($1, $2, $3, $4, $5, $6, 0, $7, $7)`,
    [row.id, row.workspaceId, row.receiptId, row.recipient, row.subject, row.body, row.now],
  )

type Counted = { workspaceId: string; receiptId: string; since: string }
export async function countSince(db: Db, { workspaceId, receiptId, since }: Counted) {
  const [row] = await db.rows<{ total: number; ofReceipt: number }>(
    `select count(*) as total, count(*) filter (where receipt_id = $2) as of_receipt
      from reference_payment.mails where workspace_id = $1 and created_at > $3`,
    [workspaceId, receiptId, since],
  )
  return row ?? { total: 0, ofReceipt: 0 }
}

export type Mail = {
  id: string
  recipient: string
  subject: string
  body: string
  attempts: number
  createdAt: string
}
type Lease = { now: string; until: string; atMost: number }

/** Takes mails that are due for as long as a lease: past it another process may send them. */
export const claimMails = (db: PartnerDatabase, { now, until, atMost }: Lease) =>
  db.tx((tx) =>
    tx.rows<Mail>(
      `update reference_payment.mails m set due_at = $2, attempts = m.attempts + 1
        where m.id in (select id from reference_payment.mails where due_at <= $1 order by due_at, id limit $3
          for update skip locked)
        returning m.id, m.recipient, m.subject, m.body, m.attempts, m.created_at`,
      [now, until, atMost],
    ),
  )

/** Address and text are forgotten when they are of no more use; the row stays for the count of the day. */
export const endMail = (db: Db, id: string) =>
  db.rows(`update reference_payment.mails set due_at = null, recipient = null, body = '' where id = $1`, [id])

export const postponeMail = (db: Db, id: string, dueAt: string) =>
  db.rows('update reference_payment.mails set due_at = $2 where id = $1 and due_at is not null', [id, dueAt])
