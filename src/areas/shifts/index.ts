export { bookingShift, findOpenShift, getShiftForSale, openShifts, type ShiftRef } from './booking.ts'
export { shiftRoutes } from './routes.ts'
