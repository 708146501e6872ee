import type { Mutant } from './mutant.ts'

const BOOKS = ['test/sim/shop-days.test.ts', 'test/weeks']

const edit = (file: string, breaks: string, from: string, to: string): Mutant => ({
  file,
  breaks: `the books of a shop: ${breaks}`,
  from,
  to,
  tests: BOOKS,
})

/** What the books of an owner (test/support/owner-book) notice by themselves: the other tests of these rules do not run. */
export const shops: readonly Mutant[] = [
  edit(
    'src/core/promotions.ts',
    'an incomplete group has free units',
    'const groups = Math.floor(units / (buy + get))',
    'const groups = Math.ceil(units / (buy + get))',
  ),
  edit(
    'src/core/promotions.ts',
    'the dearest units of a group are free',
    'const row = lines.toSorted(byUnitValue)',
    'const row = lines.toSorted((one, other) => byUnitValue(other, one))',
  ),
  edit(
    'src/core/promotions.ts',
    'a bundle that saves nothing takes one rupiah off',
    '- mul(price, times)\n',
    '- mul(price, times) + 1\n',
  ),
  edit(
    'src/core/promotions.ts',
    'a percentage is rounded down',
    'shared(lines, mulDivHalfUp(worthOf(lines), promotion.percentBps ?? 0, 10_000))',
    'shared(lines, mulDivFloor(worthOf(lines), promotion.percentBps ?? 0, 10_000))',
  ),
  edit(
    'src/core/prices.ts',
    'a price list rounds its prices to single rupiah',
    'const step = roundTo ?? 1',
    'const step = roundTo === null ? 1 : 1',
  ),
  edit(
    'src/core/conditions.ts',
    'a condition on the channel is ignored',
    'if (channel === null) return false',
    'if (channel === null) return true',
  ),
  edit('src/core/packs.ts', 'a pack takes one unit from the shelf', 'pack?.factor ?? 1)', 'pack ? 1 : 1)'),
  edit(
    'src/core/weights.ts',
    'a gram too much is charged',
    'mulDivHalfUp(grams, perKilogram, GRAMS_PER_KILOGRAM)',
    'mulDivHalfUp(grams + 1, perKilogram, GRAMS_PER_KILOGRAM)',
  ),
  edit(
    'src/core/cash-rounding.ts',
    'cash is rounded down',
    "if (mode === 'NEAREST') return",
    "if (mode !== 'NEAREST') return",
  ),
  edit(
    'src/core/sale-totals.ts',
    'the price of a scale label is ignored',
    'return item.labelPrice ?? amountOfWeight',
    'return amountOfWeight',
  ),
  edit(
    'src/core/sale-totals.ts',
    'an item is taxed at the rate of the outlet whatever its product says',
    'const rateBps = item.taxRateBps ?? taxRateBps',
    'const rateBps = taxRateBps',
  ),
  edit(
    'src/areas/selling/customer-credit/statements.ts',
    'a payment on credit pays the newest charge first',
    'and customer_id = $2 and open > 0 order by id for no key update',
    'and customer_id = $2 and open > 0 order by id desc for no key update',
  ),
  edit(
    'src/areas/selling/shifts/rules.ts',
    'cash that is paid out stays in the expected cash of a shift',
    '+ rounding + paidIn - paidOut + debtsInCash',
    '+ rounding + paidIn + debtsInCash',
  ),
]
