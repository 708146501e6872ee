import type { Db, Tx } from '../../kit/db.ts'
import type { Redemption } from './schema.ts'

export type RedemptionRow = {
  reference: string
  status: Redemption['status']
  subtotal: number
  customerId: string | null
  discountCode: string | null
  discountId: string | null
  discountAmount: number
  discountReason: string | null
  pointsAsked: number
  points: number
  pointsAmount: number
  pointsReason: string | null
  createdAt: string
  updatedAt: string
}
const COLUMNS =
  'reference, status, subtotal, customer_id, discount_code, discount_id, discount_amount, discount_reason, points_asked, points, points_amount, points_reason, created_at, updated_at'

const findOne = async (db: Db, values: readonly unknown[], tail = ''): Promise<RedemptionRow | undefined> =>
  (
    await db.rows<RedemptionRow>(
      `select ${COLUMNS} from reference_marketing.redemptions where workspace_id = $1 and reference = $2 ${tail}`,
      values,
    )
  )[0]

export const find = (db: Db, workspaceId: string, reference: string) => findOne(db, [workspaceId, reference])
export const lock = (tx: Tx, workspaceId: string, reference: string) =>
  findOne(tx, [workspaceId, reference], 'for no key update')

export const upsertRedemption = (tx: Tx, workspaceId: string, row: RedemptionRow) =>
  tx.rows(
    `insert into reference_marketing.redemptions (workspace_id, ${COLUMNS})
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      on conflict (workspace_id, reference) do update set
        status = excluded.status, subtotal = excluded.subtotal, customer_id = excluded.customer_id,
        discount_code = excluded.discount_code, discount_id = excluded.discount_id,
        discount_amount = excluded.discount_amount, discount_reason = excluded.discount_reason,
        points_asked = excluded.points_asked, points = excluded.points, points_amount = excluded.points_amount,
        points_reason = excluded.points_reason, updated_at = excluded.updated_at`,
    [
      workspaceId,
      row.reference,
      row.status,
      row.subtotal,
      row.customerId,
      row.discountCode,
      row.discountId,
      row.discountAmount,
      row.discountReason,
      row.pointsAsked,
      row.points,
      row.pointsAmount,
      row.pointsReason,
      row.createdAt,
      row.updatedAt,
    ],
  )

/** Returns the customer's points reserved or redeemed by sales other than `except`. */
export async function pointsOf(db: Db, workspaceId: string, customerId: string, except = '') {
  const [row] = await db.rows<{ redeemed: number; reserved: number }>(
    `select coalesce(sum(points) filter (where status = 'redeemed'), 0)::bigint as redeemed,
        coalesce(sum(points) filter (where status = 'reserved'), 0)::bigint as reserved
      from reference_marketing.redemptions
      where workspace_id = $1 and customer_id = $2 and reference <> $3 and points > 0 and status <> 'released'`,
    [workspaceId, customerId, except],
  )
  return row ?? { redeemed: 0, reserved: 0 }
}

export async function pointValueOf(db: Db, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ pointValue: number }>(
    'select point_value from reference_marketing.workspaces where id = $1',
    [workspaceId],
  )
  return row?.pointValue ?? 0
}

export const setPointValue = (tx: Tx, workspaceId: string, pointValue: number, now: string) =>
  tx.rows('update reference_marketing.workspaces set point_value = $2, updated_at = $3 where id = $1', [
    workspaceId,
    pointValue,
    now,
  ])
