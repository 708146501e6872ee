/** What a workspace switches on beside the till (B-module-1), in the order of lists. */
export const MODULES = ['payment', 'fulfillment', 'marketing'] as const
export type Module = (typeof MODULES)[number]
