/** The name of a variant that was not given one: its product has no other. */
export const DEFAULT_VARIANT = 'Default'

/**
 * A variant beside its product, as people read it: "Kopi (Large)"; without a name of its own it goes by the
 * product's.
 */
export const labelOf = (productName: string, variantName: string): string =>
  variantName === DEFAULT_VARIANT ? productName : `${productName} (${variantName})`
