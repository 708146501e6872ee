import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { ShiftDetail } from './schema.ts'

const group = 'shift'
const data = Type.Object({ shift: ShiftDetail })

export const shiftOpened = event('service.shift.opened.v1', {
  group,
  meaning: 'A cashier opened a shift.',
  data,
})
export const shiftClosed = event('service.shift.closed.v1', {
  group,
  meaning: 'A shift was closed and counted.',
  data,
})

export const shiftEvents = [shiftOpened, shiftClosed]
