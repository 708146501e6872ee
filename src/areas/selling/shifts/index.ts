export { bookingShift, findOpenShift, getShiftForSale, openShifts } from './booking.ts'
export { shiftRoutes } from './routes.ts'
export { finishCloses } from './service.ts'
