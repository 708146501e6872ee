import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { IdParams, Nullable } from '../../../platform/http/shapes.ts'
import {
  CashMovement,
  CashMovementIn,
  CloseIn,
  CurrentQuery,
  OpenIn,
  Shift,
  ShiftDetail,
  ShiftQuery,
} from './schema.ts'
import { closeShift, getCurrentShift, getShift, listShifts, moveCash, openShift } from './service.ts'

const area = 'shifts'
const One = Type.Object({ shift: ShiftDetail })

export const shiftRoutes = [
  route({
    method: 'GET',
    path: '/shifts',
    area,
    summary: 'List shifts, newest first',
    access: 'read',
    delegation: 'read',
    page: true,
    query: ShiftQuery,
    returns: Shift,
    handle: ({ db, scope, query }) => listShifts(db, scope, query),
  }),
  route({
    method: 'GET',
    path: '/shifts/current',
    area,
    summary: 'Read your open shift at an outlet; null when you have none',
    access: 'read',
    delegation: 'read',
    query: CurrentQuery,
    returns: Type.Object({ shift: Nullable(ShiftDetail) }),
    handle: async ({ db, scope, query }) => ({ shift: await getCurrentShift(db, scope, query.outletId) }),
  }),
  route({
    method: 'GET',
    path: '/shifts/{id}',
    area,
    summary: 'Read a shift with its sales and cash summary',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ shift: await getShift(db, scope, params.id) }),
  }),
  route({
    method: 'POST',
    path: '/shifts/open',
    area,
    summary: 'Open your shift at an outlet',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    body: OpenIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ shift: await openShift(tx, scope, body) }),
  }),
  route({
    method: 'POST',
    path: '/shifts/{id}/close',
    area,
    summary: 'Count the drawer and close a shift; its figures never move again',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: CloseIn,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({ shift: await closeShift(tx, scope, params.id, body) }),
  }),
  route({
    method: 'POST',
    path: '/shifts/{id}/cash-movements',
    area,
    summary: 'Put cash into the drawer or take it out, besides sales',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    params: IdParams,
    body: CashMovementIn,
    returns: Type.Object({ cashMovement: CashMovement, shift: ShiftDetail }),
    handle: ({ tx, scope, params, body }) => moveCash(tx, scope, params.id, body),
  }),
]
