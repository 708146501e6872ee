export { getShiftForSale, shareBookingShift, shareOpenShifts } from './booking.ts'
export { shiftEvents } from './events.ts'
export { shiftRoutes } from './routes.ts'
export { finishCloses } from './service.ts'
