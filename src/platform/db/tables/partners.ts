// Rows of migrations/0049_partner_notices.sql, 0050_payment_sessions.sql, 0060_shipments.sql,
// 0103_undecided_bookings.sql and 0245_partner_of_sessions.sql, as Kysely sees them.
import type { Module } from '../../../core/modules.ts'
import type { JsonColumn } from './json.ts'

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
  partner: string | null
}

export type ShipmentsRow = {
  accountId: string
  id: string
  partner: string
  providerRef: string
  saleId: string | null
  requestKey: string | null
  status:
    | 'draft'
    | 'confirmed'
    | 'allocated'
    | 'picking_up'
    | 'picked'
    | 'dropping_off'
    | 'delivered'
    | 'on_hold'
    | 'rejected'
    | 'courier_not_found'
    | 'cancelled'
    | 'return_in_transit'
    | 'returned'
    | 'disposed'
  destination: JsonColumn
  courierCode: string
  courierName: string | null
  courierServiceCode: string
  courierServiceName: string | null
  items: JsonColumn
  price: number
  insuranceFee: number
  waybillId: string | null
  trackingUrl: string | null
  history: JsonColumn
  reportedAt: string
  claimedUntil: string | null
  checkAt: string | null
  undecidedSince: string | null
  changedAt: string
  createdAt: string
  updatedAt: string
}

export type ShipmentRequestsRow = {
  accountId: string
  id: string
  saleId: string | null
  requestKey: string | null
  partner: string
  parcel: JsonColumn
  claimedUntil: string
  createdAt: string
}

export type ShippingOriginsRow = {
  accountId: string
  origin: JsonColumn
  createdAt: string
  updatedAt: string
}

export type PartnerTables = {
  partnerNotices: PartnerNoticesRow
  paymentSessions: PaymentSessionsRow
  shipments: ShipmentsRow
  shipmentRequests: ShipmentRequestsRow
  shippingOrigins: ShippingOriginsRow
}
