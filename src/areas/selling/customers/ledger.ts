import { notFound } from '../../../core/errors.ts'
import type { Db } from '../../../platform/db/open.ts'
import { type ListResult, listed, texts } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findLedger, type Ledger } from './store-ledger.ts'

type LedgerPage = { limit?: number; cursor?: string }

/** Lists the entries of a customer, newest first, beside the balance that they come to. Throws 404 for an unknown customer. */
export async function listLedger<E extends { id: string }>(
  db: Db,
  scope: Scope,
  { name, customerId, ...ledger }: { name: string; customerId: string } & Ledger<E>,
  page: LedgerPage,
): Promise<ListResult<E>> {
  // The balance that was read together with the first portion.
  let balance: number | undefined
  const list = await listed<E>(page, {
    name,
    keyOf: (entry) => [entry.id],
    isKey: texts(1),
    read: async ({ after, limit }) => {
      const [before = null] = after ?? []
      const found = await findLedger(db, scope, ledger, { customerId, before, limit })
      if (!found) throw notFound('customer')
      balance ??= found.balance
      return found.entries
    },
  })
  return { ...list, beside: () => ({ balance }) }
}
