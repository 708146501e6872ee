import type { Db, Tx } from '../../kit/db.ts'
import type { Entry, GiftCard } from './schema.ts'

export type CardRow = Omit<GiftCard, 'status'>
const COLUMNS = 'id, code, kind, initial_amount, balance, note, voided_at, created_at, updated_at'

/** Returns false if another card of the workspace has that code. */
export const insertCard = async (
  tx: Tx,
  workspaceId: string,
  row: CardRow,
  codeKey: string,
): Promise<boolean> =>
  (
    await tx.rows(
      `insert into reference_payment.gift_cards (workspace_id, code_key, ${COLUMNS})
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        on conflict (workspace_id, code_key) do nothing returning id`,
      [
        workspaceId,
        codeKey,
        row.id,
        row.code,
        row.kind,
        row.initialAmount,
        row.balance,
        row.note,
        row.voidedAt,
        row.createdAt,
        row.updatedAt,
      ],
    )
  ).length === 1

export const updateCard = (tx: Tx, workspaceId: string, row: CardRow) =>
  tx.rows(
    `update reference_payment.gift_cards set balance = $3, voided_at = $4, updated_at = $5
      where workspace_id = $1 and id = $2`,
    [workspaceId, row.id, row.balance, row.voidedAt, row.updatedAt],
  )

export const findByCode = async (
  db: Db,
  workspaceId: string,
  codeKey: string,
): Promise<CardRow | undefined> =>
  (
    await db.rows<CardRow>(
      `select ${COLUMNS} from reference_payment.gift_cards where workspace_id = $1 and code_key = $2`,
      [workspaceId, codeKey],
    )
  )[0]

export const lockCard = async (tx: Tx, workspaceId: string, id: string): Promise<CardRow | undefined> =>
  (
    await tx.rows<CardRow>(
      `select ${COLUMNS} from reference_payment.gift_cards where workspace_id = $1 and id = $2 for update`,
      [workspaceId, id],
    )
  )[0]

/** Entries are numbered while their card is locked. */
export const insertEntry = (tx: Tx, workspaceId: string, cardId: string, entry: Entry) =>
  tx.rows(
    `insert into reference_payment.gift_card_entries (workspace_id, card_id, id, type, amount, balance_after, reference,
        created_at, seq)
      select $1::text, $2::text, $3::text, $4::text, $5::bigint, $6::bigint, $7::text, $8::timestamptz, coalesce(max(seq), 0) + 1 from reference_payment.gift_card_entries
        where workspace_id = $1 and card_id = $2`,
    [
      workspaceId,
      cardId,
      entry.id,
      entry.type,
      entry.amount,
      entry.balanceAfter,
      entry.reference,
      entry.createdAt,
    ],
  )

export const lastEntries = (db: Db, workspaceId: string, cardId: string, limit: number) =>
  db.rows<Entry>(
    `select id, type, amount, balance_after, reference, created_at from reference_payment.gift_card_entries
      where workspace_id = $1 and card_id = $2 order by seq desc limit $3`,
    [workspaceId, cardId, limit],
  )
