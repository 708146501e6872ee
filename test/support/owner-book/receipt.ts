import { expect } from 'vitest'
import { type Book, grossOf, portion, type Receipt, share, sum } from './book.ts'

type Worked = {
  gross: number
  discounts: number
  service: number
  taxes: Map<number, number>
  total: number
  items: { lineTotal: number; taxAmount: number; serviceShare: number }[]
}

/** Works out a receipt by hand. `shares` is the part of each line in the promotions. */
export function workOut({ terms }: Book, { lines, fields }: Receipt, shares: readonly number[]): Worked {
  const bases = lines.map((line, n) => grossOf(line) - (shares[n] ?? 0))
  const isServed = fields?.['orderType'] === 'DINE_IN'
  const service = isServed ? portion(sum(bases), terms.serviceBps, 10_000) : 0
  const rates = lines.map(({ good }) => good.taxRateBps ?? terms.taxRateBps)
  const taxes = new Map<number, number>()
  const taxAmounts = lines.map(() => 0)
  let serviceTax = 0
  for (const rate of new Set(service > 0 ? [...rates, terms.taxRateBps] : rates)) {
    const members = rates.flatMap((each, n) => (each === rate ? [n] : []))
    const weights = members.map((n) => bases[n] ?? 0)
    if (service > 0 && rate === terms.taxRateBps) weights.push(service)
    const base = sum(weights)
    const tax = terms.taxInclusive ? base - portion(base, 10_000, 10_000 + rate) : portion(base, rate, 10_000)
    taxes.set(rate, tax)
    const parts = share(tax, weights)
    for (const [k, n] of members.entries()) taxAmounts[n] = parts[k] ?? 0
    if (parts.length > members.length) serviceTax = parts.at(-1) ?? 0
  }
  const serviceShares = share(service + serviceTax, bases)
  const items = bases.map((base, n) => ({
    lineTotal: base + (terms.taxInclusive ? 0 : (taxAmounts[n] ?? 0)),
    taxAmount: taxAmounts[n] ?? 0,
    serviceShare: serviceShares[n] ?? 0,
  }))
  return {
    gross: sum(lines.map(grossOf)),
    discounts: sum(shares),
    service,
    taxes,
    total: sum(items.map(({ lineTotal, serviceShare }) => lineTotal + serviceShare)),
    items,
  }
}

/** Checks how promotions are shared over the items, and returns the shares. */
export function sharesOf(
  { lines, promotions = [] }: Receipt,
  items: readonly { promotionShare: number }[],
): number[] {
  const shares = items.map(({ promotionShare }) => promotionShare)
  const exact = lines.map(() => 0)
  const left = lines.map(grossOf)
  for (const { amount, over } of promotions) {
    const weights = lines.map((_, n) => (over === undefined ? (left[n] ?? 0) : (over[n] ?? 0)))
    const whole = sum(weights)
    for (const [n, weight] of weights.entries()) {
      exact[n] = (exact[n] ?? 0) + (amount * weight) / whole
      left[n] = (left[n] ?? 0) - (amount * weight) / whole
    }
  }
  expect(sum(shares)).toBe(sum(promotions.map(({ amount }) => amount)))
  for (const [n, part] of shares.entries())
    expect(Math.abs(part - (exact[n] ?? 0)), `share of line ${n}`).toBeLessThan(promotions.length + 0.01)
  return shares
}
