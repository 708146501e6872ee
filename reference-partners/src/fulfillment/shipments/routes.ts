import { conflict, IdParams, LANGUAGES, notFound, pageByKey, Words } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { sendPdfFile } from '../../kit/print/routes.ts'
import { labelPdf } from './label.ts'
import { Shipment, ShipmentAdvance, ShipmentCreate, ShipmentQuery } from './schema.ts'
import {
  advanceShipment,
  cancelShipment,
  confirmPickup,
  draftShipment,
  namesOf,
  shipmentView,
} from './service.ts'
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
    name: 'shipments.label',
    method: 'GET',
    path: '/shipments/{id}/label',
    tag: 'shipments',
    summary: 'The label for the parcel, A6; 409 before there is a waybill',
    params: IdParams,
    query: Type.Object({ lang: Type.Optional(Words(LANGUAGES, { default: 'id' })) }),
    access: 'file',
    produces: 'application/pdf',
    handle: async ({ db, reply, caller: { workspaceId, name }, params, query: { lang = 'id' } }) => {
      const row = await findShipment(db, workspaceId, params.id)
      if (!row) throw notFound('shipment')
      const { waybillId } = row
      if (waybillId === null) throw conflict('A label needs a waybill; confirm the pickup first')
      const file = await labelPdf({ ...row, ...namesOf(row), waybillId, merchant: name }, lang)
      return sendPdfFile(reply, waybillId, file)
    },
  }),
  route({
    name: 'shipments.confirmPickup',
    method: 'POST',
    path: '/shipments/{id}/confirm-pickup',
    tag: 'shipments',
    summary:
      'Pays from the shipping credits (409 where they do not suffice), books the courier and issues the waybill; one that is booked is answered as it is',
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
    summary:
      'Until a courier has the parcel, 409 after; what was paid is given back, and one that is cancelled stays so',
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
