import type { Mutant } from './mutant.ts'

const csv = 'src/areas/catalogue/products/csv'
const csvTests = ['test/areas/catalogue/products/csv.test.ts']
const sales = 'src/areas/selling/sales'
const facts = 'src/areas/insight/reports/statements-facts.ts'
const figures = 'src/areas/selling/shifts/statements-figures.ts'
const feeds = 'src/areas/marketing/feeds/statements.ts'
const together = ['test/races/together.test.ts']
const bills = ['test/races/bills.test.ts']
const reports = ['test/areas/insight/report-rollups.test.ts']
const shifts = ['test/growth/shifts.test.ts']
const storefront = ['test/areas/marketing/storefront.test.ts']

/** Promises that no test held once: what a payment proves, what reports count, what an import may write, what feeds offer. */
export const promises: readonly Mutant[] = [
  {
    file: `${sales}/store/texts.ts`,
    breaks: 'a payment at once is booked to a shift that was closed meanwhile',
    from: "and h.status = 'OPEN' for share) h`",
    to: 'for share) h`',
    tests: together,
  },
  {
    file: `${sales}/store/proof.ts`,
    breaks: 'a payment at once sells below zero though that was forbidden meanwhile',
    from: "${seen('policy_seen')} = coalesce((",
    to: "${seen('policy_seen')} is not null or '' = coalesce((",
    tests: [...together, ...bills],
  },
  {
    file: `${sales}/store/texts.ts`,
    breaks: 'a payment overwrites a bill that another process has changed',
    from: ' and s.xmin::text = a.sale_seen${lock}',
    to: '${lock}',
    tests: bills,
  },
  {
    file: `${sales}/steps/pay-at-once.ts`,
    breaks: 'a payment from the cache shows the outlet as it was',
    from: 'outlet: shop.outlet?.seen ?? null',
    to: 'outlet: null',
    tests: bills,
  },
  {
    file: `${sales}/decide/plain-payment.ts`,
    breaks: 'a bill completes in its own shift though that was closed meanwhile',
    from: 'new Set([booking, completes ? shiftId : null])',
    to: 'new Set([booking])',
    tests: together,
  },
  {
    file: facts,
    breaks: 'a refund of untracked goods leaves the revenue without cost as it was',
    from: 'else -f.sign * (l.amount - l.tax - l.service) end,',
    to: 'else 0 end,',
    tests: reports,
  },
  {
    file: facts,
    breaks: 'money that was not applied counts as a payment',
    from: "and v.status = 'PAID' and v.applied offset 0",
    to: "and v.status = 'PAID' offset 0",
    tests: reports,
  },
  {
    file: facts,
    breaks: 'a refund takes back the cost of goods that did not return to stock',
    from: "const returned = costs ? costOfItem('l.qty', returnedCost)",
    to: "const returned = costs ? costOfItem('l.qty', unitCost)",
    tests: reports,
  },
  {
    file: facts,
    breaks: 'grams of weighed goods count as units as well',
    from: 'case when i.sold_by is null then f.sign',
    to: 'case when true then f.sign',
    tests: reports,
  },
  {
    file: 'src/areas/insight/reports/rules.ts',
    breaks: 'the last days end with the earliest today of the outlets',
    from: 'const today = todays.at(-1) ??',
    to: 'const today = todays[0] ??',
    tests: reports,
  },
  {
    file: figures,
    breaks: 'a sale that is voided after a cut-off close leaves its figures',
    from: "s.status = 'COMPLETED' or (${VOIDED_LATER}) as is_sold",
    to: "s.status = 'COMPLETED' as is_sold",
    tests: shifts,
  },
  {
    file: figures,
    breaks: 'whether a void came before a close follows from the instants alone',
    from: 'when r.shift_id = h.id then false when r.shift_id is null then true end',
    to: 'when r.shift_id = h.id then null end',
    tests: shifts,
  },
  {
    file: 'src/core/catalogue-file/match.ts',
    breaks: 'a row with a new SKU takes the variant of its name from another SKU',
    from: ' && (!sku || !variant.sku)',
    to: '',
    tests: csvTests,
  },
  {
    file: `${csv}/import.ts`,
    breaks: 'a variant that is added while an import runs is removed',
    from: 'await lockMany(tx, scope, [...new Set(targets.flatMap(({ productId }) => productId ?? []))])',
    to: '[...new Set(targets.flatMap(({ productId }) => productId ?? []))]',
    tests: csvTests,
  },
  {
    file: `${csv}/import.ts`,
    breaks: 'the second group that means one product removes what the first added',
    from: 'known && changed.has(known.id) ? await findMany(tx, scope, [known.id]) : [known]',
    to: '[known]',
    tests: csvTests,
  },
  {
    file: 'src/areas/catalogue/products/service.ts',
    breaks: 'products that are made together count as one towards the cap',
    from: 'countLive: store.countLive, more: live.length }',
    to: 'countLive: store.countLive }',
    tests: csvTests,
  },
  {
    file: 'src/areas/catalogue/products/statements-variants.ts',
    breaks: 'a former component is deleted with the cost of past sales',
    from: 'and m.transaction_id is not null)',
    to: 'and m.purchase_order_id is not null)',
    tests: ['test/areas/catalogue/products/variants.test.ts'],
  },
  {
    file: 'src/areas/selling/sales/steps/take-stock.ts',
    breaks: 'a shortage names the item that takes exactly the rest',
    from: 'return left < 0',
    to: 'return left <= 0',
    tests: ['test/areas/selling/sales/goods.test.ts'],
  },
  {
    file: feeds,
    breaks: 'a feed offers expired batches',
    from: '- ${batches(expired)} end`',
    to: 'end`',
    tests: storefront,
  },
  {
    file: feeds,
    breaks: 'a feed stays as it is when a day begins at one of several outlets',
    from: "string_agg(distinct concat_ws(' ', o.timezone, ${today('$3')}), ' ')",
    to: "string_agg(distinct ${today('$3')}::text, ' ')",
    tests: storefront,
  },
]
