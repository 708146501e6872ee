import { ApiError, notFound } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { PartnerAnswer } from '../answer.ts'
import {
  guardOf,
  type PartnerClient,
  type PartnerEvent,
  type PartnerRequest,
  pulseOf,
  readerOf,
} from '../client.ts'
import type { Forward } from '../forward.ts'
import { ownerOf } from '../orders.ts'
import { type MidtransCharge, type MidtransOptions, openMidtrans } from './api.ts'
import { accountIdAt, instantOf, isSignedByMidtrans, outcomeOf, type Transaction } from './messages.ts'

const cannot = (what: string) =>
  new ApiError('NOT_FOUND', `Midtrans offers no ${what} here; look into its own dashboard`)

/**
 * Adapts Midtrans to the partner protocol: QRIS codes and virtual accounts only. One merchant account serves the
 * whole installation, so the "key" of a workspace is the name of the workspace.
 */
export function midtransClientOf({ now, ...options }: MidtransOptions & { now(): string }): PartnerClient {
  const { url, serverKey, tuning } = options
  const guarded = guardOf('payment', tuning)
  const api = openMidtrans(options)

  const sessionOf = (transaction: Transaction, wanted?: MidtransCharge) => {
    const lasts = (wanted?.expiresInSeconds ?? 24 * 3_600) * 1_000
    return viewOf(transaction, addMs(now(), lasts))
  }

  async function ask(asked: PartnerRequest, forward: Forward): Promise<PartnerAnswer> {
    const parts = asked.path.split('/').slice(2).map(decodeURIComponent)
    const [family, id, verb] = parts
    if (family === 'workspaces') {
      const { externalId } = asked.body as { externalId: string }
      return { status: 200, data: { workspaceId: accountIdAt(serverKey), apiKey: externalId }, cursor: null }
    }
    if (family !== 'checkout-sessions' || (id === undefined && asked.method === 'GET')) {
      throw cannot(id === undefined && family === 'checkout-sessions' ? 'list of sessions' : String(family))
    }
    if (asked.key === serverKey) {
      throw new ApiError('CONFLICT', 'Plans cannot be paid for by Midtrans; the operator sets DEFAULT_TIER')
    }
    if (id === undefined) {
      const { charged, wanted } = await api.charge(asked, forward)
      return { status: 201, data: sessionOf(charged, wanted), cursor: null }
    }
    if (ownerOf(id) !== asked.key) throw notFound('checkout session')
    if (asked.method === 'GET' && verb === undefined) {
      return { status: 200, data: sessionOf(await api.status(id, forward)), cursor: null }
    }
    if (verb !== 'cancel') throw cannot(`way to ${verb} a session`)
    return { status: 200, data: sessionOf(await api.cancel(id, forward)), cursor: null }
  }

  /** The signature covers too little of a notice, so the order is fetched from Midtrans. */
  async function noticeIn(body: unknown, forward: Forward): Promise<PartnerEvent | null> {
    // Its signature is valid, so it has an order id.
    const { order_id: orderId } = body as { order_id: string }
    const owner = ownerOf(orderId)
    // The account may sell through other systems as well.
    if (owner === null) return null
    const told = await api.status(orderId, forward).catch(nullIfUnknown)
    if (!told) return null
    const outcome = outcomeOf(told)
    const type = `checkout_session.${outcome === 'canceled' ? 'failed' : outcome}`
    const session = { ...sessionOf(told), metadata: { ...metadataOf(told), accountId: owner } }
    return {
      id: `${told.transaction_id} ${told.transaction_status}`,
      type,
      data: { workspaceExternalId: owner, session },
    }
  }

  return {
    module: 'payment',
    id: accountIdAt(serverKey),
    books: 'midtrans',
    platformKey: serverKey,
    keepsGiftCards: false,
    keepsOrigin: false,
    signed: ({ rawBody }) => isSignedByMidtrans(serverKey, rawBody),
    noticeIn: ({ body }, forward) => guarded({ method: 'GET' }, forward, () => noticeIn(body, forward)),
    ask: (asked, forward) => guarded(asked, forward, () => ask(asked, forward)),
    fetch: ({ path }) => Promise.reject(cannot(String(path.split('/')[2]))),
    ownAddress: () => null,
    pulse: pulseOf(readerOf(options.outgoing), `${url}/`),
  }
}

const nullIfUnknown = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

const metadataOf = ({ custom_field1: transactionId, custom_field2: paymentId }: Transaction) =>
  transactionId && paymentId ? { transactionId, paymentId } : {}

/** A transaction as a checkout session of the protocol. */
function viewOf(transaction: Transaction, expiresAt: string) {
  const { order_id: id, gross_amount, payment_type, qr_string, va_numbers, permata_va_number } = transaction
  const [account] = va_numbers ?? []
  const image = transaction.actions?.find(({ name }) => name.startsWith('generate-qr-code'))
  return {
    id,
    amount: Number(gross_amount),
    currency: 'IDR',
    method: payment_type === 'qris' ? 'qris' : 'va',
    status: outcomeOf(transaction),
    hostedUrl: null,
    metadata: metadataOf(transaction),
    expiresAt: instantOf(transaction.expiry_time) ?? expiresAt,
    paidAt: instantOf(transaction.settlement_time),
    qrString: qr_string ?? null,
    qrImageUrl: image?.url ?? null,
    vaNumber: account?.va_number ?? permata_va_number ?? null,
    vaBank: account?.bank.toUpperCase() ?? (permata_va_number === undefined ? null : 'PERMATA'),
  }
}
