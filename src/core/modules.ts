/** The modules that a workspace can switch on (B-module-1), in the order of lists. */
export const MODULES = ['payment', 'fulfillment', 'marketing'] as const
export type Module = (typeof MODULES)[number]
