import type { Db, Tx } from '../../kit/db.ts'
import type { Invoice } from './schema.ts'

const COLUMNS = `i.id, i.number, i.customer_id, c.name as customer_name, i.subscription_id, i.status, i.lines, i.total,
  i.currency, i.due_date, i.paid_at, i.payment_id, i.created_at, i.updated_at`
const FROM = `reference_payment.invoices i
  join reference_payment.customers c on c.workspace_id = i.workspace_id and c.id = i.customer_id`

export const insertInvoice = (
  tx: Tx,
  workspaceId: string,
  row: Omit<Invoice, 'customerName' | 'paidAt' | 'paymentId'> & { dueAt: string },
) =>
  tx.rows(
    `insert into reference_payment.invoices (workspace_id, id, number, customer_id, subscription_id, status, lines, total,
        currency, due_date, due_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      workspaceId,
      row.id,
      row.number,
      row.customerId,
      row.subscriptionId,
      row.status,
      JSON.stringify(row.lines),
      row.total,
      row.currency,
      row.dueDate,
      row.dueAt,
      row.createdAt,
      row.updatedAt,
    ],
  )

export const findInvoice = async (db: Db, workspaceId: string, id: string): Promise<Invoice | undefined> =>
  (
    await db.rows<Invoice>(`select ${COLUMNS} from ${FROM} where i.workspace_id = $1 and i.id = $2`, [
      workspaceId,
      id,
    ])
  )[0]

/** Finds the same row and locks it until the transaction ends. */
export const lockInvoice = async (tx: Tx, workspaceId: string, id: string): Promise<Invoice | undefined> =>
  (
    await tx.rows<Invoice>(
      `select ${COLUMNS} from ${FROM} where i.workspace_id = $1 and i.id = $2 for no key update of i`,
      [workspaceId, id],
    )
  )[0]

type InvoiceFilter = {
  status?: string | undefined
  customerId?: string | undefined
  after: string | null
  limit: number
}
export const listInvoices = (
  db: Db,
  workspaceId: string,
  { status, customerId, after, limit }: InvoiceFilter,
) =>
  db.rows<Invoice>(
    `select ${COLUMNS} from ${FROM}
      where i.workspace_id = $1 and ($2::text is null or i.status = $2) and ($3::text is null or i.customer_id = $3)
        and ($4::text is null or i.id < $4)
      order by i.id desc limit $5`,
    [workspaceId, status ?? null, customerId ?? null, after, limit],
  )

type InvoicePayment = { workspaceId: string; id: string; paymentId: string; now: string }
export const markPaid = (tx: Tx, { workspaceId, id, paymentId, now }: InvoicePayment) =>
  tx.rows(
    `update reference_payment.invoices set status = 'paid', paid_at = $4, payment_id = $3, updated_at = $4
      where workspace_id = $1 and id = $2`,
    [workspaceId, id, paymentId, now],
  )

export const voidOpen = (tx: Tx, { workspaceId, id, now }: Omit<InvoicePayment, 'paymentId'>) =>
  tx.rows(
    `update reference_payment.invoices set status = 'void', updated_at = $3
      where workspace_id = $1 and id = $2 and status = 'open'`,
    [workspaceId, id, now],
  )

/** A customer who paid the last invoice of a subscription is no longer overdue. */
export const reactivateSubscription = (tx: Tx, { workspaceId, id, now }: Omit<InvoicePayment, 'paymentId'>) =>
  tx.rows(
    `update reference_payment.subscriptions s set status = 'active', updated_at = $3
      from reference_payment.invoices i
      where i.workspace_id = $1 and i.id = $2 and s.workspace_id = i.workspace_id and s.id = i.subscription_id
        and s.latest_invoice_id = i.id and s.status = 'past_due'`,
    [workspaceId, id, now],
  )
