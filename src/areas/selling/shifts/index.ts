/** The shifts of cashiers: opening float, cash movements, final count, X and Z reports */

export { getShiftAtOutlet, getShiftForSale, shareBookingShift, shareOpenShifts } from './booking.ts'
export { shiftEvents } from './events.ts'
export { shiftJobs } from './jobs.ts'
export { shiftRoutes } from './routes.ts'
export { CashMovement, ShiftDetail } from './schema.ts'
export { getShift } from './service.ts'
