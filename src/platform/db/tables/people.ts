// Rows of migrations/0003_people.sql, 0200_price_lists.sql and 0212_customer_credit.sql, as Kysely sees them.
import type { Generated } from 'kysely'
import type { JsonColumn } from './json.ts'

export type CustomersRow = {
  accountId: string
  id: string
  name: string
  phone: string | null
  phoneKey: string | null
  email: string | null
  note: string | null
  isActive: Generated<boolean>
  pointsBalance: Generated<number>
  totalSpent: Generated<number>
  visitCount: Generated<number>
  lastVisitAt: string | null
  groupIds: Generated<string[]>
  creditLimit: Generated<number>
  creditBalance: Generated<number>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type CustomerGroupsRow = {
  accountId: string
  id: string
  name: string
  createdAt: string
  updatedAt: string
}

export type ShiftsRow = {
  accountId: string
  id: string
  outletId: string
  cashierId: string
  cashierName: string
  status: Generated<'OPEN' | 'CLOSED'>
  openingFloat: number
  countedCash: number | null
  expectedCash: number | null
  difference: number | null
  notes: string | null
  summary: JsonColumn
  openedAt: string
  closedAt: string | null
  closedBy: string | null
  closeRequest: string | null
  openBills: number | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type CashMovementsRow = {
  accountId: string
  id: string
  shiftId: string
  type: 'PAID_IN' | 'PAID_OUT'
  amount: number
  reason: string | null
  category: string | null
  actorId: string
  approvedBy: string | null
  createdAt: string
  updatedAt: string
}

export type FloorsRow = {
  accountId: string
  id: string
  outletId: string
  name: string
  sortOrder: Generated<number>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type DiningTablesRow = {
  accountId: string
  id: string
  outletId: string
  floorId: string
  label: string
  labelKey: string
  zone: string | null
  seats: number | null
  sortOrder: Generated<number>
  posX: Generated<number>
  posY: Generated<number>
  shape: Generated<'SQUARE' | 'ROUND' | 'RECT'>
  width: Generated<number>
  height: Generated<number>
  isActive: Generated<boolean>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type SuppliersRow = {
  accountId: string
  id: string
  name: string
  contact: string | null
  phone: string | null
  email: string | null
  address: string | null
  note: string | null
  isActive: Generated<boolean>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type PeopleTables = {
  customers: CustomersRow
  customerGroups: CustomerGroupsRow
  shifts: ShiftsRow
  cashMovements: CashMovementsRow
  floors: FloorsRow
  diningTables: DiningTablesRow
  suppliers: SuppliersRow
}
