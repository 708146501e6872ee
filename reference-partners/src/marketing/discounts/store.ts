import type { Db, Tx } from '../../kit/db.ts'
import type { Discount } from './schema.ts'

const COLUMNS =
  'id, code, kind, value, min_subtotal, max_discount, max_uses, starts_at, ends_at, is_active, uses, created_at, updated_at'

/** Returns false if another discount of the workspace has that code. */
export const insert = async (tx: Tx, workspaceId: string, row: Discount): Promise<boolean> =>
  (
    await tx.rows(
      `insert into reference_marketing.discounts (workspace_id, ${COLUMNS})
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        on conflict (workspace_id, code) do nothing returning id`,
      [
        workspaceId,
        row.id,
        row.code,
        row.kind,
        row.value,
        row.minSubtotal,
        row.maxDiscount,
        row.maxUses,
        row.startsAt,
        row.endsAt,
        row.isActive,
        row.uses,
        row.createdAt,
        row.updatedAt,
      ],
    )
  ).length === 1

export const update = (tx: Tx, workspaceId: string, row: Discount) =>
  tx.rows(
    `update reference_marketing.discounts
      set min_subtotal = $3, max_discount = $4, max_uses = $5, starts_at = $6, ends_at = $7, is_active = $8, updated_at = $9
      where workspace_id = $1 and id = $2`,
    [
      workspaceId,
      row.id,
      row.minSubtotal,
      row.maxDiscount,
      row.maxUses,
      row.startsAt,
      row.endsAt,
      row.isActive,
      row.updatedAt,
    ],
  )

const findOne = async (db: Db, where: string, values: readonly unknown[]): Promise<Discount | undefined> =>
  (await db.rows<Discount>(`select ${COLUMNS} from reference_marketing.discounts where ${where}`, values))[0]

export const find = (db: Db, workspaceId: string, id: string) =>
  findOne(db, 'workspace_id = $1 and id = $2', [workspaceId, id])

export const findByCode = (db: Db, workspaceId: string, code: string) =>
  findOne(db, 'workspace_id = $1 and code = $2', [workspaceId, code])

export const lock = (tx: Tx, workspaceId: string, id: string) =>
  findOne(tx, 'workspace_id = $1 and id = $2 for no key update', [workspaceId, id])

export const list = (db: Db, workspaceId: string, after: string | null, limit: number) =>
  db.rows<Discount>(
    `select ${COLUMNS} from reference_marketing.discounts where workspace_id = $1 and ($2::text is null or id < $2)
      order by id desc limit $3`,
    [workspaceId, after, limit],
  )

/** Adds or removes one use of a discount. */
export const count = (tx: Tx, workspaceId: string, id: string, step: 1 | -1) =>
  tx.rows(
    'update reference_marketing.discounts set uses = greatest(0, uses + $3) where workspace_id = $1 and id = $2',
    [workspaceId, id, step],
  )
