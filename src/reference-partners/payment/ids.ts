import { newUlid } from '../../core/ids.ts'

/** Every id of the partner is this prefix, an underscore and an upper-case ULID. */
const PREFIX = {
  workspace: 'wsp',
  session: 'cks',
  customer: 'cus',
  plan: 'pln',
  price: 'prc',
  subscription: 'sub',
  invoice: 'inv',
  payout: 'pyo',
  mail: 'mal',
  giftCard: 'gft',
  giftCardEntry: 'gce',
  payment: 'pmt',
  receipt: 'rct',
  transfer: 'led',
  notice: 'ntc',
} as const

export const newId = (kind: keyof typeof PREFIX) => `${PREFIX[kind]}_${newUlid()}`
