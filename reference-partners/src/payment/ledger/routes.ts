import { IdParams, notFound, pageByKey, Words } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { type Column, sendCsv } from '../../kit/csv.ts'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { boundsOf } from '../../kit/window.ts'
import { CURRENCIES } from '../sessions/rules.ts'
import { LedgerBalance, LedgerEntry, LedgerFilter, LedgerQuery } from './schema.ts'
import { balancesOf, findEntry, listEntries } from './store.ts'

const COLUMNS: readonly Column<LedgerEntry>[] = [
  ['id', (entry) => entry.id],
  ['createdAt', (entry) => entry.createdAt],
  ['type', (entry) => entry.type],
  ['currency', (entry) => entry.currency],
  ['amount', (entry) => entry.amount],
  ['balanceAfter', (entry) => entry.balanceAfter],
  ['sourceId', (entry) => entry.sourceId],
]

export const ledgerRoutes = [
  route({
    name: 'ledger.entries',
    method: 'GET',
    path: '/ledger/entries',
    tag: 'ledger',
    summary: 'List the entries of the balance, newest first',
    query: LedgerQuery,
    access: 'read',
    page: true,
    returns: LedgerEntry,
    handle: async ({ db, caller, query: { limit, cursor, from, to, ...filter } }) => {
      const after = afterOf(cursor, 'led')
      const asked = { ...filter, ...boundsOf({ from, to }), after, limit: limit + 1 }
      return pageByKey(await listEntries(db, caller.workspaceId, asked), limit, cursorOf)
    },
  }),
  route({
    name: 'ledger.export',
    method: 'GET',
    path: '/ledger/entries.csv',
    tag: 'ledger',
    summary: 'The same list, whole, as CSV',
    query: LedgerFilter,
    access: 'file',
    produces: 'text/csv',
    handle: async ({ db, caller, reply, query: { from, to, ...filter } }) => {
      const bounds = boundsOf({ from, to })
      return sendCsv(reply, {
        name: 'ledger',
        columns: COLUMNS,
        read: (after, limit) => listEntries(db, caller.workspaceId, { ...filter, ...bounds, after, limit }),
      })
    },
  }),
  route({
    name: 'ledger.entry',
    method: 'GET',
    path: '/ledger/entries/{id}',
    tag: 'ledger',
    summary: 'One entry',
    params: IdParams,
    access: 'read',
    returns: LedgerEntry,
    handle: async ({ db, caller, params }) => {
      const entry = await findEntry(db, caller.workspaceId, params.id)
      if (!entry) throw notFound('ledger entry')
      return entry
    },
  }),
  route({
    name: 'ledger.balance',
    method: 'GET',
    path: '/ledger/balance',
    tag: 'ledger',
    summary: 'The balance, and the accounts it is booked against',
    query: Type.Object({ currency: Type.Optional(Words(CURRENCIES, { default: 'IDR' })) }),
    access: 'read',
    returns: LedgerBalance,
    handle: async ({ db, caller, query: { currency = 'IDR' } }) => {
      const accounts = await balancesOf(db, caller.workspaceId, currency)
      return { currency, balance: accounts.balance, accounts }
    },
  }),
]
