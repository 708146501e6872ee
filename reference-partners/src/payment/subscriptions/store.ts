import type { Db, Tx } from '../../kit/db.ts'
import type { Subscription } from './schema.ts'

const PUBLIC = `id, customer_id, price_id, status, current_period_start, current_period_end, cancel_at_period_end,
  canceled_at, latest_invoice_id, created_at, updated_at`

/** With the facts for its renewal: its start, and the number of months until the end of the current period. */
export type SubscriptionRow = Subscription & { workspaceId: string; startedAt: string; months: number }
const COLUMNS = `workspace_id, started_at, months, ${PUBLIC}`

export const insertSubscription = (tx: Tx, row: SubscriptionRow) =>
  tx.rows(
    `insert into reference_payment.subscriptions (${COLUMNS})
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      row.workspaceId,
      row.startedAt,
      row.months,
      row.id,
      row.customerId,
      row.priceId,
      row.status,
      row.currentPeriodStart,
      row.currentPeriodEnd,
      row.cancelAtPeriodEnd,
      row.canceledAt,
      row.latestInvoiceId,
      row.createdAt,
      row.updatedAt,
    ],
  )

export const updateSubscription = (tx: Tx, row: SubscriptionRow) =>
  tx.rows(
    `update reference_payment.subscriptions set price_id = $3, status = $4, months = $5, current_period_start = $6,
        current_period_end = $7, cancel_at_period_end = $8, canceled_at = $9, latest_invoice_id = $10, updated_at = $11
      where workspace_id = $1 and id = $2`,
    [
      row.workspaceId,
      row.id,
      row.priceId,
      row.status,
      row.months,
      row.currentPeriodStart,
      row.currentPeriodEnd,
      row.cancelAtPeriodEnd,
      row.canceledAt,
      row.latestInvoiceId,
      row.updatedAt,
    ],
  )

export const findSubscription = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<Subscription | undefined> =>
  (
    await db.rows<Subscription>(
      `select ${PUBLIC} from reference_payment.subscriptions where workspace_id = $1 and id = $2`,
      [workspaceId, id],
    )
  )[0]

export const lockSubscription = async (
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<SubscriptionRow | undefined> =>
  (
    await tx.rows<SubscriptionRow>(
      `select ${COLUMNS} from reference_payment.subscriptions where workspace_id = $1 and id = $2 for update`,
      [workspaceId, id],
    )
  )[0]

type SubscriptionFilter = {
  status?: string | undefined
  customerId?: string | undefined
  after: string | null
  limit: number
}
export const listSubscriptions = (
  db: Db,
  workspaceId: string,
  { status, customerId, after, limit }: SubscriptionFilter,
) =>
  db.rows<Subscription>(
    `select ${PUBLIC} from reference_payment.subscriptions
      where workspace_id = $1 and ($2::text is null or status = $2) and ($3::text is null or customer_id = $3)
        and ($4::text is null or id < $4)
      order by id desc limit $5`,
    [workspaceId, status ?? null, customerId ?? null, after, limit],
  )

/** Returns a batch of subscriptions whose period is over and that no other process has locked. */
export const lockEnded = (tx: Tx, now: string, atMost: number) =>
  tx.rows<SubscriptionRow>(
    `select ${COLUMNS} from reference_payment.subscriptions where status <> 'canceled' and current_period_end <= $1
      order by current_period_end limit $2 for update skip locked`,
    [now, atMost],
  )

/** Marks subscriptions whose last invoice is overdue as behind. */
export const markPastDue = (tx: Tx, now: string) =>
  tx.rows(
    `update reference_payment.subscriptions s set status = 'past_due', updated_at = $1
      from reference_payment.invoices i
      where i.status = 'open' and i.due_at <= $1 and i.workspace_id = s.workspace_id and s.id = i.subscription_id
        and s.latest_invoice_id = i.id and s.status = 'active'`,
    [now],
  )
