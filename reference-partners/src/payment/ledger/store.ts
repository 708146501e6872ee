import type { Db } from '../../kit/db.ts'
import type { LedgerEntry } from './schema.ts'

export type Balances = Record<'clearing' | 'balance' | 'fees' | 'payouts', number>

export async function balancesOf(db: Db, workspaceId: string, currency: string): Promise<Balances> {
  const rows = await db.rows<{ account: keyof Balances; balance: number }>(
    'select account, balance from reference_payment.ledger_balances where workspace_id = $1 and currency = $2',
    [workspaceId, currency],
  )
  const of = (account: keyof Balances) => rows.find((row) => row.account === account)?.balance ?? 0
  return { clearing: of('clearing'), balance: of('balance'), fees: of('fees'), payouts: of('payouts') }
}

/** Transfers as the merchant sees them: what each did to the balance. */
const ENTRY = `id, type, case when to_account = 'balance' then amount else -amount end as amount, currency,
  case when to_account = 'balance' then to_balance else from_balance end as balance_after, source_id,
  case when to_account = 'balance' then from_account else to_account end as contra_account, created_at`
const OF_MERCHANT = `workspace_id = $1 and 'balance' in (from_account, to_account)`

export const findEntry = async (db: Db, workspaceId: string, id: string): Promise<LedgerEntry | undefined> =>
  (
    await db.rows<LedgerEntry>(
      `select ${ENTRY} from reference_payment.ledger_transfers where ${OF_MERCHANT} and id = $2`,
      [workspaceId, id],
    )
  )[0]

export type EntryFilter = {
  from: string | null
  to: string | null
  type?: string | undefined
  currency?: string | undefined
}
export const listEntries = (
  db: Db,
  workspaceId: string,
  { from, to, type, currency, after, limit }: EntryFilter & { after: string | null; limit: number },
) =>
  db.rows<LedgerEntry>(
    `select ${ENTRY} from reference_payment.ledger_transfers
      where ${OF_MERCHANT} and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at < $3)
        and ($4::text is null or type = $4) and ($5::text is null or currency = $5) and ($6::text is null or seq < (select c.seq from reference_payment.ledger_transfers c
          where c.workspace_id = $1 and c.id = $6))
      order by seq desc limit $7`,
    [workspaceId, from, to, type ?? null, currency ?? null, after, limit],
  )
