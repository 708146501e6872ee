export { getShiftForSale, shareBookingShift, shareOpenShifts } from './booking.ts'
export { shiftEvents } from './events.ts'
export { shiftJobs } from './jobs.ts'
export { shiftRoutes } from './routes.ts'
