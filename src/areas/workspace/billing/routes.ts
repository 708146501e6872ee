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
    summary: 'Read the plan of the workspace and the list of plans',
    description: '`effectiveTier` is the plan whose limits apply now.',
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
    summary: 'List all plans with prices and features (public)',
    description: 'Needs no credential, so that a public page can show the prices.',
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
      'The plan changes when the partner reports the payment. A payment for the current plan extends it. A higher plan begins immediately, a lower one after the higher one has ended. The free plan is 422; cancel the paid plan instead.',
    access: 'partner',
    delegation: 'books',
    role: 'OWNER',
    status: 201,
    body: CheckoutIn,
    returns: Checkout,
    handle: ({ deps, scope, partner, body, headers }) => {
      const country = headers[deps.config.countryHeader]
      return checkout({ deps, scope, partner }, body, typeof country === 'string' ? country : undefined)
    },
  }),
  route({
    name: 'billing.cancel',
    method: 'POST',
    path: '/billing/cancel',
    area,
    summary: 'Cancel the paid plan at the end of its period',
    description: 'The plan stays active until then.',
    access: 'write',
    delegation: 'books',
    role: 'OWNER',
    returns: Billing,
    handle: ({ tx, scope }) => cancel(tx, scope),
  }),
]
