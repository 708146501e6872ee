import type { Mutant } from './mutant.ts'

const billing = ['test/areas/workspace/billing.test.ts']
const payments = ['test/areas/partners/payments.test.ts']
const forwarded = ['test/areas/partners/forwarded.test.ts']
const partnerChange = ['test/areas/partners/payment-partner-change.test.ts']
const delivery = ['test/areas/partners/delivery.test.ts']
const cards = ['test/areas/partners/gift-cards.test.ts']

/** Partners: plans that are paid for, codes that customers pay, the circuit breaker. */
export const partners: readonly Mutant[] = [
  {
    file: 'src/core/plans.ts',
    breaks: 'a late notice replaces the plan that was paid for after it',
    from: '`${a.paidAt} ${a.createdAt}`.localeCompare(`${b.paidAt} ${b.createdAt}`)',
    to: 'a.createdAt.localeCompare(b.createdAt)',
    tests: billing,
  },
  {
    file: 'src/core/plans.ts',
    breaks: 'a lesser plan loses the days by which a better one is extended',
    from: '...lesser.map(later)]',
    to: '...lesser]',
    tests: billing,
  },
  {
    file: 'src/areas/workspace/billing/service.ts',
    breaks: 'a plan is bought for another currency',
    from: 'payment.amount !== opened.amount || payment.currency !== opened.currency',
    to: 'payment.amount !== opened.amount',
    tests: billing,
  },
  {
    file: 'src/areas/workspace/billing/service.ts',
    breaks: 'a cancel inside the days of grace changes nothing',
    from: "row?.status === 'active' && lapseOf(row) > scope.now",
    to: "row?.status === 'active' && row.currentPeriodEnd > scope.now",
    tests: billing,
  },
  {
    file: 'src/areas/workspace/billing/service.ts',
    breaks: 'a plan that has lapsed is canceled',
    from: "row?.status === 'active' && lapseOf(row) > scope.now",
    to: "row?.status === 'active'",
    tests: billing,
  },
  {
    file: 'src/areas/partners/payments/store.ts',
    breaks: 'the job cancels a code in its last minute',
    from: "of('s.expiresAt', '<', addMs(now, -OVERDUE_MS))",
    to: "of('s.expiresAt', '<', addMs(now, OVERDUE_MS))",
    tests: payments,
  },
  {
    file: 'src/areas/partners/payments/store.ts',
    breaks: 'the job cancels a code in the minute after its end',
    from: "of('s.expiresAt', '<', addMs(now, -OVERDUE_MS))",
    to: "of('s.expiresAt', '<', now)",
    tests: payments,
  },
  {
    file: 'src/areas/partners/payments/store.ts',
    breaks: 'a session that failed and is paid afterwards stays failed',
    from: "['pending', 'expired', 'failed']",
    to: "['pending', 'expired']",
    tests: payments,
  },
  {
    file: 'src/platform/partners/client.ts',
    breaks: 'an answer that is too large counts as a failure of the partner',
    from: '[UnreadableRefusal, InvalidContent, OversizedAnswer]',
    to: '[UnreadableRefusal, InvalidContent]',
    tests: forwarded,
  },
  {
    file: 'src/areas/partners/forwarding/row.ts',
    breaks: 'a write with an oversized answer reads as refused',
    from: "isNarrowable: method === 'GET'",
    to: 'isNarrowable: true',
    tests: forwarded,
  },
  {
    file: 'src/areas/selling/gift-cards/moves.ts',
    breaks: 'a movement without an answer is repeated after the partner forgot its key',
    from: 'sentAt === null || msBetween(sentAt, scope.now) < REPEATABLE_MS',
    to: 'sentAt !== undefined',
    tests: cards,
  },
  {
    file: 'src/areas/selling/gift-cards/store-moves.ts',
    breaks: 'a key that is used again after a month finds the movement of the request before',
    from: "    .where('createdAt', '>', addMs(scope.now, -KEY_MS))\n",
    to: '',
    tests: cards,
  },
  {
    file: 'src/areas/workspace/billing/checks.ts',
    breaks: 'an unpaid checkout is asked about in every run',
    from: 'nextCheck(createdAt, scope.now)',
    to: 'scope.now',
    tests: billing,
  },
  {
    file: 'src/areas/workspace/billing/service.ts',
    breaks: 'a checkout whose payment was reported is still asked about',
    from: '  await store.setCheck(tx, scope, opened.sessionId, null)\n',
    to: '',
    tests: billing,
  },
  {
    file: 'src/areas/partners/delivery/kasir.ts',
    breaks: 'a caller without a key is told to repeat a shipment without a sale, and creates two',
    from: 'isRepeatable: saleId !== null,',
    to: 'isRepeatable: true,',
    tests: delivery,
  },
  {
    file: 'src/areas/partners/payments/sessions.ts',
    breaks: 'the 404 of another partner fails a payment that the customer can still make',
    from: '  if (isElsewhere(means, row)) return\n',
    to: '',
    tests: partnerChange,
  },
]
