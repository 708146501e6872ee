import type { Db, Tx } from '../../kit/db.ts'
import type { BankAccountPut, Payout } from './schema.ts'

export type PayoutRow = Omit<Payout, 'bankAccount'> & BankAccountPut
const COLUMNS = `id, amount, currency, status, bank_name, account_number, account_holder, failure_reason, paid_at, created_at,
  updated_at`

export const insertPayout = (tx: Tx, workspaceId: string, row: PayoutRow) =>
  tx.rows(
    `insert into reference_payment.payouts (workspace_id, ${COLUMNS})
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      workspaceId,
      row.id,
      row.amount,
      row.currency,
      row.status,
      row.bankName,
      row.accountNumber,
      row.accountHolder,
      row.failureReason,
      row.paidAt,
      row.createdAt,
      row.updatedAt,
    ],
  )

export const updatePayout = (tx: Tx, workspaceId: string, row: PayoutRow) =>
  tx.rows(
    `update reference_payment.payouts set status = $3, failure_reason = $4, paid_at = $5, updated_at = $6
      where workspace_id = $1 and id = $2`,
    [workspaceId, row.id, row.status, row.failureReason, row.paidAt, row.updatedAt],
  )

export const findPayout = async (db: Db, workspaceId: string, id: string): Promise<PayoutRow | undefined> =>
  (
    await db.rows<PayoutRow>(
      `select ${COLUMNS} from reference_payment.payouts where workspace_id = $1 and id = $2`,
      [workspaceId, id],
    )
  )[0]

export const lockPayout = async (tx: Tx, workspaceId: string, id: string): Promise<PayoutRow | undefined> =>
  (
    await tx.rows<PayoutRow>(
      `select ${COLUMNS} from reference_payment.payouts where workspace_id = $1 and id = $2 for update`,
      [workspaceId, id],
    )
  )[0]

type PayoutFilter = { status?: string | undefined; after: string | null; limit: number }
export const listPayouts = (db: Db, workspaceId: string, { status, after, limit }: PayoutFilter) =>
  db.rows<PayoutRow>(
    `select ${COLUMNS} from reference_payment.payouts
      where workspace_id = $1 and ($2::text is null or status = $2) and ($3::text is null or id < $3)
      order by id desc limit $4`,
    [workspaceId, status ?? null, after, limit],
  )

export const findBankAccount = async (
  db: Db,
  workspaceId: string,
): Promise<(BankAccountPut & { updatedAt: string }) | undefined> =>
  (
    await db.rows<BankAccountPut & { updatedAt: string }>(
      `select bank_name, account_number, account_holder, updated_at from reference_payment.bank_accounts
        where workspace_id = $1`,
      [workspaceId],
    )
  )[0]

export const upsertBankAccount = (tx: Tx, workspaceId: string, row: BankAccountPut, now: string) =>
  tx.rows(
    `insert into reference_payment.bank_accounts (workspace_id, bank_name, account_number, account_holder, updated_at)
      values ($1, $2, $3, $4, $5)
      on conflict (workspace_id) do update set bank_name = excluded.bank_name,
        account_number = excluded.account_number, account_holder = excluded.account_holder,
        updated_at = excluded.updated_at`,
    [workspaceId, row.bankName, row.accountNumber, row.accountHolder, now],
  )
