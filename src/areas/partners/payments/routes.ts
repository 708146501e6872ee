import { Type } from 'typebox'
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
    summary: 'Get a QR code or a virtual account that a customer can pay',
    description:
      'For an open bill (`transactionId`) the money completes it when it covers; while a code of the bill can be paid, that one is answered again with 200. With `amount` the money belongs to no bill.',
    access: 'partner',
    module: 'payment',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    alsoAnswers: [200],
    body: Charge,
    returns: PaymentSession,
    handle: async ({ body, ...means }) => {
      const { isNew, session } = await charge(means, body)
      return async () => withStatus(isNew ? 201 : 200, session)
    },
  }),
  route({
    name: 'payments.getSession',
    method: 'GET',
    path: '/payments/qris/{sessionId}',
    area,
    summary: 'Ask whether a code has been paid',
    description: 'Asks the payment partner while it is pending, at most every three seconds.',
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
    summary: 'What can be paid out, with the last sessions and payouts',
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
