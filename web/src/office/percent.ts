/** 11 for 1,100 basis points, 12,5 for 1,250. */
export const formatPercent = (bps: number): string => String(bps / 100).replace('.', ',')

/** Basis points of a typed percentage such as 12,5 or ,5, null if there is none. */
export function parsePercent(text: string): number | null {
  const match = /^(?=.*\d)(\d{0,3})(?:[.,](\d{0,2}))?$/.exec(text.trim())
  if (match === null) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
