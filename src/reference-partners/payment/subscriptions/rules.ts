export const monthsOf = (interval: 'month' | 'year'): number => (interval === 'month' ? 1 : 12)

/** Days after its making that an invoice may be paid without anybody being behind. */
export const DAYS_TO_PAY = 7
