/** The name of a variant created without one: it is the only variant of its product. */
export const DEFAULT_VARIANT = 'Default'

/**
 * The label of a variant with its product, as people read it: "Kopi (Large)". A variant without its own name uses the
 * product's.
 */
export const labelOf = (productName: string, variantName: string): string =>
  variantName === DEFAULT_VARIANT ? productName : `${productName} (${variantName})`
