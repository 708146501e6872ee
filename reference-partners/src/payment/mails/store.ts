import type { Db, Tx } from '../../kit/db.ts'

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

type MailCount = { workspaceId: string; receiptId: string; since: string }
export async function countSince(db: Db, { workspaceId, receiptId, since }: MailCount) {
  const [row] = await db.rows<{ total: number; ofReceipt: number }>(
    `select count(*) as total, count(*) filter (where receipt_id = $2) as of_receipt
      from reference_payment.mails where workspace_id = $1 and created_at > $3`,
    [workspaceId, receiptId, since],
  )
  return row ?? { total: 0, ofReceipt: 0 }
}
