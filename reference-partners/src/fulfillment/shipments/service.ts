import { randomBytes } from 'node:crypto'
import { conflict, invalid, notFound } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { requireNames } from '../../kit/http/metadata.ts'
import { announce } from '../../kit/notices/store.ts'
import type { Tools } from '../../kit/tools.ts'
import { nextNumber, PLATFORM } from '../../kit/workspaces/store.ts'
import { payShipment, refundShipment } from '../credits/service.ts'
import { newId } from '../ids.ts'
import { STATUS_CHANGED } from '../notice-types.ts'
import { COURIERS, type Courier, type CourierService, courierOf } from '../shipping/couriers.ts'
import { locate, locatePlace, originOf } from '../shipping/places.ts'
import { insuranceFee, insuredAmount, quoteOf } from '../shipping/rates.ts'
import type { Shipment, ShipmentCreate } from './schema.ts'
import { isUncarried, nextStatuses, requireWay, type Status } from './states.ts'
import * as store from './store.ts'
import { waybillOf } from './waybill.ts'

/** The names of the codes of a shipment; the name of a service that is no longer sold is its code. */
export function namesOf({ courierCode, courierServiceCode }: store.ShipmentRow) {
  const courier = courierOf(courierCode)
  const service = courier?.services.find(({ code }) => code === courierServiceCode)
  return {
    courierName: courier?.name ?? courierCode,
    courierServiceName: service?.name ?? courierServiceCode,
  }
}

export function shipmentView({ publicUrl }: Pick<Tools, 'publicUrl'>, row: store.ShipmentRow): Shipment {
  const { workspaceId: _whose, token, heldFrom: _from, ...own } = row
  const isBooked = row.waybillId !== null
  return {
    ...own,
    ...namesOf(row),
    trackingUrl: isBooked ? `${publicUrl()}/track/${token}` : null,
    labelUrl: isBooked ? `${publicUrl()}/v1/shipments/${row.id}/label` : null,
  }
}

/** Throws 422 with the valid codes if the courier or service does not exist. */
function serviceOf(courierCode: string, serviceCode: string): { courier: Courier; service: CourierService } {
  const courier = courierOf(courierCode)
  if (!courier)
    throw invalid(
      'courierCode',
      `There is no courier ${courierCode}; there are: ${COURIERS.map(({ code }) => code).join(', ')}`,
    )
  const service = courier.services.find(({ code }) => code === serviceCode)
  if (!service)
    throw invalid(
      'courierServiceCode',
      `${courier.name} has no service ${serviceCode}; it has: ${courier.services.map(({ code }) => code).join(', ')}`,
    )
  return { courier, service }
}

type NewShipment = { workspaceId: string; body: ShipmentCreate; now: string }

/** Drafts a shipment at the current price. It costs nothing and sends no courier until it is confirmed. */
export async function draftShipment(
  tx: Tx,
  { workspaceId, body, now }: NewShipment,
): Promise<store.ShipmentRow> {
  const { items } = body
  requireNames(body.metadata)
  const { courier, service } = serviceOf(body.courierCode, body.courierServiceCode)
  const destination = locatePlace(body.destination, 'destination.')
  const origin = locatePlace(await originOf(tx, workspaceId, body.origin), 'origin.')
  const way = { from: locate(origin, 'origin.'), to: locate(destination, 'destination.'), items }
  const quote = quoteOf(service, way)
  if (quote === null)
    throw invalid(
      'courierServiceCode',
      `${courier.name} ${service.name} does not take this parcel there; ask for rates to see which services do`,
    )
  const insured = insuredAmount(body.insurance, items)
  const row: store.ShipmentRow = {
    workspaceId,
    id: newId('shipment'),
    token: randomBytes(24).toString('base64url'),
    reference: body.reference ?? null,
    status: 'draft',
    heldFrom: null,
    origin,
    destination,
    courierCode: courier.code,
    courierServiceCode: service.code,
    chargeableWeight: quote.grams,
    price: quote.price,
    insuredAmount: insured,
    insuranceFee: insuranceFee(insured),
    items,
    metadata: body.metadata ?? {},
    history: [{ status: 'draft', note: null, at: now }],
    waybillId: null,
    createdAt: now,
    updatedAt: now,
  }
  await store.insertShipment(tx, row)
  return row
}

type ShipmentLookup = { tools: Tools; workspaceId: string; id: string; now: string }

async function locked(tx: Tx, { workspaceId, id }: ShipmentLookup): Promise<store.ShipmentRow> {
  const row = await store.lockShipment(tx, workspaceId, id)
  if (!row) throw notFound('shipment')
  return row
}

type StatusChange = { tools: Tools; row: store.ShipmentRow; to: Status; note: string | null; now: string }

/** Changes the state of a locked shipment and writes its notice. Throws 409 if its state does not allow the change. */
async function move(tx: Tx, { tools, row, to, note, now: asked }: StatusChange): Promise<store.ShipmentRow> {
  requireWay(row, to)
  // A history runs forward, whatever the clock of this process says, and however long the request waited for the row.
  const now = asked < row.updatedAt ? row.updatedAt : asked
  const moved: store.ShipmentRow = {
    ...row,
    status: to,
    heldFrom: to === 'on_hold' && row.status !== 'on_hold' ? row.status : null,
    history: [...row.history, { status: to, note, at: now }],
    updatedAt: now,
  }
  await store.moveShipment(tx, moved)
  if (isUncarried(to) && row.waybillId !== null) await refundShipment(tx, row, now)
  const data = { shipment: shipmentView(tools, moved) }
  await announce(tx, { workspaceId: row.workspaceId, type: STATUS_CHANGED, data, now })
  tx.afterCommit(tools.wake)
  return moved
}

/**
 * Deducts the cost from the credits, books the courier and issues the waybill. Returns an already booked shipment
 * unchanged, so a confirmation can be retried. Throws 409 if the shipment ended without being carried.
 */
export async function confirmPickup(tx: Tx, which: ShipmentLookup): Promise<store.ShipmentRow> {
  const row = await locked(tx, which)
  if (row.status !== 'draft') {
    if (isUncarried(row.status)) requireWay(row, 'confirmed')
    return row
  }
  const { tools, now } = which
  await payShipment(tx, row, now)
  const waybillId = waybillOf(row.courierCode, await nextNumber(tx, PLATFORM, 'waybill'))
  return move(tx, { tools, row: { ...row, waybillId }, to: 'confirmed', note: null, now })
}

/** Cancels a shipment. Throws 409 once a courier has the parcel. A cancelled one stays unchanged. */
export async function cancelShipment(tx: Tx, which: ShipmentLookup): Promise<store.ShipmentRow> {
  const row = await locked(tx, which)
  if (row.status === 'cancelled') return row
  return move(tx, { tools: which.tools, row, to: 'cancelled', note: null, now: which.now })
}

type Push = ShipmentLookup & { to: Status | undefined; note: string | null }

/** Sandbox: what the courier would report. A draft is not the courier's yet. */
export async function advanceShipment(tx: Tx, { to, note, ...which }: Push): Promise<store.ShipmentRow> {
  const row = await locked(tx, which)
  if (row.status === 'draft') throw conflict('This shipment is a draft; confirm the pickup first')
  const next = to ?? nextStatuses(row)[0]
  if (next === undefined) throw conflict(`This shipment has ended: it is ${row.status.replaceAll('_', ' ')}`)
  return move(tx, { tools: which.tools, row, to: next, note, now: which.now })
}
