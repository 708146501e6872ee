import type { ApprovalAction } from '../../core/approvals.ts'
import { type Db, named, namedWrite, type Tx } from '../db/open.ts'
import { statement, writeStatement } from '../db/statement.ts'
import type { AccountId, Role, TillRef } from '../scope.ts'

/** SQL that holds while the till with the id $2 and the secret's hash $3 is enrolled. */
const ENROLLED = `exists (select from tills t where t.account_id = $1 and t.id = $2 and t.secret_hash = $3 and t.revoked_at is null)`

const FIND_PIN = statement(
  'pin_find',
  `select ${ENROLLED} as "isTill", p.pin_hash as "pinHash", k.key, m.role from (select 1) one
    left join members m on m.account_id = $1 and m.id = $4
    left join member_pins p on p.account_id = $1 and p.member_id = m.id
    left join pin_keys k on k.account_id = $1`,
)
export type PinLookup = { isTill: boolean; pinHash: string | null; key: string | null; role: Role | null }

/** Whether the till is enrolled, and the PIN of a member. */
export async function findPin(
  db: Db,
  { accountId, id, secretHash }: TillRef,
  memberId: string,
): Promise<PinLookup> {
  const [row] = await named<PinLookup>(db, FIND_PIN, [accountId, id, secretHash, memberId])
  return row ?? { isTill: false, pinHash: null, key: null, role: null }
}

const HOLD_MEMBER = statement(
  'pin_hold_member',
  `select m.id from members m where m.account_id = $1 and m.id = $2 for share`,
)
const FIND_HOLDER = statement(
  'pin_find_holder',
  `select m.id, m.name, m.email, m.role,
      exists (select from second_factors f where f.account_id = $1 and f.member_id = $2 and f.confirmed_at is not null) as "secondFactor"
    from members m join member_pins p on p.account_id = $1 and p.member_id = m.id
    where m.account_id = $1 and m.id = $2 and p.pin_hash = $3`,
)
export type PinHolder = { id: string; name: string; email: string; role: Role; secondFactor: boolean }

/**
 * Holds the member until the transaction ends; undefined if the PIN has changed since it was checked. A change locks the
 * member and writes other rows, so only a statement that begins after the wait sees it.
 */
export async function holdPin(
  tx: Tx,
  accountId: AccountId,
  memberId: string,
  pinHash: string,
): Promise<PinHolder | undefined> {
  await named(tx, HOLD_MEMBER, [accountId, memberId])
  const [row] = await named<PinHolder>(tx, FIND_HOLDER, [accountId, memberId, pinHash])
  return row
}

const USED_PIN = statement(
  'till_member_used_pin',
  `select from till_members u where u.account_id = $1 and u.till_id = $2 and u.member_id = $4 and u.last_used_at >= $5
      and ${ENROLLED}`,
)

/** Whether the till is enrolled and the member has used a PIN there since that instant. */
export const hasUsedPin = async (
  db: Db,
  { accountId, id, secretHash }: TillRef,
  { memberId, since }: { memberId: string; since: string },
): Promise<boolean> => (await named(db, USED_PIN, [accountId, id, secretHash, memberId, since])).length > 0

const LIST_AT_TILL = statement(
  'till_members_list',
  `select m.id, m.name, m.role from member_pins p join members m on m.account_id = $1 and m.id = p.member_id
    where p.account_id = $1 order by lower(m.name), m.id`,
)

/** The members with a PIN, by name. */
export const listPinHolders = (db: Db, accountId: AccountId) =>
  named<{ id: string; name: string; role: Role }>(db, LIST_AT_TILL, [accountId])

/**
 * The approval for the record before one for any. A concurrent request waits for the row and takes the next one that is left; with
 * `skip locked` it would be refused although the other request may roll back.
 */
const SPEND = writeStatement(
  'approval_spend',
  `delete from approvals s where s.account_id = $1 and s.id = (select a.id from approvals a
      where a.account_id = $1 and a.till_id = $2 and ${ENROLLED}
        and a.token_hash = any($4::text[]) and a.action = $5 and a.expires_at > $6
        and (a.subject_id is null or a.subject_id = $7)
        and exists (select from members m where m.account_id = $1 and m.id = a.member_id and m.role <> 'CASHIER')
      order by a.subject_id is null, a.id limit 1 for update of a)
    returning s.member_id as "memberId"`,
)
export type SpentApproval = { action: ApprovalAction; subjectId: string | null; now: string }

/**
 * Uses up one matching approval and returns who gave it. Only one of concurrent requests with the same token gets it.
 */
export async function spend(
  tx: Tx,
  { accountId, id, secretHash }: TillRef,
  tokenHashes: readonly string[],
  { action, subjectId, now }: SpentApproval,
): Promise<string | undefined> {
  const values = [accountId, id, secretHash, tokenHashes, action, now, subjectId]
  const [row] = await namedWrite<{ memberId: string }>(tx, SPEND, values)
  return row?.memberId
}
