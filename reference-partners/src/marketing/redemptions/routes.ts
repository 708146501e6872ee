import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import {
  Confirmation,
  PointBalance,
  PointSettings,
  Redemption,
  RedemptionRequest,
  Valuation,
} from './schema.ts'
import { confirm, evaluate, redeem, redemptionOf, release } from './service.ts'
import * as store from './store.ts'

const Named = Type.Object({ reference: Type.String() })
const CustomerParams = Type.Object({ customerId: Type.String() })
const tag = 'redemptions'
const points = 'points'

export const redemptionRoutes = [
  route({
    name: 'valuations.create',
    method: 'POST',
    path: '/valuations',
    tag,
    summary: 'What a code and points would take off; nothing is used',
    isRepeatable: true,
    body: RedemptionRequest,
    access: 'write',
    returns: Valuation,
    handle: ({ tx, caller, body, now }) => evaluate(tx, caller.workspaceId, body, now),
  }),
  route({
    name: 'redemptions.put',
    method: 'PUT',
    path: '/redemptions/{reference}',
    tag,
    summary: 'Uses a code and points for a sale, in place of what it had; sent again it has them once',
    isRepeatable: true,
    params: Named,
    body: RedemptionRequest,
    access: 'write',
    returns: Redemption,
    handle: async ({ tx, caller, params: { reference }, body, now }) => {
      const named = { workspaceId: caller.workspaceId, reference, now }
      const { isNew, redemption } = await redeem(tx, named, body)
      return { status: isNew ? 201 : 200, value: redemption }
    },
  }),
  route({
    name: 'redemptions.get',
    method: 'GET',
    path: '/redemptions/{reference}',
    tag,
    summary: 'What a sale was given',
    params: Named,
    access: 'read',
    returns: Redemption,
    handle: ({ db, caller, params }) => redemptionOf(db, caller.workspaceId, params.reference),
  }),
  route({
    name: 'redemptions.confirm',
    method: 'POST',
    path: '/redemptions/{reference}/confirm',
    tag,
    summary: 'The sale was completed: it has what it was given for good',
    isRepeatable: true,
    params: Named,
    body: Confirmation,
    access: 'write',
    returns: Redemption,
    handle: ({ tx, caller, params: { reference }, body: { points }, now }) =>
      confirm(tx, { workspaceId: caller.workspaceId, reference, now }, points),
  }),
  route({
    name: 'redemptions.release',
    method: 'POST',
    path: '/redemptions/{reference}/release',
    tag,
    summary: 'The sale did not come about, or was taken back: code and points may be used again',
    isRepeatable: true,
    params: Named,
    access: 'write',
    returns: Redemption,
    handle: ({ tx, caller, params: { reference }, now }) =>
      release(tx, { workspaceId: caller.workspaceId, reference, now }),
  }),
  route({
    name: 'points.getSettings',
    method: 'GET',
    path: '/points/settings',
    tag: points,
    summary: 'What a point is worth',
    access: 'read',
    returns: PointSettings,
    handle: async ({ db, caller }) => ({ pointValue: await store.pointValueOf(db, caller.workspaceId) }),
  }),
  route({
    name: 'points.setSettings',
    method: 'PUT',
    path: '/points/settings',
    tag: points,
    summary: 'Says what a point is worth; sales that have some keep what they were given',
    body: PointSettings,
    access: 'write',
    returns: PointSettings,
    handle: async ({ tx, caller, body, now }) => {
      await store.setPointValue(tx, caller.workspaceId, body.pointValue, now)
      return body
    },
  }),
  route({
    name: 'points.get',
    method: 'GET',
    path: '/points/customers/{customerId}',
    tag: points,
    summary: 'What a customer has redeemed here',
    params: CustomerParams,
    access: 'read',
    returns: PointBalance,
    handle: async ({ db, caller: { workspaceId }, params: { customerId } }) => ({
      customerId,
      ...(await store.pointsOf(db, workspaceId, customerId)),
      pointValue: await store.pointValueOf(db, workspaceId),
    }),
  }),
]
