import type { Db, Tx } from '../../kit/db.ts'
import type { Currency, Method } from './rules.ts'
import type { SESSION_STATUSES } from './schema.ts'

export type SessionRow = {
  workspaceId: string
  id: string
  token: string
  amount: number
  currency: Currency
  method: Method
  status: (typeof SESSION_STATUSES)[number]
  description: string | null
  metadata: Record<string, string>
  returnUrl: string | null
  invoiceId: string | null
  qrString: string | null
  vaNumber: string | null
  vaBank: string | null
  paymentId: string | null
  paidAt: string | null
  expiresAt: string
  createdAt: string
  updatedAt: string
}

const COLUMNS = `workspace_id, id, token, amount, currency, method, status, description, metadata, return_url, invoice_id, qr_string,
  va_number, va_bank, payment_id, paid_at, expires_at, created_at, updated_at`

export const insertSession = (tx: Tx, row: SessionRow) =>
  tx.rows(
    `insert into reference_payment.checkout_sessions (${COLUMNS})
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      row.workspaceId,
      row.id,
      row.token,
      row.amount,
      row.currency,
      row.method,
      row.status,
      row.description,
      JSON.stringify(row.metadata),
      row.returnUrl,
      row.invoiceId,
      row.qrString,
      row.vaNumber,
      row.vaBank,
      row.paymentId,
      row.paidAt,
      row.expiresAt,
      row.createdAt,
      row.updatedAt,
    ],
  )

export const findSession = async (db: Db, workspaceId: string, id: string): Promise<SessionRow | undefined> =>
  (
    await db.rows<SessionRow>(
      `select ${COLUMNS} from reference_payment.checkout_sessions where workspace_id = $1 and id = $2`,
      [workspaceId, id],
    )
  )[0]

/** Finds the same row and locks it until the transaction ends. */
export const lockSession = async (tx: Tx, workspaceId: string, id: string): Promise<SessionRow | undefined> =>
  (
    await tx.rows<SessionRow>(
      `select ${COLUMNS} from reference_payment.checkout_sessions where workspace_id = $1 and id = $2 for update`,
      [workspaceId, id],
    )
  )[0]

/** The session that is open for an invoice; there is one at most. */
export const lockOpenOf = async (
  tx: Tx,
  workspaceId: string,
  invoiceId: string,
): Promise<SessionRow | undefined> =>
  (
    await tx.rows<SessionRow>(
      `select ${COLUMNS} from reference_payment.checkout_sessions
        where workspace_id = $1 and invoice_id = $2 and status = 'open' for update`,
      [workspaceId, invoiceId],
    )
  )[0]

/** Finds a session by the secret in its address, with its workspace. */
export const findByToken = async (
  db: Db,
  token: string,
): Promise<(SessionRow & { merchant: string }) | undefined> =>
  (
    await db.rows<SessionRow & { merchant: string }>(
      `select ${COLUMNS.replaceAll(/\w+/g, (name) => `s.${name}`)}, w.name as merchant
        from reference_payment.checkout_sessions s join reference_payment.workspaces w on w.id = s.workspace_id
        where s.token = $1`,
      [token],
    )
  )[0]

type Page = { status: string | undefined; after: string | null; limit: number }
export const listSessions = (db: Db, workspaceId: string, { status, after, limit }: Page) =>
  db.rows<SessionRow>(
    `select ${COLUMNS} from reference_payment.checkout_sessions
      where workspace_id = $1 and ($2::text is null or status = $2) and ($3::text is null or id < $3)
      order by id desc limit $4`,
    [workspaceId, status ?? null, after, limit],
  )

export const endSession = (tx: Tx, { workspaceId, id, status, paymentId, paidAt, updatedAt }: SessionRow) =>
  tx.rows(
    `update reference_payment.checkout_sessions set status = $3, payment_id = $4, paid_at = $5, updated_at = $6
      where workspace_id = $1 and id = $2`,
    [workspaceId, id, status, paymentId, paidAt, updatedAt],
  )

/** Returns a batch of overdue open sessions that no other process has locked. */
export const lockOverdue = (tx: Tx, now: string, atMost: number) =>
  tx.rows<SessionRow>(
    `select ${COLUMNS} from reference_payment.checkout_sessions where status = 'open' and expires_at <= $1
      order by expires_at limit $2 for update skip locked`,
    [now, atMost],
  )

type Payment = SessionRow & { paymentId: string; fee: number; now: string }
export const insertPayment = (tx: Tx, row: Payment) =>
  tx.rows(
    `insert into reference_payment.payments (workspace_id, id, session_id, amount, fee, currency, method, description, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.workspaceId,
      row.paymentId,
      row.id,
      row.amount,
      row.fee,
      row.currency,
      row.method,
      row.description,
      row.now,
    ],
  )

type NewReceipt = { workspaceId: string; id: string; number: string; paymentId: string; now: string }
export const insertReceipt = (tx: Tx, { workspaceId, id, number, paymentId, now }: NewReceipt) =>
  tx.rows(
    `insert into reference_payment.receipts (workspace_id, id, number, payment_id, issued_at) values ($1, $2, $3, $4, $5)`,
    [workspaceId, id, number, paymentId, now],
  )

/** Removes sessions that ended unpaid before an instant; paid ones belong to the books. */
export const sweepSessions = (db: Db, before: string) =>
  db.rows(
    `delete from reference_payment.checkout_sessions
      where status in ('expired', 'canceled', 'failed') and updated_at < $1`,
    [before],
  )
