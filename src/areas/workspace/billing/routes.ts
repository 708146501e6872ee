import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Billing, Checkout, CheckoutIn, PlanTier } from './schema.ts'
import { cancel, checkout, getBilling, plans } from './service.ts'

const area = 'billing'

export const billingRoutes = [
  route({
    name: 'billing.get',
    method: 'GET',
    path: '/billing',
    area,
    summary: 'The plan of the workspace, what holds right now, and every plan',
    access: 'read',
    delegation: 'read',
    role: 'OWNER',
    returns: Billing,
    handle: ({ db, scope }) => getBilling(db, scope),
  }),
  route({
    name: 'billing.listTiers',
    method: 'GET',
    path: '/billing/tiers',
    area,
    summary: 'Every plan, its price and what it includes; open to everybody',
    access: 'open',
    auth: 'none',
    delegation: 'none',
    returns: Type.Object({ tiers: Type.Array(PlanTier) }),
    handle: async () => ({ tiers: plans() }),
  }),
  route({
    name: 'billing.checkout',
    method: 'POST',
    path: '/billing/checkout',
    area,
    summary: 'Open a page of the payment partner where a plan is paid for 30 days',
    description:
      'Nothing changes until the partner reports the payment. The plan of a workspace that has it already is extended; another one begins at once. 422 for the free plan: cancel instead.',
    access: 'partner',
    delegation: 'books',
    role: 'OWNER',
    status: 201,
    body: CheckoutIn,
    returns: Checkout,
    handle: async ({ deps, scope, partner, body, headers }) => {
      const country = headers[deps.config.countryHeader]
      const opened = await checkout(
        { deps, scope, partner },
        body,
        typeof country === 'string' ? country : undefined,
      )
      return async () => opened
    },
  }),
  route({
    name: 'billing.cancel',
    method: 'POST',
    path: '/billing/cancel',
    area,
    summary: 'Leave the paid plan at the end of the period that is paid for',
    access: 'write',
    delegation: 'books',
    role: 'OWNER',
    returns: Billing,
    handle: ({ tx, scope }) => cancel(tx, scope),
  }),
]
