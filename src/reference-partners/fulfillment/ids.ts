import { idWith } from '../kit/ids.ts'

const PREFIX = {
  shipment: 'shp',
  creditEntry: 'cre',
  topup: 'ctu',
} as const

export const newId = (kind: keyof typeof PREFIX) => idWith(PREFIX[kind])
