export const monthsOf = (interval: 'month' | 'year'): number => (interval === 'month' ? 1 : 12)

/** Days until an invoice is due. */
export const DAYS_TO_PAY = 7
