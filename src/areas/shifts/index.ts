export { bookingShift, findOpenShift, getShiftForSale, type ShiftRef } from './booking.ts'
export { shiftRoutes } from './routes.ts'
