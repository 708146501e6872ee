import type { Tx } from '../../../platform/db/open.ts'
import { rewriteBodies } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { ERASED } from './rules.ts'
import * as statements from './statements-events.ts'
import * as store from './store-events.ts'

/** Sales whose events are held in memory at once. */
const PORTION = 500

type Person = { id: string; name: string; phone: string | null }
type Body = { data: { customer?: Person; sale?: { customer?: Person | null } } }

/**
 * Takes the personal data out of what was announced of the customer and of their sales; what happened, when, and for
 * how much is kept (B-customer-2). Sales that no longer name the customer keep what they announced while they did.
 */
export async function eraseFromEvents(tx: Tx, scope: Scope, customerId: string): Promise<void> {
  const { name, phone, email, note } = ERASED
  const own = await statements.listOwnEvents(tx, scope, customerId)
  await rewrite(tx, scope, own, ({ data }) => {
    if (data.customer) Object.assign(data.customer, { name, phone, email, note })
  })
  for (let after = ''; ; ) {
    const saleIds = await store.listSales(tx, scope, customerId, { after, limit: PORTION })
    after = saleIds.at(-1) ?? ''
    if (after === '') return
    await rewrite(tx, scope, await statements.listSaleEvents(tx, scope, saleIds), ({ data }) => {
      const customer = data.sale?.customer
      if (customer?.id === customerId) Object.assign(customer, { name, phone })
    })
  }
}

const rewrite = (
  tx: Tx,
  scope: Scope,
  events: readonly { id: string; body: string }[],
  erase: (body: Body) => void,
) =>
  rewriteBodies(
    tx,
    scope,
    events.map(({ id, body }) => {
      const parsed = JSON.parse(body) as Body
      erase(parsed)
      return { id, body: JSON.stringify(parsed) }
    }),
  )
