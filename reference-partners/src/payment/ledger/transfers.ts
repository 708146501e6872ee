import { sum } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { lockWorkspace, nextNumber } from '../../kit/workspaces/store.ts'
import { newId } from '../ids.ts'

/**
 * The accounts of a workspace, per currency: `clearing` is the money of others at the partner's bank (below zero by the
 * amount it holds), `balance` the amount it owes the merchant, `fees` its earnings, and `payouts` the money in transit to
 * the merchant.
 */
type Account = 'clearing' | 'balance' | 'fees' | 'payouts'

/** What may move, and between which accounts; the schema has the same list. */
const TRANSFERS = {
  payment: ['clearing', 'balance'],
  fee: ['balance', 'fees'],
  payout: ['balance', 'payouts'],
  payout_settlement: ['payouts', 'clearing'],
  payout_failure: ['payouts', 'balance'],
  payout_cancellation: ['payouts', 'balance'],
} as const satisfies Record<string, readonly [from: Account, to: Account]>

type TransferType = keyof typeof TRANSFERS

type Transfer = {
  workspaceId: string
  type: TransferType
  currency: string
  /** Above zero. */
  amount: number
  /** The payment or payout it is about. */
  sourceId: string
  now: string
}

/**
 * Moves an amount between accounts and records both balances. One row is both sides of the booking, so neither can be
 * missing. Locks the workspace until the transaction ends.
 */
export async function transfer(tx: Tx, { workspaceId, type, currency, amount, sourceId, now }: Transfer) {
  const [from, to] = TRANSFERS[type]
  await lockWorkspace(tx, workspaceId)
  const found = await tx.rows<{ account: Account; balance: number }>(
    `select account, balance from reference_payment.ledger_balances where workspace_id = $1 and currency = $2`,
    [workspaceId, currency],
  )
  const balanceOf = (account: Account) => found.find((row) => row.account === account)?.balance ?? 0
  const fromBalance = sum([balanceOf(from), -amount])
  const toBalance = sum([balanceOf(to), amount])
  await tx.rows(
    `insert into reference_payment.ledger_balances (workspace_id, currency, account, balance)
      values ($1, $2, $3, $4), ($1, $2, $5, $6)
      on conflict (workspace_id, currency, account) do update set balance = excluded.balance`,
    [workspaceId, currency, from, fromBalance, to, toBalance],
  )
  const seq = await nextNumber(tx, workspaceId, 'ledger')
  await tx.rows(
    `insert into reference_payment.ledger_transfers (workspace_id, id, type, currency, from_account, to_account, amount,
        from_balance, to_balance, source_id, created_at, seq)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      workspaceId,
      newId('transfer'),
      type,
      currency,
      from,
      to,
      amount,
      fromBalance,
      toBalance,
      sourceId,
      now,
      seq,
    ],
  )
}
