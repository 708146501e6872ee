import { idWith } from '../kit/ids.ts'

const PREFIX = {
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
} as const

export const newId = (kind: keyof typeof PREFIX) => idWith(PREFIX[kind])
