import { Instant, sum, Words } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { WindowQuery, windowOf } from '../../kit/window.ts'
import { CURRENCIES, METHODS } from '../sessions/rules.ts'
import { balanceBefore, movementsByDay, paymentsByMethod } from './store.ts'

const ReportQuery = Type.Object({
  ...WindowQuery,
  currency: Type.Optional(Words(CURRENCIES, { default: 'IDR' })),
})

const Sum = Type.Integer()
const head = { from: Instant, to: Instant, currency: Words(CURRENCIES) }

const Pnl = Type.Object(
  {
    ...head,
    payments: Type.Integer({ description: 'How many' }),
    gross: Sum,
    fees: Sum,
    net: Sum,
    byMethod: Type.Array(
      Type.Object({ method: Words(METHODS), payments: Type.Integer(), gross: Sum, fees: Sum, net: Sum }),
    ),
  },
  { title: 'ProfitAndLoss' },
)

const CashFlow = Type.Object(
  {
    ...head,
    opening: Sum,
    payments: Sum,
    fees: Sum,
    payouts: Sum,
    returned: Type.Integer({ description: 'Payouts that failed or were canceled' }),
    closing: Type.Integer({ description: 'opening + payments - fees - payouts + returned' }),
    days: Type.Array(
      Type.Object({ day: Type.String(), payments: Sum, fees: Sum, payouts: Sum, returned: Sum, net: Sum }),
    ),
  },
  { title: 'CashFlow' },
)

export const reportRoutes = [
  route({
    name: 'reports.pnl',
    method: 'GET',
    path: '/reports/pnl',
    tag: 'reports',
    summary: 'What came in and what it cost; the last thirty days unless asked otherwise',
    query: ReportQuery,
    access: 'read',
    returns: Pnl,
    handle: async ({ db, caller, query: { from, to, currency = 'IDR' }, now }) => {
      const window = windowOf({ from, to }, now)
      const rows = await paymentsByMethod(db, caller.workspaceId, { ...window, currency })
      const gross = sum(rows.map((row) => row.gross))
      const fees = sum(rows.map((row) => row.fees))
      return {
        ...window,
        currency,
        payments: sum(rows.map((row) => row.payments)),
        gross,
        fees,
        net: gross - fees,
        byMethod: rows.map((row) => ({ ...row, net: row.gross - row.fees })),
      }
    },
  }),
  route({
    name: 'reports.cashFlow',
    method: 'GET',
    path: '/reports/cash-flow',
    tag: 'reports',
    summary: 'How the balance came about, day by day (UTC); the last thirty days unless asked otherwise',
    query: ReportQuery,
    access: 'read',
    returns: CashFlow,
    handle: async ({ db, caller: { workspaceId }, query: { from, to, currency = 'IDR' }, now }) => {
      const window = windowOf({ from, to }, now)
      const rows = await movementsByDay(db, workspaceId, { ...window, currency })
      const opening = await balanceBefore(db, workspaceId, currency, window.from)
      const days = rows.map((row) => ({ ...row, net: row.payments - row.fees - row.payouts + row.returned }))
      return {
        ...window,
        currency,
        opening,
        payments: sum(days.map((row) => row.payments)),
        fees: sum(days.map((row) => row.fees)),
        payouts: sum(days.map((row) => row.payouts)),
        returned: sum(days.map((row) => row.returned)),
        closing: opening + sum(days.map((row) => row.net)),
        days,
      }
    },
  }),
]
