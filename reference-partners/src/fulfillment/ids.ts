import { idWith } from '../kit/ids.ts'

const PREFIX = {
  shipment: 'shp',
  creditEntry: 'cre',
  topup: 'ctu',
  warehouse: 'whs',
  product: 'prd',
  level: 'slv',
  movement: 'smv',
  license: 'lic',
} as const

export const newId = (kind: keyof typeof PREFIX) => idWith(PREFIX[kind])
