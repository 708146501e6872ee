import { Day, Instant, Nullable, PageQuery, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { CURRENCIES } from '../sessions/rules.ts'

export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const

const InvoiceLine = Type.Object({
  description: Type.String(),
  quantity: Type.Integer(),
  unitAmount: Type.Integer(),
  amount: Type.Integer(),
})

export const Invoice = Type.Object(
  {
    id: Type.String(),
    number: Type.String(),
    customerId: Type.String(),
    customerName: Type.String(),
    subscriptionId: Type.String(),
    status: Words(INVOICE_STATUSES),
    lines: Type.Array(InvoiceLine),
    total: Type.Integer(),
    currency: Words(CURRENCIES),
    dueDate: Day,
    paidAt: Nullable(Instant),
    paymentId: Nullable(Type.String()),
    ...Timestamps,
  },
  { title: 'Invoice' },
)
export type Invoice = Static<typeof Invoice>

const FILTERS = {
  status: Type.Optional(Words(INVOICE_STATUSES)),
  customerId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
}
export const InvoiceQuery = Type.Object({ ...PageQuery, ...FILTERS })
export const InvoiceFilter = Type.Object(FILTERS)
