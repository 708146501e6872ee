import type { Mutant } from './mutant.ts'

const tills = 'src/platform/auth/statements-tills.ts'
const pins = ['test/areas/workspace/tills.test.ts']
const approvals = ['test/areas/workspace/approvals.test.ts']
const offline = ['test/areas/selling/sales/offline.test.ts']

/** What a PIN opens, what an approval is good for, and whose offline sales a till may send. */
export const people: readonly Mutant[] = [
  {
    file: 'src/platform/auth/pins.ts',
    breaks: 'a member has six guesses at a till',
    from: "{ max: 5, what: 'wrong PINs' }",
    to: "{ max: 6, what: 'wrong PINs' }",
    tests: pins,
  },
  {
    file: tills,
    breaks: 'a PIN that was changed meanwhile opens a session',
    from: 'await named(tx, HOLD_MEMBER, [accountId, memberId])\n  const [row] = await named<PinHolder>(tx, FIND_HOLDER, [accountId, memberId, pinHash])',
    to: 'const [row] = await named<PinHolder>(tx, FIND_HOLDER, [accountId, memberId, pinHash])\n  await named(tx, HOLD_MEMBER, [accountId, memberId])',
    tests: pins,
  },
  {
    file: 'src/areas/workspace/tills/service.ts',
    breaks: 'the live stream of a revoked till goes on for half a minute',
    from: '  touchAccess(scope)\n  return till',
    to: '  return till',
    tests: pins,
  },
  {
    file: tills,
    breaks: 'an approval works after its two minutes',
    from: ' and a.action = $5 and a.expires_at > $6',
    to: ' and a.action = $5 and $6::timestamptz is not null',
    tests: approvals,
  },
  {
    file: tills,
    breaks: 'an approval of one record fits another',
    from: 'and (a.subject_id is null or a.subject_id = $7)',
    to: 'and (a.subject_id is null or $7::text is not null)',
    tests: approvals,
  },
  {
    file: 'src/areas/workspace/members/service.ts',
    breaks: 'an approval comes back with the role of its member',
    from: 'if (role !== undefined && role !== before.role) await deleteApprovalsBy',
    to: 'if (role === before.role) await deleteApprovalsBy',
    tests: approvals,
  },
  {
    file: 'src/areas/selling/sales/steps/sell-offline.ts',
    breaks: 'a till sends the sales of a member who has long left it',
    from: 'const USED_PIN_MS = 30 * ',
    to: 'const USED_PIN_MS = 300 * ',
    tests: offline,
  },
  {
    file: 'src/areas/insight/reports/statements-facts.ts',
    breaks: 'the margin misses the cost of a sale whose till was ahead',
    from: 'select f.is_offline or substr',
    to: 'select substr',
    tests: offline,
  },
]
