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
    name: 'shifts.list',
    method: 'GET',
    path: '/shifts',
    area,
    summary: 'List shifts, newest first',
    description: '`outletId` and `status` filter the list.',
    access: 'page',
    delegation: 'read',
    query: ShiftQuery,
    returns: Shift,
    handle: ({ db, scope, query }) => listShifts(db, scope, query),
  }),
  route({
    name: 'shifts.getCurrent',
    method: 'GET',
    path: '/shifts/current',
    area,
    summary: 'Read your open shift at an outlet',
    description:
      'New sales and payments are booked to this shift. The answer is null if you have no open shift.',
    access: 'read',
    delegation: 'read',
    query: CurrentQuery,
    document: { refuses: ['NOT_FOUND'] },
    returns: Type.Object({ shift: Nullable(ShiftDetail) }),
    handle: async ({ db, scope, query }) => ({ shift: await getCurrentShift(db, scope, query.outletId) }),
  }),
  route({
    name: 'shifts.get',
    method: 'GET',
    path: '/shifts/{id}',
    area,
    summary: 'Read a shift with its sales and cash summary',
    description:
      'The figures of an open shift change with every sale. The figures of a closed shift never change.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ shift: await getShift(db, scope, params.id) }),
  }),
  route({
    name: 'shifts.open',
    method: 'POST',
    path: '/shifts/open',
    area,
    summary: 'Open your shift at an outlet',
    description:
      'A cashier can have one open shift per outlet (409). `openingFloat` is the cash in the drawer. Sales do not need a shift.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    body: OpenIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ shift: await openShift(tx, scope, body) }),
  }),
  route({
    name: 'shifts.close',
    method: 'POST',
    path: '/shifts/{id}/close',
    area,
    summary: 'Count the drawer and close a shift',
    description:
      'Any member may close the shift of another. The difference is counted less expected cash. Open bills do not keep a shift from being closed.',
    access: 'self',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: CloseIn,
    returns: One,
    handle: ({ deps, scope, idem, params, body }) =>
      closeShift(deps, scope, { idem, id: params.id, input: body }),
  }),
  route({
    name: 'shifts.moveCash',
    method: 'POST',
    path: '/shifts/{id}/cash-movements',
    area,
    summary: 'Record cash put into or taken out of the drawer',
    description: 'Use it for cash outside of sales. Taking out more than the expected cash is 422 `amount`.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    approvals: ['paidOut'],
    status: 201,
    params: IdParams,
    body: CashMovementIn,
    record: CashMovement,
    returns: Type.Object({ cashMovement: CashMovement, shift: ShiftDetail }),
    handle: ({ tx, scope, params, body }) => moveCash(tx, scope, params.id, body),
  }),
]
