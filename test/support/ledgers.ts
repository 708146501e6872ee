import type { Db } from '../../src/platform/db/open.ts'
import { assertInvariants } from './invariants.ts'

/** Holds after every operation on cards, points and shifts. */
export const assertLedgerInvariants = (db: Db) => assertInvariants(db, ['cards', 'points', 'shifts'])

/** Holds where customers only ever bought through sales that are in the database. */
export const assertCustomerTotals = (db: Db) => assertInvariants(db, ['customers'])
