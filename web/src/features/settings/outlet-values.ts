import type { Outlet, OutletUpdate } from 'kasir-client'

/** What the editor of an outlet changes; cash rounding is two fields here. */
export type OutletForm = Pick<
  Outlet,
  | 'name'
  | 'address'
  | 'phone'
  | 'timezone'
  | 'taxRateBps'
  | 'taxInclusive'
  | 'taxLabel'
  | 'serviceChargeBps'
  | 'serviceChargeOrderTypes'
  | 'serviceChargeBase'
  | 'serviceChargeTaxable'
  | 'receiptHeader'
  | 'receiptFooter'
  | 'isActive'
> & { roundingStep: string; roundingMode: Outlet['cashRounding']['mode'] }

export const NEW_OUTLET: OutletForm = {
  name: '',
  address: null,
  phone: null,
  timezone: 'Asia/Jakarta',
  taxRateBps: 0,
  taxInclusive: false,
  taxLabel: 'PPN',
  serviceChargeBps: 0,
  serviceChargeOrderTypes: ['DINE_IN'],
  serviceChargeBase: 'AFTER_DISCOUNT',
  serviceChargeTaxable: true,
  receiptHeader: null,
  receiptFooter: null,
  isActive: true,
  roundingStep: '0',
  roundingMode: 'NEAREST',
}

const FIELDS = Object.keys(NEW_OUTLET).filter((key) => !key.startsWith('rounding')) as (keyof Outlet)[]

export const toOutletForm = (outlet: Outlet): OutletForm => ({
  ...(Object.fromEntries(FIELDS.map((key) => [key, outlet[key]])) as OutletForm),
  roundingStep: String(outlet.cashRounding.step),
  roundingMode: outlet.cashRounding.mode,
})

type CashRounding = Outlet['cashRounding']

export const roundingOf = ({ roundingStep, roundingMode }: OutletForm): CashRounding => ({
  step: Number(roundingStep) as CashRounding['step'],
  mode: roundingMode,
})

export function outletBody(values: OutletForm, changes: Partial<OutletForm>): OutletUpdate {
  const { roundingStep, roundingMode, ...rest } = changes
  const isRounding = roundingStep !== undefined || roundingMode !== undefined
  return { ...rest, ...(isRounding && { cashRounding: roundingOf(values) }) }
}
