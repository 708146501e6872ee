import { invalid, notFound } from '../../core/errors.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Scope } from '../../platform/scope.ts'
import * as store from './store.ts'

export type TableForSale = { id: string; label: string }

/**
 * The table a bill may be put at. 404 when unknown; 422 when it belongs to another outlet or is inactive, unless it is
 * the table the bill already has (`keptId`): a bill never loses its own table (contract 6.2, 6.14).
 */
export async function getTableForSale(
  db: Db,
  scope: Scope,
  tableId: string,
  outletId: string,
  { keptId = null, param = 'tableId' }: { keptId?: string | null; param?: string } = {},
): Promise<TableForSale> {
  const table = await store.find(db, scope, tableId)
  if (!table) throw notFound('table', param)
  if (table.outletId !== outletId) throw invalid(param, `Table ${table.label} belongs to another outlet`)
  if (!table.isActive && table.id !== keptId) {
    throw invalid(param, `Table ${table.label} is inactive; choose another one`)
  }
  return { id: table.id, label: table.label }
}
