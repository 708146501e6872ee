import type { Db } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Ledger } from '../customers/index.ts'
import type { CreditEntry } from './schema.ts'

/** The ledger of what customers owe. */
export const creditLedger = (db: Db, scope: Scope): Ledger<CreditEntry> => ({
  balance: 'creditBalance',
  entries: ownRows(db, scope, 'customerCreditEntries').select([
    'id',
    'customerId',
    'type',
    'amount',
    'open',
    'balanceAfter',
    'dueDate',
    'saleId',
    'paymentId',
    'refundId',
    'outletId',
    'shiftId',
    'method',
    'actorId',
    'approvedBy',
    'createdAt',
    'updatedAt',
  ]),
})
