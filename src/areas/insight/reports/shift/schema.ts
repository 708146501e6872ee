import { type Static, Type } from 'typebox'
import { PaperQuery } from '../../../../platform/http/paper.ts'
import { Amount, Nullable, Words } from '../../../../platform/http/shapes.ts'
import { CashMovement, ShiftDetail } from '../../../selling/shifts/index.ts'

export const ShiftReportQuery = Type.Object({
  format: Type.Optional(
    Words(['json', 'csv', 'html', 'text', 'escpos'] as const, {
      default: 'json',
      description: 'html, text and escpos are for paper, csv is a table for a spreadsheet',
    }),
  ),
  ...PaperQuery,
})

const Count = Type.Integer({ minimum: 0 })
const Returned = Type.Object({ count: Count, amount: Amount })

export const ShiftReport = Type.Object(
  {
    businessName: Type.String(),
    npwp: Nullable(Type.String()),
    outlet: Type.Object({
      name: Type.String(),
      address: Nullable(Type.String()),
      phone: Nullable(Type.String()),
      timezone: Type.String(),
    }),
    shift: ShiftDetail,
    receipts: Type.Object(
      { first: Nullable(Type.String()), last: Nullable(Type.String()) },
      { description: 'Numbers of the first and the last sale of the shift that was completed' },
    ),
    returned: Type.Object(
      { refunds: Returned, voids: Returned, discards: Returned },
      { description: 'Money given back that was booked to the shift; together the refunds of its summary' },
    ),
    cashMovements: Type.Array(CashMovement),
    rows: Type.Object({ sales: Type.String({ description: 'The path that lists the sales of the shift' }) }),
  },
  { title: 'ShiftReport' },
)

export type ShiftReportQuery = Static<typeof ShiftReportQuery>
export type ShiftReport = Static<typeof ShiftReport>
