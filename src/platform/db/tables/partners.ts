// Rows of migrations/0049_partner_notices.sql, as Kysely sees them.
import type { Module } from '../../../core/modules.ts'

export type PartnerNoticesRow = {
  accountId: string
  partner: Module
  noticeId: string
  receivedAt: string
}

export type PartnerTables = {
  partnerNotices: PartnerNoticesRow
}
