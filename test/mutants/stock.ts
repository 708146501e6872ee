import type { Mutant } from './mutant.ts'

const inventory = 'src/areas/stock/inventory'
const tests = 'test/areas/stock/inventory'

/** Stock: what leaves first, what comes back, what it cost, what was ordered; the kitchen. */
export const stock: readonly Mutant[] = [
  {
    file: `${inventory}/rules/fefo.ts`,
    breaks: 'goods are unsellable on the day of their date',
    from: 'batch.expiryDate < today',
    to: 'batch.expiryDate <= today',
    tests: [`${tests}/fefo.test.ts`],
  },
  {
    file: `${inventory}/rules/fefo.ts`,
    breaks: 'of two batches with one date the younger leaves first',
    from: 'compare(a.createdAt.valueOf(), b.createdAt.valueOf())',
    to: 'compare(b.createdAt.valueOf(), a.createdAt.valueOf())',
    tests: [`${tests}/fefo.test.ts`],
  },
  {
    file: `${inventory}/rules/fefo.ts`,
    breaks: 'of two batches of one date and age the higher id leaves first',
    from: '|| compare(a.id, b.id)',
    to: '|| compare(b.id, a.id)',
    tests: [`${tests}/fefo.test.ts`],
  },
  {
    file: `${inventory}/rules/fefo.ts`,
    breaks: 'undated goods leave before dated ones',
    from: 'if (a.expiryDate === null) return 1',
    to: 'if (a.expiryDate === null) return -1',
    tests: [`${tests}/fefo.test.ts`],
  },
  {
    file: `${inventory}/rules/fefo.ts`,
    breaks: 'a transfer takes expired goods first',
    from: "if (mode === 'sale') return [...fresh, unbatched]",
    to: "if (mode === 'transfer') return [...asParts(inOrder), unbatched]\n  if (mode === 'sale') return [...fresh, unbatched]",
    tests: [`${tests}/fefo.test.ts`, `${tests}/transfer.test.ts`],
  },
  {
    file: `${inventory}/rules/fefo.ts`,
    breaks: 'a return begins with the batch that was used first',
    from: 'slice(parts.toReversed(), alreadyReturnedQty, qty)',
    to: 'slice(parts, alreadyReturnedQty, qty)',
    tests: [`${tests}/fefo.test.ts`],
  },
  {
    file: `${inventory}/stock.ts`,
    breaks: 'a level that stays under its reorder point is announced again',
    from: 'before > reorderPoint && after <= reorderPoint',
    to: 'after <= reorderPoint',
    tests: [`${tests}/inventory.test.ts`, 'test/races/stock.test.ts'],
  },
  {
    file: `${inventory}/stock.ts`,
    breaks: 'a level that comes to exactly its reorder point is not announced',
    from: 'before > reorderPoint && after <= reorderPoint',
    to: 'before > reorderPoint && after < reorderPoint',
    tests: [`${tests}/inventory.test.ts`],
  },
  {
    file: `${inventory}/receive.ts`,
    breaks: 'a batch that is refilled forgets what its goods cost',
    from: 'onHand: batch?.remainingQty ?? 0, cost: batch?.cost ?? 0',
    to: 'onHand: 0, cost: batch?.cost ?? 0',
    tests: [`${tests}/batches.test.ts`],
  },
  {
    file: 'src/areas/stock/purchase-orders/rules.ts',
    breaks: 'two rows of one line together receive more than was ordered',
    from: 'outstanding.set(line.id, left)',
    to: 'outstanding.set(line.id, line.qty - line.receivedQty)',
    tests: ['test/areas/stock/purchase-orders.test.ts'],
  },
  {
    file: 'src/areas/stock/purchase-orders/rules.ts',
    breaks: 'a cancelled order can be received',
    from: "receive: ['ORDERED', 'PARTIALLY_RECEIVED'],",
    to: "receive: ['ORDERED', 'PARTIALLY_RECEIVED', 'CANCELLED'],",
    tests: ['test/areas/stock/purchase-orders.test.ts'],
  },
  {
    file: 'src/areas/selling/sales/steps/return-stock.ts',
    breaks: 'a void returns what was restocked before',
    from: 'returnToBatches(parts, before * quantity, units * quantity)',
    to: 'returnToBatches(parts, 0, units * quantity)',
    tests: ['test/areas/selling/sales/goods.test.ts', 'test/areas/selling/sales/refund.test.ts'],
  },
  {
    file: 'src/areas/selling/sales/steps/return-stock.ts',
    breaks: 'a refund of packs brings back as many units as packs',
    from: 'const units = itemUnits(item, qty)',
    to: 'const units = qty',
    tests: ['test/areas/catalogue/products/packs.test.ts'],
  },
  {
    file: 'src/core/packs.ts',
    breaks: 'the money of a delivery loses its remainder',
    from: '    { qty: dearer, cost: cost + 1 },',
    to: '    { qty: dearer, cost },',
    tests: ['test/core/packs.test.ts'],
  },
  {
    file: 'src/areas/selling/sales/steps/take-stock.ts',
    breaks: 'stock falls although the workspace forbids it to fall below zero',
    from: "if (taken.mustRefuse || context.negativeStock === 'BLOCK')",
    to: 'if (taken.mustRefuse)',
    tests: ['test/areas/selling/sales/create-effects.test.ts', 'test/areas/selling/sales/goods.test.ts'],
  },
  {
    file: 'src/areas/dining/kitchen/rules.ts',
    breaks: 'a ticket shows its most advanced item',
    from: 'KITCHEN_STATES.find((state) => states.has(state))',
    to: 'KITCHEN_STATES.findLast((state) => states.has(state))',
    tests: ['test/areas/dining/kitchen/rules.test.ts'],
  },
  {
    file: 'src/areas/dining/kitchen/rules.ts',
    breaks: 'cancelled items keep a ticket on the board',
    from: 'const states = new Set(items.filter((item) => item.isActive)',
    to: 'const states = new Set(items.filter(() => true)',
    tests: ['test/areas/dining/kitchen/rules.test.ts'],
  },
  {
    file: 'src/areas/dining/kitchen/service.ts',
    breaks: 'a ticket that was ready already is announced again',
    from: "before !== 'READY' && ticketState(sale.items) === 'READY'",
    to: "ticketState(sale.items) === 'READY'",
    tests: ['test/areas/dining/kitchen/kitchen.test.ts', 'test/areas/selling/sales/edit-kitchen.test.ts'],
  },
]
