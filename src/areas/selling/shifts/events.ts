import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { CashMovement, ShiftDetail } from './schema.ts'

const group = 'shift'
const data = Type.Object({ shift: ShiftDetail })

export const shiftOpened = event('service.shift.opened.v1', {
  group,
  meaning: 'A cashier opened a shift.',
  data,
})
export const shiftClosed = event('service.shift.closed.v1', {
  group,
  meaning: 'A cashier counted the drawer and closed a shift.',
  data,
})

export const cashMoved = event('service.shift.cash_moved.v1', {
  group,
  meaning: 'Cash was taken out of a drawer with the approval of a manager or owner, whom `approvedBy` names.',
  data: Type.Object({ cashMovement: CashMovement }),
})

export const shiftEvents = [shiftOpened, shiftClosed, cashMoved]
