import { Type } from 'typebox'
import { route, withStatus } from '../../../platform/http/route.ts'
import { IdParams, Nullable } from '../../../platform/http/shapes.ts'
import { cancel, conclude, confirmPickup } from './booking.ts'
import { Courier, OriginPatch, Place, Rate, RateIn, Shipment, ShipmentIn, ShipmentQuery } from './schema.ts'
import { create, dispatch, finish, getShipment, listShipments } from './shipments.ts'
import { listCouriers, quote, readOrigin, writeOrigin } from './shipping.ts'

const row = { area: 'delivery', module: 'fulfillment' } as const
const One = Type.Object({ shipment: Shipment })

export const deliveryRoutes = [
  route({
    ...row,
    name: 'delivery.getOrigin',
    method: 'GET',
    path: '/delivery/origin',
    summary: 'Where couriers fetch parcels',
    access: 'partner',
    delegation: 'read',
    returns: Type.Object({ origin: Nullable(Type.Object(Place.properties)) }),
    handle: async (means) => {
      const origin = await readOrigin(means)
      return async () => ({ origin })
    },
  }),
  route({
    ...row,
    name: 'delivery.updateOrigin',
    method: 'PATCH',
    path: '/delivery/origin',
    summary: 'Say where couriers fetch parcels',
    access: 'partner',
    delegation: 'books',
    body: OriginPatch,
    returns: Type.Object({ origin: Place }),
    handle: async ({ body, ...means }) => {
      const origin = await writeOrigin(means, body)
      return async () => ({ origin })
    },
  }),
  route({
    ...row,
    name: 'delivery.listCouriers',
    method: 'GET',
    path: '/delivery/couriers',
    summary: 'Couriers and their services',
    access: 'partner',
    delegation: 'read',
    returns: Type.Object({ couriers: Type.Array(Courier) }),
    handle: async (means) => {
      const couriers = await listCouriers(means)
      return async () => ({ couriers })
    },
  }),
  route({
    ...row,
    name: 'delivery.quote',
    method: 'POST',
    path: '/delivery/rates',
    summary: 'What couriers ask for a parcel, the cheapest first',
    description:
      'The price of the one that is chosen is the `deliveryFee` of the sale; destination, courier and items are its `deliveryDraft`.',
    access: 'partner',
    delegation: 'books',
    role: 'CASHIER',
    body: RateIn,
    returns: Type.Object({ rates: Type.Array(Rate) }),
    handle: async ({ body, ...means }) => {
      const rates = await quote(means, body)
      return async () => ({ rates })
    },
  }),
  route({
    ...row,
    name: 'delivery.list',
    method: 'GET',
    path: '/delivery/shipments',
    summary: 'List shipments, newest first',
    access: 'read',
    delegation: 'read',
    page: true,
    query: ShipmentQuery,
    returns: Shipment,
    handle: ({ db, scope, query }) => listShipments(db, scope, query),
  }),
  route({
    ...row,
    name: 'delivery.create',
    method: 'POST',
    path: '/delivery/shipments',
    summary: 'Create a shipment, as a draft for which no courier is booked yet',
    description:
      'A sale (`transactionId`) has one shipment: while it has one, that one is answered with 200. One that was cancelled, rejected or found no courier makes room for another.',
    access: 'partner',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    alsoAnswers: [200],
    body: ShipmentIn,
    returns: One,
    handle: async ({ body, ...means }) => {
      const begun = await create(means, body)
      return async (tx) => {
        const { isNew, shipment } = await finish(tx, means.scope, begun)
        return withStatus(isNew ? 201 : 200, { shipment })
      }
    },
  }),
  route({
    ...row,
    name: 'delivery.get',
    method: 'GET',
    path: '/delivery/shipments/{id}',
    summary: 'Read a shipment with its history',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ shipment: await getShipment(db, scope, params.id) }),
  }),
  route({
    ...row,
    name: 'delivery.confirmPickup',
    method: 'POST',
    path: '/delivery/shipments/{id}/confirm-pickup',
    summary: 'Book the courier of a shipment',
    description:
      'From now on it costs what was quoted. One that is booked already answers 200 unchanged; one that has ended is 409.',
    access: 'partner',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: One,
    handle: async ({ params, ...means }) => {
      const acted = await confirmPickup(means, params.id)
      return async (tx) => ({ shipment: await conclude(tx, means.scope, acted) })
    },
  }),
  route({
    ...row,
    name: 'delivery.cancel',
    method: 'POST',
    path: '/delivery/shipments/{id}/cancel',
    summary: 'Cancel a shipment that the courier has not fetched',
    description: '409 once the courier has the parcel. One that is cancelled already answers 200 unchanged.',
    access: 'partner',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: One,
    handle: async ({ params, ...means }) => {
      const acted = await cancel(means, params.id)
      return async (tx) => ({ shipment: await conclude(tx, means.scope, acted) })
    },
  }),
  route({
    ...row,
    name: 'delivery.dispatch',
    method: 'POST',
    path: '/delivery/sales/{id}/dispatch',
    summary: 'Create the shipment that the draft of a delivery describes',
    description:
      '201 with the shipment, or 200 with the one that the sale has. 409 for a sale that is no delivery, is voided, or has no draft that can be dispatched.',
    access: 'partner',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    alsoAnswers: [200],
    params: IdParams,
    returns: One,
    handle: async ({ params, ...means }) => {
      const begun = await dispatch(means, params.id)
      return async (tx) => {
        const { isNew, shipment } = await finish(tx, means.scope, begun)
        return withStatus(isNew ? 201 : 200, { shipment })
      }
    },
  }),
]
