import type { Db, Tx } from '../../kit/db.ts'
import type { Shipment } from './schema.ts'
import type { HoldableStatus } from './states.ts'

export type ShipmentRow = Omit<
  Shipment,
  'courierName' | 'courierServiceName' | 'trackingUrl' | 'labelUrl'
> & {
  workspaceId: string
  /** The secret of the tracking page’s address. */
  token: string
  heldFrom: HoldableStatus | null
}

const COLUMNS = `workspace_id, id, token, reference, status, held_from, origin, destination, courier_code, courier_service_code,
  chargeable_weight, price, insured_amount, insurance_fee, items, metadata, history, waybill_id, created_at, updated_at`

export const insertShipment = (tx: Tx, row: ShipmentRow) =>
  tx.rows(
    `insert into reference_fulfillment.shipments (${COLUMNS})
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [
      row.workspaceId,
      row.id,
      row.token,
      row.reference,
      row.status,
      row.heldFrom,
      JSON.stringify(row.origin),
      JSON.stringify(row.destination),
      row.courierCode,
      row.courierServiceCode,
      row.chargeableWeight,
      row.price,
      row.insuredAmount,
      row.insuranceFee,
      JSON.stringify(row.items),
      JSON.stringify(row.metadata),
      JSON.stringify(row.history),
      row.waybillId,
      row.createdAt,
      row.updatedAt,
    ],
  )

export const findShipment = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<ShipmentRow | undefined> =>
  (
    await db.rows<ShipmentRow>(
      `select ${COLUMNS} from reference_fulfillment.shipments where workspace_id = $1 and id = $2`,
      [workspaceId, id],
    )
  )[0]

/** Finds the same row and locks it until the transaction ends. */
export const lockShipment = async (
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<ShipmentRow | undefined> =>
  (
    await tx.rows<ShipmentRow>(
      `select ${COLUMNS} from reference_fulfillment.shipments where workspace_id = $1 and id = $2 for no key update`,
      [workspaceId, id],
    )
  )[0]

/** Finds a shipment and its workspace by the secret of its address; a draft has no page yet. */
export const findByToken = async (
  db: Db,
  token: string,
): Promise<(ShipmentRow & { merchant: string }) | undefined> =>
  (
    await db.rows<ShipmentRow & { merchant: string }>(
      `select ${COLUMNS.replaceAll(/\w+/g, (name) => `s.${name}`)}, w.name as merchant
        from reference_fulfillment.shipments s join reference_fulfillment.workspaces w on w.id = s.workspace_id
        where s.token = $1 and s.waybill_id is not null`,
      [token],
    )
  )[0]

type ShipmentFilter = {
  status: string | undefined
  reference: string | undefined
  after: string | null
  limit: number
}
export const listShipments = (
  db: Db,
  workspaceId: string,
  { status, reference, after, limit }: ShipmentFilter,
) =>
  db.rows<ShipmentRow>(
    `select ${COLUMNS} from reference_fulfillment.shipments
      where workspace_id = $1 and ($2::text is null or status = $2) and ($3::text is null or reference = $3)
        and ($4::text is null or id < $4)
      order by id desc limit $5`,
    [workspaceId, status ?? null, reference ?? null, after, limit],
  )

export const moveShipment = (tx: Tx, row: ShipmentRow) =>
  tx.rows(
    `update reference_fulfillment.shipments set status = $3, held_from = $4, waybill_id = $5, history = $6, updated_at = $7
      where workspace_id = $1 and id = $2`,
    [
      row.workspaceId,
      row.id,
      row.status,
      row.heldFrom,
      row.waybillId,
      JSON.stringify(row.history),
      row.updatedAt,
    ],
  )
