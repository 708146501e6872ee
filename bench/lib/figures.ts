export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1)
  return (low + high) / 2
}

/** The value that `share` of all samples do not exceed; samples need not be sorted. */
export function percentile(samples: Float64Array, share: number): number {
  if (samples.length === 0) return Number.NaN
  const sorted = samples.toSorted()
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const whole = (value: number) => Math.round(value).toLocaleString('en-US')
export const fixed = (value: number, digits = 2) => value.toFixed(digits)

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
