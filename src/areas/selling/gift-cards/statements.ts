import { namedWrite, type Tx } from '../../../platform/db/open.ts'
import { writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import { codeKeyOf } from './rules.ts'

// The condition and the change are one statement: two tills cannot both see the same money (B-card-3).
const DEBIT = writeStatement(
  'gift_card_debit',
  `update gift_cards set balance = balance - $3,
      status = case when balance = $3 then 'REDEEMED' else status end, updated_at = $4
    where account_id = $1 and code_key = $2 and status = 'ACTIVE' and balance >= $3
    returning id as "giftCardId", code, balance`,
)

const CREDIT = writeStatement(
  'gift_card_credit',
  `update gift_cards set balance = balance + $3, status = 'ACTIVE', updated_at = $4
    where account_id = $1 and id = $2 and status <> 'VOIDED' returning balance`,
)

// The old balance is read from a locked row of the same statement.
const WRITE_OFF = writeStatement(
  'gift_card_write_off',
  `with held as (select id, balance from gift_cards
      where account_id = $1 and id = $2 and status <> 'VOIDED' for update)
    update gift_cards c set balance = 0, status = 'VOIDED', voided_at = $3, updated_at = $3
    from held where c.account_id = $1 and c.id = held.id returning held.balance as "writtenOff"`,
)

export async function debit(tx: Tx, scope: Scope, code: string, amount: number) {
  type Row = { giftCardId: string; code: string; balance: number }
  const [row] = await namedWrite<Row>(tx, DEBIT, [scope.accountId, codeKeyOf(code), amount, scope.now])
  return row
}

export async function credit(tx: Tx, scope: Scope, id: string, amount: number) {
  const [row] = await namedWrite<{ balance: number }>(tx, CREDIT, [scope.accountId, id, amount, scope.now])
  return row?.balance ?? null
}

export async function writeOff(tx: Tx, scope: Scope, id: string) {
  const [row] = await namedWrite<{ writtenOff: number }>(tx, WRITE_OFF, [scope.accountId, id, scope.now])
  return row?.writtenOff ?? null
}
