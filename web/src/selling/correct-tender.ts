import { type Payment, salesCorrectPayment } from 'kasir-client'
import { withApproval } from '../app/approval.ts'
import { queries } from '../app/queries.ts'
import { call } from '../app/service.ts'
import { newKey } from '../offline/key.ts'
import { isUnsettled } from './checkout.ts'

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

/** The keys of corrections whose outcome is unknown: a retry is the same request. */
const unsettledKeys = new Map<string, string>()

/** Records that a payment was made by another method; drawer and reports follow. */
export async function correctTender({ saleId, paymentId, method, reference = '' }: Correction) {
  const body = { id: saleId, paymentId, method, reference: reference.trim() || null }
  const request = JSON.stringify(body)
  const idempotencyKey = unsettledKeys.get(request) ?? newKey()
  unsettledKeys.set(request, idempotencyKey)
  try {
    await withApproval(saleId, (approval) => call(salesCorrectPayment, body, { idempotencyKey, approval }))
  } catch (error) {
    if (!isUnsettled(error)) unsettledKeys.delete(request)
    throw error
  }
  unsettledKeys.delete(request)
  await queries.invalidateQueries()
}
