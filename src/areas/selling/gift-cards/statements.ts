import { named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import { dueInTurns } from '../../../platform/db/turns.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import { codeKeyOf, type PartnerCardState } from './rules.ts'

// One statement checks and changes the balance, so that two tills cannot spend the same money (B-card-3).
const DEBIT = writeStatement(
  'gift_card_debit',
  `update gift_cards set balance = balance - $3,
      status = case when balance = $3 then 'REDEEMED' else status end, updated_at = $4
    where account_id = $1 and code_key = $2 and status = 'ACTIVE' and balance >= $3 and partner_card_id is null
    returning id as "giftCardId", code, balance`,
)

const CREDIT = writeStatement(
  'gift_card_credit',
  `update gift_cards set balance = balance + $3, status = 'ACTIVE', updated_at = $4
    where account_id = $1 and id = $2 and status <> 'VOIDED'
    returning balance, partner_place as "partnerPlace", partner_card_id as "partnerCardId"`,
)

// Stores the reported state of a partner's card unless a later one is stored: answers can arrive out of order.
const SET_KNOWN = writeStatement(
  'gift_card_set_known',
  `with held as (select id, balance from gift_cards
      where account_id = $1 and id = $2 and partner_card_id is not null and (partner_at is null or partner_at <= $5 or $4 = 'VOIDED')
        and (balance <> $3 or status <> $4 or partner_at is distinct from $5) and status <> 'VOIDED' for update)
    update gift_cards c set balance = $3, status = $4, partner_at = $5, updated_at = $6,
      voided_at = case when $4 = 'VOIDED' then coalesce(c.voided_at, $6) end
    from held where c.account_id = $1 and c.id = held.id returning held.balance`,
)

// The same statement locks the row and reads the old balance.
const WRITE_OFF = writeStatement(
  'gift_card_write_off',
  `with held as (select id, balance from gift_cards
      where account_id = $1 and id = $2 and status <> 'VOIDED' for update)
    update gift_cards c set balance = 0, status = 'VOIDED', voided_at = $3, updated_at = $3
    from held where c.account_id = $1 and c.id = held.id returning held.balance as "writtenOff"`,
)

/** A person settles movements in the other two states. */
const DUE_MOVES = statement(
  'gift_card_due_moves',
  dueInTurns('gift_card_moves', 'due_at', `state <> 'REFUSED' and state <> 'EXPIRED'`),
)

/** Lists due movements of all workspaces. */
export const listDueMoves = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'giftCardMoves', where: 'due_at <= $1', values: [now] }, (of) =>
    named<{ accountId: AccountId; id: string }>(db, DUE_MOVES, [now, limit, of]),
  )

export async function debit(tx: Tx, scope: Scope, code: string, amount: number) {
  type Row = { giftCardId: string; code: string; balance: number }
  const [row] = await namedWrite<Row>(tx, DEBIT, [scope.accountId, codeKeyOf(code), amount, scope.now])
  return row
}

export async function credit(tx: Tx, scope: Scope, id: string, amount: number) {
  type Row = { balance: number; partnerPlace: string | null; partnerCardId: string | null }
  const [row] = await namedWrite<Row>(tx, CREDIT, [scope.accountId, id, amount, scope.now])
  return row
}

/** Returns the previous balance, or undefined if the state is not new. `at` is the partner's time. */
export async function setKnown(tx: Tx, scope: Scope, id: string, { balance, status, at }: PartnerCardState) {
  const values = [scope.accountId, id, balance, status, at, scope.now]
  const [row] = await namedWrite<{ balance: number }>(tx, SET_KNOWN, values)
  return row
}

export async function writeOff(tx: Tx, scope: Scope, id: string) {
  const [row] = await namedWrite<{ writtenOff: number }>(tx, WRITE_OFF, [scope.accountId, id, scope.now])
  return row?.writtenOff ?? null
}
