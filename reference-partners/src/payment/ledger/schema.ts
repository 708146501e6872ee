import { Instant, PageQuery, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { WindowQuery } from '../../kit/window.ts'
import { CURRENCIES } from '../sessions/rules.ts'

/** The types of entries that change a merchant's balance. */
const ENTRY_TYPES = ['payment', 'fee', 'payout', 'payout_failure', 'payout_cancellation'] as const

export const LedgerEntry = Type.Object(
  {
    id: Type.String(),
    type: Words(ENTRY_TYPES),
    amount: Type.Integer({ description: 'Signed: above zero adds to the balance' }),
    currency: Words(CURRENCIES),
    balanceAfter: Type.Integer(),
    sourceId: Type.String({ description: 'The payment or payout that it is about' }),
    contraAccount: Words(['clearing', 'fees', 'payouts'], {
      description: 'The account of the opposite entry',
    }),
    createdAt: Instant,
  },
  { title: 'LedgerEntry' },
)
export type LedgerEntry = Static<typeof LedgerEntry>

const FILTERS = {
  ...WindowQuery,
  type: Type.Optional(Words(ENTRY_TYPES)),
  currency: Type.Optional(Words(CURRENCIES)),
}
export const LedgerQuery = Type.Object({ ...PageQuery, ...FILTERS })
export const LedgerFilter = Type.Object(FILTERS)

const Balance = Type.Integer()
export const LedgerBalance = Type.Object(
  {
    currency: Words(CURRENCIES),
    balance: Type.Integer({ description: 'What the partner owes the merchant' }),
    accounts: Type.Object(
      { clearing: Balance, balance: Balance, fees: Balance, payouts: Balance },
      { description: 'They add up to zero' },
    ),
  },
  { title: 'LedgerBalance' },
)
