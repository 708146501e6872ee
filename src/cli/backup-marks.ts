/** An empty file with such an ending beside a backup keeps it from being counted as a good one. */
export const MARKS = { unverified: '.unverified', inconsistent: '.inconsistent' } as const
export type Mark = keyof typeof MARKS
