import { type Payment, salesCorrectPayment } from 'kasir-client'
import { withApproval } from '../app/approval.ts'
import { queries } from '../app/queries.ts'
import { call } from '../app/service.ts'
import { newKey } from '../offline/key.ts'

/** Tenders that a till enters by hand: a payment may change from any of them to any other (B-payment-12). */
export const MANUAL_METHODS = ['CASH', 'QRIS', 'CARD', 'TRANSFER', 'OTHER'] as const
export type ManualMethod = (typeof MANUAL_METHODS)[number]

type Correctable = Pick<Payment, 'method' | 'status' | 'applied' | 'verified' | 'providerRef'>

export const isCorrectable = ({ method, status, applied, verified, providerRef }: Correctable): boolean =>
  status === 'PAID' &&
  applied &&
  !verified &&
  providerRef === null &&
  (MANUAL_METHODS as readonly string[]).includes(method)

type Correction = { saleId: string; paymentId: string; method: ManualMethod; reference?: string }

/** Records that a payment was made by another method; drawer and reports follow. */
export async function correctTender({ saleId, paymentId, method, reference = '' }: Correction) {
  const idempotencyKey = newKey()
  const body = { id: saleId, paymentId, method, reference: reference.trim() || null }
  await withApproval(saleId, (approval) => call(salesCorrectPayment, body, { idempotencyKey, approval }))
  await queries.invalidateQueries()
}
