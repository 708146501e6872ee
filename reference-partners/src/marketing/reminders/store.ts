import type { Db, Tx } from '../../kit/db.ts'

export type ReminderRow = { id: string; reference: string; mailId: string; createdAt: string }
const COLUMNS = 'id, reference, mail_id, created_at'

export const insert = (tx: Tx, workspaceId: string, row: ReminderRow) =>
  tx.rows(
    `insert into reference_marketing.reminders (workspace_id, ${COLUMNS}) values ($1, $2, $3, $4, $5)`,
    [workspaceId, row.id, row.reference, row.mailId, row.createdAt],
  )

type ReminderLookup = ReminderRow & { isDue: boolean }
const findOne = async (db: Db, column: 'id' | 'reference', values: readonly unknown[]) =>
  (
    await db.rows<ReminderLookup>(
      `select ${COLUMNS}, exists (select from reference_marketing.mails m where m.id = r.mail_id and m.due_at is not null) as is_due
        from reference_marketing.reminders r where workspace_id = $1 and ${column} = $2`,
      values,
    )
  )[0]

export const find = (db: Db, workspaceId: string, id: string) => findOne(db, 'id', [workspaceId, id])
export const findByReference = (db: Db, workspaceId: string, reference: string) =>
  findOne(db, 'reference', [workspaceId, reference])

export async function countSince(db: Db, workspaceId: string, since: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    'select count(*) as n from reference_marketing.reminders where workspace_id = $1 and created_at > $2',
    [workspaceId, since],
  )
  return row?.n ?? 0
}

type NewMail = {
  id: string
  workspaceId: string
  recipient: string
  subject: string
  body: string
  html: string
  unsubscribeUrl: string
  now: string
}
export const insertMail = (tx: Tx, row: NewMail) =>
  tx.rows(
    `insert into reference_marketing.mails (id, workspace_id, recipient, subject, body, html, unsubscribe_url, attempts, due_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $8)`,
    [row.id, row.workspaceId, row.recipient, row.subject, row.body, row.html, row.unsubscribeUrl, row.now],
  )

export const isUnsubscribed = async (db: Db, workspaceId: string, digest: string): Promise<boolean> =>
  (
    await db.rows('select from reference_marketing.unsubscribed where workspace_id = $1 and digest = $2', [
      workspaceId,
      digest,
    ])
  ).length > 0

export const unsubscribe = (tx: Tx, workspaceId: string, digest: string, now: string) =>
  tx.rows(
    `insert into reference_marketing.unsubscribed (workspace_id, digest, created_at) values ($1, $2, $3)
      on conflict do nothing`,
    [workspaceId, digest, now],
  )

/** The merchant, and what signs the links in its mails. */
export const findSigner = async (db: Db, workspaceId: string) =>
  (
    await db.rows<{ name: string; linkSecret: string }>(
      'select name, link_secret from reference_marketing.workspaces where id = $1',
      [workspaceId],
    )
  )[0]

/** Removes mails that ended long ago. Their text is already deleted when they end. */
export const sweepMails = (tx: Tx, before: string) =>
  tx.rows('delete from reference_marketing.mails where due_at is null and created_at < $1', [before])
