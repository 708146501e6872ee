import { pageByKey } from '../../../core/cursor.ts'
import { notFound } from '../../../core/errors.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { Shipment, ShipmentAdvance, ShipmentCreate, ShipmentQuery } from './schema.ts'
import { advanceShipment, cancelShipment, confirmPickup, draftShipment, shipmentView } from './service.ts'
import { findShipment, listShipments } from './store.ts'

export const shipmentRoutes = [
  route({
    name: 'shipments.list',
    method: 'GET',
    path: '/shipments',
    tag: 'shipments',
    summary: 'Newest first',
    query: ShipmentQuery,
    access: 'read',
    page: true,
    returns: Shipment,
    handle: async ({ tools, db, caller, query: { limit, cursor, status, reference } }) => {
      const after = afterOf(cursor, 'shp')
      const rows = await listShipments(db, caller.workspaceId, { status, reference, after, limit: limit + 1 })
      const page = pageByKey(rows, limit, cursorOf)
      return { ...page, items: page.items.map((row) => shipmentView(tools, row)) }
    },
  }),
  route({
    name: 'shipments.create',
    method: 'POST',
    path: '/shipments',
    tag: 'shipments',
    summary: 'Drafts a shipment at the price of this moment; nothing is booked yet',
    status: 201,
    body: ShipmentCreate,
    access: 'write',
    returns: Shipment,
    handle: async ({ tools, tx, caller: { workspaceId }, body, now }) =>
      shipmentView(tools, await draftShipment(tx, { workspaceId, body, now })),
  }),
  route({
    name: 'shipments.get',
    method: 'GET',
    path: '/shipments/{id}',
    tag: 'shipments',
    summary: 'One shipment',
    params: IdParams,
    access: 'read',
    returns: Shipment,
    handle: async ({ tools, db, caller, params }) => {
      const row = await findShipment(db, caller.workspaceId, params.id)
      if (!row) throw notFound('shipment')
      return shipmentView(tools, row)
    },
  }),
  route({
    name: 'shipments.confirmPickup',
    method: 'POST',
    path: '/shipments/{id}/confirm-pickup',
    tag: 'shipments',
    summary: 'Books the courier and issues the waybill; one that is booked is answered as it is',
    params: IdParams,
    access: 'write',
    returns: Shipment,
    handle: async ({ tools, tx, caller: { workspaceId }, params: { id }, now }) =>
      shipmentView(tools, await confirmPickup(tx, { tools, workspaceId, id, now })),
  }),
  route({
    name: 'shipments.cancel',
    method: 'POST',
    path: '/shipments/{id}/cancel',
    tag: 'shipments',
    summary: 'Until a courier has the parcel, 409 after; one that is cancelled stays so',
    params: IdParams,
    access: 'write',
    returns: Shipment,
    handle: async ({ tools, tx, caller: { workspaceId }, params: { id }, now }) =>
      shipmentView(tools, await cancelShipment(tx, { tools, workspaceId, id, now })),
  }),
  route({
    name: 'shipments.advance',
    method: 'POST',
    path: '/shipments/{id}/advance',
    tag: 'shipments',
    summary:
      'Sandbox: reports the next state as the courier would, or the one that is named; 409 for no way there',
    params: IdParams,
    body: ShipmentAdvance,
    access: 'write',
    returns: Shipment,
    handle: async ({ tools, tx, caller: { workspaceId }, params: { id }, body, now }) => {
      const { status: to, note = null } = body
      return shipmentView(tools, await advanceShipment(tx, { tools, workspaceId, id, to, note, now }))
    },
  }),
]
