import { conflict, invalid, notFound } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { money } from '../../kit/format.ts'
import { announce } from '../../kit/notices/store.ts'
import type { Tools } from '../../kit/tools.ts'
import { lockWorkspace } from '../../kit/workspaces/store.ts'
import { newId } from '../ids.ts'
import { balancesOf } from '../ledger/store.ts'
import { transfer } from '../ledger/transfers.ts'
import type { Currency } from '../sessions/rules.ts'
import { requireStep } from './rules.ts'
import type { PAYOUT_STATUSES, Payout } from './schema.ts'
import * as store from './store.ts'

const SHOWN_DIGITS = 4

/** Masks the account number, which readers of payouts do not need in full. */
export function payoutView({ bankName, accountNumber, accountHolder, ...own }: store.PayoutRow): Payout {
  const accountLast4 = accountNumber.replaceAll(/\D/g, '').slice(-SHOWN_DIGITS)
  return { ...own, bankAccount: { bankName, accountLast4, accountHolder } }
}

type NewPayout = { workspaceId: string; amount: number; currency: Currency; now: string }

/** Reserves the amount for the merchant's bank. Throws 409 without a bank account, 422 beyond the balance. */
export async function requestPayout(
  tx: Tx,
  { workspaceId, amount, currency, now }: NewPayout,
): Promise<Payout> {
  await lockWorkspace(tx, workspaceId)
  const account = await store.findBankAccount(tx, workspaceId)
  if (!account) throw conflict('There is no bank account to pay out to yet; enter one first')
  const { balance } = await balancesOf(tx, workspaceId, currency)
  if (amount > balance)
    throw invalid('amount', `The balance is ${money(balance, currency)}; no more can be paid out`)
  const row: store.PayoutRow = {
    id: newId('payout'),
    amount,
    currency,
    status: 'pending',
    bankName: account.bankName,
    accountNumber: account.accountNumber,
    accountHolder: account.accountHolder,
    failureReason: null,
    paidAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await store.insertPayout(tx, workspaceId, row)
  await transfer(tx, { workspaceId, type: 'payout', currency, amount, sourceId: row.id, now })
  return payoutView(row)
}

const BOOKED = {
  paid: 'payout_settlement',
  failed: 'payout_failure',
  canceled: 'payout_cancellation',
} as const

type PayoutChange = {
  tools: Tools
  workspaceId: string
  id: string
  status: (typeof PAYOUT_STATUSES)[number]
  failureReason: string | null
  now: string
}

/** Changes the state of a payout, with its booking and notice. Its current state has no effect. */
export async function movePayout(tx: Tx, step: PayoutChange): Promise<Payout> {
  const { tools, workspaceId, id, status, failureReason, now } = step
  const before = await store.lockPayout(tx, workspaceId, id)
  if (!before) throw notFound('payout')
  if (before.status === status) return payoutView(before)
  requireStep(before.status, status)
  if (failureReason !== null && status !== 'failed')
    throw invalid('failureReason', 'Only a payout that failed has a reason')
  const row = { ...before, status, failureReason, paidAt: status === 'paid' ? now : null, updatedAt: now }
  await store.updatePayout(tx, workspaceId, row)
  const { amount, currency } = row
  if (status === 'paid' || status === 'failed' || status === 'canceled')
    await transfer(tx, { workspaceId, type: BOOKED[status], currency, amount, sourceId: id, now })
  if (status === 'paid' || status === 'failed') {
    await announce(tx, { workspaceId, type: `payout.${status}`, data: { payout: payoutView(row) }, now })
    tx.afterCommit(tools.wake)
  }
  return payoutView(row)
}
