import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { COURIERS } from './couriers.ts'
import { changeOrigin, locate, originOf, readOrigin } from './places.ts'
import { insuredAmount, ratesOf } from './rates.ts'
import { CourierShape, Origin, OriginPatch, Rate, RatesBody } from './schema.ts'

const CATALOGUE = COURIERS.map(({ code, name, services }) => ({
  code,
  name,
  services: services.map((service) => ({
    code: service.code,
    name: service.name,
    type: service.type,
    description: service.description,
  })),
}))

export const shippingRoutes = [
  route({
    name: 'shipping.origin',
    method: 'GET',
    path: '/shipping/origin',
    tag: 'shipping',
    summary: 'Where parcels are picked up; every field is null until one was saved',
    access: 'read',
    returns: Origin,
    handle: ({ db, caller }) => readOrigin(db, caller.workspaceId),
  }),
  route({
    name: 'shipping.setOrigin',
    method: 'PATCH',
    path: '/shipping/origin',
    tag: 'shipping',
    summary: 'Changes the fields that are sent; the first time with name, phone, address and location',
    body: OriginPatch,
    access: 'write',
    returns: Origin,
    handle: ({ tx, caller: { workspaceId }, body: patch, now }) =>
      changeOrigin(tx, { workspaceId, patch, now }),
  }),
  route({
    name: 'shipping.couriers',
    method: 'GET',
    path: '/shipping/couriers',
    tag: 'shipping',
    summary: 'Couriers with their services',
    access: 'read',
    returns: Type.Array(CourierShape),
    handle: async () => CATALOGUE,
  }),
  route({
    name: 'shipping.rates',
    method: 'POST',
    path: '/shipping/rates',
    tag: 'shipping',
    summary: 'What every service that takes the parcel asks for it, the cheapest first',
    body: RatesBody,
    access: 'read',
    returns: Type.Array(Rate),
    handle: async ({ db, caller, body: { origin, destination, items, insurance } }) => {
      const to = locate(destination, 'destination.')
      const from = locate(await originOf(db, caller.workspaceId, origin), 'origin.')
      return ratesOf({ from, to, items }, insuredAmount(insurance, items))
    },
  }),
]
