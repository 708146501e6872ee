import type { Mutant } from './mutant.ts'

const sales = 'src/areas/selling/sales'
const races = (...names: string[]) => names.map((name) => `test/races/${name}.test.ts`)

/** Locks: their order, and the waits that keep two tills from two truths. A retry must not hide a circle. */
export const locks: readonly Mutant[] = [
  {
    file: 'src/areas/selling/gift-cards/store.ts',
    breaks: 'the cards of one request are locked in the order they were named in',
    from: ".where('codeKey', 'in', codes.map(codeKeyOf))\n    .orderBy('id')\n    .forUpdate()",
    to: ".where('codeKey', 'in', codes.map(codeKeyOf))",
    tests: races('gift-cards'),
  },
  {
    file: `${sales}/steps/charge-cards.ts`,
    breaks: 'the cards of one request are debited without their locks',
    from: 'if (cards.length > 1)',
    to: 'if (cards.length > 99)',
    tests: races('gift-cards'),
  },
  {
    file: `${sales}/verbs/refund-sale.ts`,
    breaks: 'a refund credits its cards in any order',
    from: '(a.giftCardId < b.giftCardId ? -1 : 1)',
    to: '(a.giftCardId < b.giftCardId ? 1 : -1)',
    tests: races('gift-cards', 'sales'),
  },
  {
    file: `${sales}/steps/reverse-sale.ts`,
    breaks: 'a void credits its cards in any order',
    from: "((a.giftCardId ?? '') < (b.giftCardId ?? '') ? -1 : 1)",
    to: "((a.giftCardId ?? '') < (b.giftCardId ?? '') ? 1 : -1)",
    tests: races('gift-cards', 'sales'),
  },
  {
    file: `${sales}/sale/load.ts`,
    breaks: 'a merge locks the bill of its address first',
    from: 'other.id < id ? await lockOther() : null',
    to: 'other.id < id ? null : null',
    tests: races('sales'),
  },
  {
    file: `${sales}/store/read.ts`,
    breaks: 'a bill is changed without its lock',
    from: "'select id from sales where account_id = $1 and id = $2 for update'",
    to: "'select id from sales where account_id = $1 and id = $2'",
    tests: races('sales'),
  },
  {
    file: 'src/areas/dining/kitchen/statements.ts',
    breaks: 'the tickets of a table are locked newest first',
    from: 'and kitchen_open order by id for update',
    to: 'and kitchen_open order by id desc for update',
    tests: ['test/races/kitchen.test.ts'],
  },
  {
    file: 'src/areas/dining/kitchen/store.ts',
    breaks: 'two steps of one ticket interleave',
    from: ".where('id', '=', id).forUpdate()",
    to: ".where('id', '=', id)",
    tests: ['test/races/kitchen.test.ts', 'test/areas/dining/kitchen'],
  },
  {
    file: 'src/areas/stock/inventory/stock.ts',
    breaks: 'levels that do not exist yet are made in the order they were sent in',
    from: 'const wanted = [...new Set(variantIds)].sort()',
    to: 'const wanted = [...new Set(variantIds)]',
    tests: races('stock'),
  },
  {
    file: 'src/areas/stock/inventory/statements-moves.ts',
    breaks: 'a level is read without its lock before it is taken from',
    from: 'and variant_id = any($3::text[]) order by variant_id for update`',
    to: 'and variant_id = any($3::text[]) order by variant_id`',
    tests: races('stock', 'sales'),
  },
  {
    file: 'src/areas/stock/inventory/transfer.ts',
    breaks: 'a transfer locks where the goods come from first',
    from: '[from.id, to.id].sort()',
    to: '[from.id, to.id]',
    tests: races('stock'),
  },
  {
    file: 'src/areas/selling/shifts/statements.ts',
    breaks: 'a payment does not hold the shift it is booked to',
    from: 'order by id for share`',
    to: 'order by id`',
    tests: races('shifts', 'sales'),
  },
  {
    file: 'src/platform/limits.ts',
    breaks: 'two writers both take the last place of a plan',
    from: '\n    .forNoKeyUpdate()',
    to: '',
    tests: ['test/areas/catalogue/products/plan.test.ts'],
  },
  {
    file: `${sales}/store/create.ts`,
    breaks: 'a plain sale takes the receipt counter before its levels',
    from: 'from (select count(*) from lv) taken, good g left join',
    to: 'from good g left join',
    tests: races('sales', 'order'),
  },
  {
    file: `${sales}/store/create.ts`,
    breaks: 'a plain sale does not see that its goods changed meanwhile',
    from: 'goodsHold: `${GOODS_STATES} <@ array(${STATES})',
    to: 'goodsHold: `${GOODS_STATES} is not null',
    tests: races('order', 'together'),
  },
  {
    file: `${sales}/store/proof.ts`,
    breaks: 'a plain sale does not prove the API key it was sent with',
    from: 'k.revoked_at is null from api_keys',
    to: 'true from api_keys',
    tests: races('together'),
  },
  {
    file: `${sales}/store/create-steps.ts`,
    breaks: 'a sale in steps proves nothing but its goods',
    from: 'held.every(({ holds }) => holds === true)',
    to: 'held.length > 0',
    tests: races('known-in-steps'),
  },
  {
    file: `${sales}/store/create.ts`,
    breaks: 'sales that travel together take levels in the order they came',
    from: 'group by m.outlet_id, m.variant_id order by m.outlet_id, m.variant_id`',
    to: 'group by m.outlet_id, m.variant_id order by min(m.n)`',
    tests: races('together', 'sales'),
  },
]
