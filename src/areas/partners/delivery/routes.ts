import { Type } from 'typebox'
import { route, withStatus } from '../../../platform/http/route.ts'
import { IdParams, Nullable } from '../../../platform/http/shapes.ts'
import { cancel, conclude, confirmPickup } from './booking.ts'
import {
  Courier,
  OriginPatch,
  Rate,
  RateIn,
  Shipment,
  ShipmentIn,
  ShipmentPlace,
  ShipmentQuery,
} from './schema.ts'
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
    summary: 'Read the place where couriers pick up parcels',
    description:
      'The origin is null until it is set. Some partners do not store it; then quotes and shipments without it are 422.',
    access: 'partner',
    delegation: 'read',
    returns: Type.Object({ origin: Nullable(Type.Object(ShipmentPlace.properties)) }),
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
    summary: 'Set the place where couriers fetch parcels',
    description:
      'Changes only the fields that are sent. Null clears an optional field. A place that a courier could not find is 422.',
    access: 'partner',
    delegation: 'books',
    body: OriginPatch,
    returns: Type.Object({ origin: ShipmentPlace }),
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
    summary: 'List couriers and their services',
    description: 'Use the codes of a courier and its service in a shipment.',
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
    summary: 'List the prices of couriers for a parcel, cheapest first',
    description:
      'Send the price of the chosen courier as `deliveryFee` of the sale. Destination, courier and items form its `deliveryDraft`.',
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
    description:
      'Lists shipments that this service created, in the state last reported by the fulfillment partner.',
    access: 'page',
    delegation: 'read',
    query: ShipmentQuery,
    returns: Shipment,
    handle: ({ db, scope, query }) => listShipments(db, scope, query),
  }),
  route({
    ...row,
    name: 'delivery.create',
    method: 'POST',
    path: '/delivery/shipments',
    summary: 'Create a shipment as a draft',
    description:
      'No courier is booked yet. A sale (`transactionId`) has one shipment; if it exists already, the answer is 200 with that one. After a shipment was cancelled, rejected or found no courier, it can get another one.',
    access: 'partner',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    document: { alsoAnswers: [200] },
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
    description: 'The history has the last hundred steps, oldest first.',
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
      'The booking costs the quoted price. A shipment that is already booked is 200 and does not change. A shipment that has ended is 409.',
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
    summary: 'Cancel a shipment before its pick-up',
    description:
      'A shipment whose parcel the courier already has is 409. A shipment that is already cancelled is 200 and does not change.',
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
    summary: 'Create the shipment of a delivery sale',
    description:
      'Uses the `deliveryDraft` of the sale. The answer is 201 with the new shipment, or 200 with the existing one. A sale of another order type, a voided one, or one without a complete draft is 409.',
    access: 'partner',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    document: { alsoAnswers: [200] },
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
