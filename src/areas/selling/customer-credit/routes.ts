import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import {
  Credit,
  CreditPayment,
  CreditPaymentIn,
  CreditQuery,
  CreditReminder,
  ReminderQuery,
} from './schema.ts'
import { getCredit, payCredit, remind } from './service.ts'

const area = 'customer-credit'

export const customerCreditRoutes = [
  route({
    name: 'customerCredit.get',
    method: 'GET',
    path: '/customers/{id}/credit',
    area,
    summary: 'Read what a customer owes, with all entries, newest first',
    description: 'The balance is the sum of the entries, and also the sum of `open` of the charges.',
    access: 'whole',
    delegation: 'read',
    params: IdParams,
    query: CreditQuery,
    returns: Credit,
    handle: ({ db, scope, params, query }) => getCredit(db, scope, params.id, query),
  }),
  route({
    name: 'customerCredit.pay',
    method: 'POST',
    path: '/customers/{id}/credit/payments',
    area,
    summary: 'Take money for a debt',
    description:
      'The money pays the oldest charges first and counts in your open shift at the outlet. More than the customer owes is 422 `amount`.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    params: IdParams,
    body: CreditPaymentIn,
    returns: CreditPayment,
    handle: ({ tx, scope, params, body }) => payCredit(tx, scope, params.id, body),
  }),
  route({
    name: 'customerCredit.remind',
    method: 'GET',
    path: '/customers/{id}/credit/reminder',
    area,
    summary: 'Make a text that reminds a customer of a debt, for WhatsApp',
    description:
      'Nothing is sent: `url` opens WhatsApp with the text. 409 without a debt or a valid phone number.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    query: ReminderQuery,
    document: { refuses: ['CONFLICT'] },
    returns: CreditReminder,
    handle: ({ db, scope, params, query }) => remind(db, scope, params.id, query.lang ?? 'id'),
  }),
]
