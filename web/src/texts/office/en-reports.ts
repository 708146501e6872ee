import type { idReports } from './id-reports.ts'

/** The reports of shifts, promotions and hours, in English. */
export const enReports: Readonly<Record<keyof typeof idReports, string>> = {
  'report.asOf': 'Figures as of {time}',
  'report.promotions': 'Promotions',
  'report.promotionsText': 'The discounts that each promotion gave. Later refunds are not deducted.',
  'report.noPromotions': 'No promotion was used in this period.',
  'report.promotion': 'Promotion',
  'report.perSale': 'Discount per sale',
  'report.given': 'Discounts',
  'report.hours': 'Busy hours',
  'report.hoursText':
    'The number of sales per weekday and hour, by the clock of the outlet. Darker is busier.',
  'report.hour': 'Hour',
  'report.shifts': 'Shifts',
  'report.noShifts': 'No shifts yet',
  'report.noShiftsText': 'Shifts appear here once a cashier opens one on the Shift page.',
  'report.shift.OPEN': 'Open',
  'report.shift.CLOSED': 'Closed',
  'report.shift.opened': 'Opened',
  'report.shift.difference': 'Difference',
  'report.shift.fits': 'Matches',
  'report.shift.of': 'Shift of {name}, {time}',
  'report.shift.until': 'closed {time}',
  'report.shift.credit': 'Customer debts collected in cash',
  'report.shift.bills': 'Open bills: {n}',
}
