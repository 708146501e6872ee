// Rows of migrations/0049_partner_notices.sql and 0050_payment_sessions.sql, as Kysely sees them.
import type { Module } from '../../../core/modules.ts'

export type PartnerNoticesRow = {
  accountId: string
  partner: Module
  noticeId: string
  receivedAt: string
}

export type PaymentSessionsRow = {
  accountId: string
  id: string
  saleId: string | null
  paymentId: string | null
  method: 'qris' | 'va'
  amount: number
  status: 'pending' | 'paid' | 'expired' | 'failed'
  qrString: string | null
  qrImageUrl: string | null
  vaNumber: string | null
  vaBank: string | null
  expiresAt: string
  paidAt: string | null
  askedAt: string | null
  createdAt: string
  updatedAt: string
}

export type PartnerTables = {
  partnerNotices: PartnerNoticesRow
  paymentSessions: PaymentSessionsRow
}
