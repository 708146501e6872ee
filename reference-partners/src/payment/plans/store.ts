import type { Db, Tx } from '../../kit/db.ts'
import type { Plan, Price } from './schema.ts'

const COLUMNS = 'id, name, active, created_at, updated_at'
const PRICE_COLUMNS = 'id, amount, currency, interval, active, created_at, updated_at'
type Bare = Omit<Plan, 'prices'>

export const insertPlan = (tx: Tx, workspaceId: string, row: Bare) =>
  tx.rows(`insert into reference_payment.plans (workspace_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6)`, [
    workspaceId,
    row.id,
    row.name,
    row.active,
    row.createdAt,
    row.updatedAt,
  ])

export const updatePlan = (tx: Tx, workspaceId: string, row: Bare) =>
  tx.rows(
    `update reference_payment.plans set name = $3, active = $4, updated_at = $5 where workspace_id = $1 and id = $2`,
    [workspaceId, row.id, row.name, row.active, row.updatedAt],
  )

export const insertPrice = (tx: Tx, workspaceId: string, planId: string, row: Price) =>
  tx.rows(
    `insert into reference_payment.prices (workspace_id, plan_id, ${PRICE_COLUMNS})
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      workspaceId,
      planId,
      row.id,
      row.amount,
      row.currency,
      row.interval,
      row.active,
      row.createdAt,
      row.updatedAt,
    ],
  )

export const updatePrice = async (
  tx: Tx,
  workspaceId: string,
  { id, active, now }: { id: string; active: boolean; now: string },
): Promise<Price | undefined> =>
  (
    await tx.rows<Price>(
      `update reference_payment.prices set active = $3, updated_at = $4 where workspace_id = $1 and id = $2
        returning ${PRICE_COLUMNS}`,
      [workspaceId, id, active, now],
    )
  )[0]

/** A price with its plan. */
export type Offer = Price & { planId: string; planName: string; planActive: boolean }
export const findOffer = async (db: Db, workspaceId: string, id: string): Promise<Offer | undefined> =>
  (
    await db.rows<Offer>(
      `select ${PRICE_COLUMNS.replaceAll(/\w+/g, (name) => `r.${name}`)}, r.plan_id, p.name as plan_name,
          p.active as plan_active
        from reference_payment.prices r
        join reference_payment.plans p on p.workspace_id = r.workspace_id and p.id = r.plan_id
        where r.workspace_id = $1 and r.id = $2`,
      [workspaceId, id],
    )
  )[0]

async function withPrices(db: Db, workspaceId: string, plans: Bare[]): Promise<Plan[]> {
  const prices = await db.rows<Price & { planId: string }>(
    `select plan_id, ${PRICE_COLUMNS} from reference_payment.prices where workspace_id = $1 and plan_id = any($2)
      order by id`,
    [workspaceId, plans.map(({ id }) => id)],
  )
  return plans.map((plan) => ({
    ...plan,
    prices: prices.filter(({ planId }) => planId === plan.id).map(({ planId: _plan, ...price }) => price),
  }))
}

export async function findPlan(db: Db, workspaceId: string, id: string): Promise<Plan | undefined> {
  const found = await db.rows<Bare>(
    `select ${COLUMNS} from reference_payment.plans where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  )
  return (await withPrices(db, workspaceId, found))[0]
}

/** Finds the same plan and locks it and its prices until the transaction ends. */
export async function lockPlan(tx: Tx, workspaceId: string, id: string): Promise<Plan | undefined> {
  await tx.rows('select from reference_payment.plans where workspace_id = $1 and id = $2 for update', [
    workspaceId,
    id,
  ])
  return findPlan(tx, workspaceId, id)
}

export const listPlans = async (db: Db, workspaceId: string, after: string | null, limit: number) =>
  withPrices(
    db,
    workspaceId,
    await db.rows<Bare>(
      `select ${COLUMNS} from reference_payment.plans where workspace_id = $1 and ($2::text is null or id < $2)
        order by id desc limit $3`,
      [workspaceId, after, limit],
    ),
  )

export const isSubscribed = async (db: Db, workspaceId: string, planId: string): Promise<boolean> =>
  (
    await db.rows(
      `select 1 from reference_payment.subscriptions s
        join reference_payment.prices r on r.workspace_id = s.workspace_id and r.id = s.price_id
        where s.workspace_id = $1 and r.plan_id = $2 limit 1`,
      [workspaceId, planId],
    )
  ).length > 0

export async function removePlan(tx: Tx, workspaceId: string, id: string) {
  await tx.rows('delete from reference_payment.prices where workspace_id = $1 and plan_id = $2', [
    workspaceId,
    id,
  ])
  await tx.rows('delete from reference_payment.plans where workspace_id = $1 and id = $2', [workspaceId, id])
}
