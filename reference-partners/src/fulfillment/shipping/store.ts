import type { Db, Tx } from '../../kit/db.ts'
import type { ShippingPlace } from './schema.ts'

type OriginRow = { place: ShippingPlace; updatedAt: string }

export const findOrigin = async (db: Db, workspaceId: string): Promise<OriginRow | undefined> =>
  (
    await db.rows<OriginRow>(
      'select place, updated_at from reference_fulfillment.origins where workspace_id = $1',
      [workspaceId],
    )
  )[0]

type OriginChange = { workspaceId: string; place: ShippingPlace; now: string }
export const saveOrigin = (tx: Tx, { workspaceId, place, now }: OriginChange) =>
  tx.rows(
    `insert into reference_fulfillment.origins (workspace_id, place, updated_at) values ($1, $2, $3)
      on conflict (workspace_id) do update set place = excluded.place, updated_at = excluded.updated_at`,
    [workspaceId, JSON.stringify(place), now],
  )
