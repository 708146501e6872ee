import type { Tx } from '../../../platform/db/open.ts'
import { rewriteBodies } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { ERASED } from './rules.ts'
import * as deliveries from './statements-deliveries.ts'
import * as statements from './statements-events.ts'
import * as store from './store-events.ts'

/** Sales or shipments whose events are read together. */
const PORTION = 100
/** Events that are in memory together. The body of one can have some 100 kB. */
const EVENTS = 100

type Person = { id: string; name: string; phone: string | null }
type ShipmentEventData = { destination?: object; history?: { note: string | null }[] }
type Body = {
  data: {
    customer?: Person
    sale?: { customer?: Person | null; customerId?: string | null; deliveryDraft?: unknown }
    shipment?: ShipmentEventData
  }
}

/** Replaces the address of an erased customer's parcel; the postal code stays. */
const NOWHERE = {
  contactName: ERASED.name,
  contactPhone: '000000',
  address: '-',
  note: null,
  areaId: null,
  latitude: null,
  longitude: null,
}
/** States of a shipment in transit. The shop needs the address until the shipment has ended. */
const UNDER_WAY = [
  'confirmed',
  'allocated',
  'picking_up',
  'picked',
  'dropping_off',
  'on_hold',
  'return_in_transit',
]

/**
 * Erases personal data from the events about the customer and their sales. The events keep what happened, when, and
 * the amounts (B-customer-2). Events of sales that no longer name the customer do not change.
 */
export async function eraseFromEvents(tx: Tx, scope: Scope, customerId: string): Promise<void> {
  const { name, phone, email, note } = ERASED
  await rewriteEvents(tx, scope, { refIds: [customerId], types: 'service.customer.%' }, ({ data }) => {
    if (data.customer) Object.assign(data.customer, { name, phone, email, note })
  })
  for (let after = ''; ; ) {
    const saleIds = await store.listSales(tx, scope, customerId, { after, limit: PORTION })
    after = saleIds.at(-1) ?? ''
    if (after === '') return
    await rewriteEvents(tx, scope, { refIds: saleIds, types: 'service.sale.%' }, ({ data: { sale } }) => {
      if (sale?.customer?.id === customerId) Object.assign(sale.customer, { name, phone })
      if (sale?.deliveryDraft !== undefined) sale.deliveryDraft = null
    })
  }
}

/**
 * Erases the customer's addresses from their shipments and from the events about these. A shipment in transit keeps
 * its address until it has ended (B-customer-2).
 */
export async function eraseFromShipments(tx: Tx, scope: Scope, customerId: string): Promise<void> {
  await deliveries.eraseRequests(tx, scope, customerId)
  const shipments = await deliveries.listShipments(tx, scope, customerId)
  const idle = shipments.filter(({ status }) => !UNDER_WAY.includes(status)).map(({ id }) => id)
  if (idle.length > 0) await deliveries.eraseDestinations(tx, scope, idle, NOWHERE)
  await eraseFromShipmentEvents(
    tx,
    scope,
    shipments.map(({ id }) => id),
  )
}

/** Erases the address of a shipment that has ended, if its customer was erased while it was in transit. */
export async function eraseEndedShipment(
  tx: Tx,
  scope: Scope,
  { id, saleId }: { id: string; saleId: string },
): Promise<void> {
  if (!(await deliveries.isErasedOf(tx, scope, saleId))) return
  await deliveries.eraseDestinations(tx, scope, [id], NOWHERE)
  await eraseFromShipmentEvents(tx, scope, [id])
}

async function eraseFromShipmentEvents(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += PORTION) {
    const refIds = ids.slice(from, from + PORTION)
    await rewriteEvents(tx, scope, { refIds, types: 'service.shipment.%' }, ({ data: { shipment } }) => {
      if (shipment?.destination) Object.assign(shipment.destination, NOWHERE)
      for (const step of shipment?.history ?? []) step.note = null
    })
  }
}

/** Rewrites the events about these records, portion by portion. */
async function rewriteEvents(
  tx: Tx,
  scope: Scope,
  { refIds, types }: { refIds: readonly string[]; types: string },
  erase: (body: Body) => void,
): Promise<void> {
  let left = refIds
  for (let after = ''; left.length > 0; ) {
    const events = await statements.listEvents(tx, scope, { refIds: left, types, after, limit: EVENTS })
    await rewriteBodies(
      tx,
      scope,
      events.map(({ id, body }) => {
        const parsed = JSON.parse(body) as Body
        erase(parsed)
        return { id, body: JSON.stringify(parsed) }
      }),
    )
    const last = events.length < EVENTS ? undefined : events.at(-1)
    left = last ? left.slice(left.indexOf(last.refId)) : []
    after = last?.id ?? ''
  }
}
