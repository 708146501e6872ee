import { IdParams, notFound, pageByKey, Words } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { balancesOf } from '../ledger/store.ts'
import { CURRENCIES } from '../sessions/rules.ts'
import { BankAccount, BankAccountPut, Payout, PayoutCreate, PayoutPatch, PayoutQuery } from './schema.ts'
import { movePayout, payoutView, requestPayout } from './service.ts'
import * as store from './store.ts'

const PayoutBalance = Type.Object(
  {
    currency: Words(CURRENCIES),
    balance: Type.Integer({ description: 'What can be paid out' }),
    inTransit: Type.Integer({ description: 'Money in transit to the bank' }),
  },
  { title: 'PayoutBalance' },
)

export const payoutRoutes = [
  route({
    name: 'payouts.balance',
    method: 'GET',
    path: '/payouts/balance',
    tag: 'payouts',
    summary: 'What can be paid out now',
    query: Type.Object({ currency: Type.Optional(Words(CURRENCIES, { default: 'IDR' })) }),
    access: 'read',
    returns: PayoutBalance,
    handle: async ({ db, caller, query: { currency = 'IDR' } }) => {
      const { balance, payouts } = await balancesOf(db, caller.workspaceId, currency)
      return { currency, balance, inTransit: payouts }
    },
  }),
  route({
    name: 'payouts.getBankAccount',
    method: 'GET',
    path: '/payouts/bank-account',
    tag: 'payouts',
    summary: 'The bank account of payouts; null until it is entered',
    access: 'read',
    returns: BankAccount,
    handle: async ({ db, caller }) => ({
      bankAccount: (await store.findBankAccount(db, caller.workspaceId)) ?? null,
    }),
  }),
  route({
    name: 'payouts.putBankAccount',
    method: 'PUT',
    path: '/payouts/bank-account',
    tag: 'payouts',
    summary: 'Set the account that receives payouts',
    body: BankAccountPut,
    access: 'write',
    returns: BankAccount,
    handle: async ({ tx, caller, body, now }) => {
      await store.upsertBankAccount(tx, caller.workspaceId, body, now)
      return { bankAccount: { ...body, updatedAt: now } }
    },
  }),
  route({
    name: 'payouts.list',
    method: 'GET',
    path: '/payouts',
    tag: 'payouts',
    summary: 'Newest first',
    query: PayoutQuery,
    access: 'read',
    page: true,
    returns: Payout,
    handle: async ({ db, caller, query: { limit, cursor, status } }) => {
      const after = afterOf(cursor, 'pyo')
      const rows = await store.listPayouts(db, caller.workspaceId, { status, after, limit: limit + 1 })
      const page = pageByKey(rows, limit, cursorOf)
      return { ...page, items: page.items.map(payoutView) }
    },
  }),
  route({
    name: 'payouts.create',
    method: 'POST',
    path: '/payouts',
    tag: 'payouts',
    summary: 'Sets an amount of the balance aside for the bank account',
    status: 201,
    body: PayoutCreate,
    access: 'write',
    returns: Payout,
    handle: ({ tx, caller: { workspaceId }, body: { amount, currency = 'IDR' }, now }) =>
      requestPayout(tx, { workspaceId, amount, currency, now }),
  }),
  route({
    name: 'payouts.get',
    method: 'GET',
    path: '/payouts/{id}',
    tag: 'payouts',
    summary: 'One payout',
    params: IdParams,
    access: 'read',
    returns: Payout,
    handle: async ({ db, caller, params }) => {
      const row = await store.findPayout(db, caller.workspaceId, params.id)
      if (!row) throw notFound('payout')
      return payoutView(row)
    },
  }),
  route({
    name: 'payouts.update',
    method: 'PATCH',
    path: '/payouts/{id}',
    tag: 'payouts',
    summary:
      'pending → processing or canceled; processing → paid or failed. The money of one that failed or was canceled comes back',
    params: IdParams,
    body: PayoutPatch,
    access: 'write',
    returns: Payout,
    handle: ({ tools, tx, caller: { workspaceId }, params: { id }, body: { status, failureReason }, now }) =>
      movePayout(tx, { tools, workspaceId, id, status, failureReason: failureReason ?? null, now }),
  }),
]
