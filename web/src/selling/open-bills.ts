import { type SaleRow, salesList } from 'kasir-client'
import { callAll } from '../app/service.ts'

const MOST_IN_PAGE = 100

/** The open bills of an outlet, the newest first. */
export const readOpenBills = (outletId: string): Promise<SaleRow[]> =>
  callAll<SaleRow>(salesList, { outletId, status: 'PARKED', limit: MOST_IN_PAGE })
