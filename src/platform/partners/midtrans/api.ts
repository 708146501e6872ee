import { Buffer } from 'node:buffer'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError, conflict, invalid, notFound } from '../../../core/errors.ts'
import { newUlid } from '../../../core/ids.ts'
import type { OutgoingClient } from '../../outgoing/outgoing.ts'
import { InvalidContent, objectIn, rateLimitIn, Unreadable, unusable } from '../answer.ts'
import { type PartnerRequest, type PartnerTuning, pathOf, readerOf } from '../client.ts'
import { deadlineIn, type Forward, headersWithoutKey } from '../forward.ts'
import { orderIdOf } from '../orders.ts'
import { codeIn, outcomeOf, type Transaction, transactionIn, type VaBank } from './messages.ts'

export type MidtransOptions = {
  url: string
  serverKey: string
  vaBank: VaBank
  outgoing: Pick<OutgoingClient, 'send'>
  tuning: PartnerTuning
}

/** A transaction of Midtrans is below 10 kB. */
const MAX_BYTES = 256 * 1024
/**
 * An order name can be used only once, so a lost response may cost one name. More in a row are a fault that another
 * order does not fix. Each existing order is looked up before the next is tried.
 */
const MOST_ORDERS = 8
/** The same for each attempt, so that a retry finds the orders of the previous request. */
const nameOf = (idem: string, place: number): string =>
  place === 0 ? idem : `${idem} again${place === 1 ? '' : ` ${place}`}`

type MidtransReply = { answer: Record<string, unknown>; code: string }
type Send = (method: 'GET' | 'POST', path: string, forward: Forward, body?: object) => Promise<MidtransReply>

/** Sends one request to Midtrans; returns the body and the status code in it. */
function senderOf({ url, serverKey, outgoing, tuning }: MidtransOptions): Send {
  const read = readerOf(outgoing)
  const authorization = `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}`
  return async (method, path, forward, body) => {
    const request = {
      method,
      url: `${url}${path}`,
      headers: {
        ...headersWithoutKey(forward),
        accept: 'application/json',
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs: deadlineIn(forward, tuning.timeoutMs),
      maxBytes: MAX_BYTES,
    }
    const reply = await (method === 'GET' ? read(request) : outgoing.send(request))
    if (reply.status >= 500 || reply.status === 401 || (reply.status >= 300 && reply.status < 400)) {
      throw unusable(reply.status, `Midtrans answered ${reply.status}`)
    }
    // A gateway in front of Midtrans may answer 429 without JSON.
    if (reply.status === 429)
      throw rateLimitIn(reply, 'Midtrans takes no more requests at the moment; try again later')
    const answer = objectIn(reply)
    const code = codeIn(answer)
    if (code === '429') throw rateLimitIn(reply, `Midtrans: ${reasonIn(answer)}`)
    if (code.startsWith('5') || code === '401') throw new Unreadable(`Midtrans answered ${code}`)
    return { answer, code }
  }
}

/** The parts of the Core API in use (docs.midtrans.com): charge, status and cancel. Each returns the transaction. */
export function openMidtrans(options: MidtransOptions) {
  const send = senderOf(options)

  async function status(orderId: string, forward: Forward): Promise<Transaction> {
    const { answer, code } = await send('GET', pathOf('v2', orderId, 'status'), forward)
    if (code === '404') throw notFound('checkout session')
    // The code of an expired transaction is 407.
    if (code.startsWith('4') && answer['transaction_status'] === undefined) throw refusalOf(code, answer)
    return orderIn(answer, orderId)
  }

  async function charge(
    { body, key }: PartnerRequest,
    forward: Forward,
  ): Promise<{ wanted: MidtransCharge; charged: Transaction }> {
    const wanted = chargeIn(body)
    const idem = forward.headers['idempotency-key'] ?? newUlid()
    for (let place = 0; place < MOST_ORDERS; place += 1) {
      const charged = await chargeAs(orderIdOf(key, nameOf(idem, place)), wanted, forward)
      if (charged) return { wanted, charged }
    }
    throw new InvalidContent('Midtrans has these orders, but returned no payment code for them')
  }

  /**
   * Returns null if another order may be created instead. The order then already exists and either ended unpaid, or
   * was canceled here because Midtrans does not show its payment code again. A paid order has no successor: the
   * customer would pay twice. An order of another amount or method belongs to another request with the same key: its
   * customer may be about to pay, so it is not canceled.
   */
  async function chargeAs(
    orderId: string,
    wanted: MidtransCharge,
    forward: Forward,
  ): Promise<Transaction | null> {
    const asked = chargeOf(orderId, wanted, options.vaBank)
    const { answer, code } = await send('POST', '/v2/charge', forward, asked)
    if (code === '201' || code === '200') return orderIn(answer, orderId)
    if (code !== '406') throw refusalOf(code, answer)
    const known = await status(orderId, forward)
    const outcome = outcomeOf(known)
    if (outcome !== 'completed' && outcome !== 'open') return null
    if (!isSameCharge(known, wanted)) throw keyOfAnotherCharge()
    if (outcome === 'completed' || isShowable(known)) return known
    // If the customer pays before the cancel, the cancel throws a conflict.
    await cancel(orderId, forward)
    return null
  }

  async function cancel(orderId: string, forward: Forward): Promise<Transaction> {
    const { answer, code } = await send('POST', pathOf('v2', orderId, 'cancel'), forward)
    if (code === '404') throw notFound('checkout session')
    if (code === '200') return orderIn(answer, orderId)
    const known = await status(orderId, forward)
    if (outcomeOf(known) === 'completed') throw conflict('This session is paid')
    if (outcomeOf(known) === 'open') throw refusalOf(code, answer)
    return known
  }

  return { status, charge, cancel }
}

/** A response about another order would credit another customer's money to this one. */
function orderIn(answer: unknown, orderId: string): Transaction {
  const transaction = transactionIn(answer)
  if (transaction.order_id !== orderId) throw new InvalidContent('Midtrans answered about another order')
  if ((transaction.currency ?? 'IDR') !== 'IDR')
    throw new InvalidContent('Midtrans answered in another currency')
  return transaction
}

const Wanted = Type.Object({
  amount: Type.Integer({ minimum: 1, maximum: 999_999_999_999 }),
  currency: Type.Optional(Type.Literal('IDR')),
  method: Type.Union([Type.Literal('qris'), Type.Literal('va')]),
  expiresInSeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 2_592_000 })),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type MidtransCharge = Static<typeof Wanted>

function chargeIn(body: unknown): MidtransCharge {
  if (Check(Wanted, body)) return body as MidtransCharge
  throw invalid('method', 'Midtrans takes method qris or va, an amount in rupiah, and expiresInSeconds')
}

/** Midtrans returns `custom_field…` with the status of an order, so a notice leads to its payment. */
function chargeOf(
  orderId: string,
  { amount, method, expiresInSeconds, metadata = {} }: MidtransCharge,
  vaBank: VaBank,
) {
  const { transactionId, paymentId } = metadata
  const minutes = expiresInSeconds === undefined ? null : Math.max(1, Math.ceil(expiresInSeconds / 60))
  return {
    transaction_details: { order_id: orderId, gross_amount: amount },
    ...(method === 'qris'
      ? { payment_type: 'qris', qris: { acquirer: 'gopay' } }
      : { payment_type: 'bank_transfer', bank_transfer: { bank: vaBank } }),
    ...(minutes === null ? {} : { custom_expiry: { expiry_duration: minutes, unit: 'minute' } }),
    ...(typeof transactionId === 'string' && typeof paymentId === 'string'
      ? { custom_field1: transactionId, custom_field2: paymentId }
      : {}),
  }
}

/** A failure that does not count against the health of Midtrans, with the explanation from Midtrans. */
function refusalOf(code: string, answer: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError('VALIDATION_ERROR', `Midtrans refused this (${code}): ${reasonIn(answer)}`, {
    status: 422,
  })
}

function reasonIn({ status_message: said }: Readonly<Record<string, unknown>>): string {
  return typeof said === 'string' ? said.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300) : 'no reason given'
}

const isSameCharge = ({ gross_amount, payment_type }: Transaction, { amount, method }: MidtransCharge) =>
  Number(gross_amount) === amount && (payment_type === 'qris') === (method === 'qris')

const keyOfAnotherCharge = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'An order at Midtrans with another amount or method has this Idempotency-Key: look it up, and use a new key only for a new request',
  )

const isShowable = ({ qr_string, va_numbers, permata_va_number }: Transaction): boolean =>
  qr_string !== undefined || permata_va_number !== undefined || (va_numbers ?? []).length > 0
