import { Type } from 'typebox'
import { ApiError } from '../../../core/errors.ts'
import { route, withStatus } from '../../../platform/http/route.ts'
import { Charge, Overview, PaymentSession, SessionId } from './schema.ts'
import { charge, overview, poll } from './sessions.ts'

const area = 'payments'

export const collectRoutes = [
  route({
    name: 'payments.charge',
    method: 'POST',
    path: '/payments/qris',
    area,
    summary: 'Create a QR code or a virtual account for a payment',
    description:
      'With `transactionId` the payment belongs to an open bill and completes it once the bill is fully paid. While the bill has a valid code, the answer is 200 with that code. With `amount` the payment belongs to no bill.',
    access: 'partner',
    module: 'payment',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    document: { alsoAnswers: [200] },
    body: Charge,
    returns: PaymentSession,
    handle: async ({ body, ...means }) => {
      const charged = await charge(means, body)
      return async () => {
        if (charged instanceof ApiError) throw charged
        return withStatus(charged.isNew ? 201 : 200, charged.session)
      }
    },
  }),
  route({
    name: 'payments.getSession',
    method: 'GET',
    path: '/payments/qris/{sessionId}',
    area,
    summary: 'Check whether a code has been paid',
    description:
      'While the payment is pending, the service asks the payment partner, at most every three seconds.',
    access: 'partner',
    module: 'payment',
    delegation: 'read',
    role: 'CASHIER',
    params: Type.Object({ sessionId: SessionId }),
    returns: PaymentSession,
    handle: async ({ params, ...means }) => {
      const session = await poll(means, params.sessionId)
      return async () => session
    },
  }),
  route({
    name: 'payments.getOverview',
    method: 'GET',
    path: '/payments/overview',
    area,
    summary: 'Read the balance, the last sessions and the last payouts',
    description:
      'The service reads all three from the payment partner. If one of them fails, the answer is 502.',
    access: 'partner',
    module: 'payment',
    delegation: 'read',
    role: 'MANAGER',
    returns: Overview,
    handle: async (means) => {
      const shown = await overview(means)
      return async () => shown
    },
  }),
]
