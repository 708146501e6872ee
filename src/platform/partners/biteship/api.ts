import { ApiError, conflict, invalid, notFound } from '../../../core/errors.ts'
import { newUlid } from '../../../core/ids.ts'
import type { OutgoingClient, OutgoingReply } from '../../outgoing/outgoing.ts'
import { InvalidContent, objectOrLimitIn, rateLimitIn, unusable } from '../answer.ts'
import { type PartnerRequest, type PartnerTuning, pathOf, readerOf } from '../client.ts'
import { deadlineIn, type Forward, headersWithoutKey } from '../forward.ts'
import { orderIdOf } from '../orders.ts'
import {
  BiteshipOrder,
  Draft,
  Drafts,
  draftAsked,
  Made,
  Pricing,
  rateRequestIn,
  ratesAsked,
  Services,
  shaped,
} from './messages.ts'

export type BiteshipOptions = {
  url: string
  apiKey: string
  outgoing: Pick<OutgoingClient, 'send'>
  tuning: PartnerTuning
}

/** The catalogue of couriers is its longest response. */
const MAX_BYTES = 2 * 1024 * 1024
/** Its error code for a reference that already has a draft. */
const TAKEN = '42211015'

type Method = 'GET' | 'POST' | 'DELETE'
type BiteshipReply = { refusal: ApiError | null; code: string; answer: Readonly<Record<string, unknown>> }

/** Its errors have only a text, which names the field clearly enough. */
function refusalOf(reply: OutgoingReply, code: string, answer: BiteshipReply['answer']): ApiError {
  const { status } = reply
  const said = answer['error'] ?? answer['message']
  const reason =
    typeof said === 'string' ? said.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300) : 'no reason given'
  const message = `Biteship refused this (${code}): ${reason}`
  if (status === 404) return notFound('shipment')
  if (status === 429) return rateLimitIn(reply, message)
  if (status === 402 || /balance|saldo/i.test(reason)) return conflict(message)
  const field = [
    ['courierCode', /courier/i],
    ['origin', /origin/i],
    ['destination', /destination/i],
    ['items', /item/i],
  ].find(([, words]) => (words as RegExp).test(reason))?.[0] as string | undefined
  return new ApiError('VALIDATION_ERROR', message, {
    status: 422,
    ...(field === undefined ? {} : { param: field }),
  })
}

/** A number in some of its responses and a text in others. */
const codeIn = ({ code }: BiteshipReply['answer']): string | null =>
  typeof code === 'string' || typeof code === 'number' ? String(code) : null

function senderOf({ url, apiKey, outgoing, tuning }: BiteshipOptions) {
  const read = readerOf(outgoing)
  return async (method: Method, path: string, forward: Forward, body?: object): Promise<BiteshipReply> => {
    const request = {
      method,
      url: `${url}${path}`,
      headers: {
        ...headersWithoutKey(forward),
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs: deadlineIn(forward, tuning.timeoutMs),
      maxBytes: MAX_BYTES,
    }
    const reply = await (method === 'GET' ? read(request) : outgoing.send(request))
    const { status } = reply
    // 401 and 403 concern our key: Biteship has not judged the caller's request yet.
    if (status >= 500 || status === 401 || status === 403 || (status >= 300 && status < 400)) {
      throw unusable(status, `Biteship answered ${status}`)
    }
    const answer = objectOrLimitIn(reply)
    const code = codeIn(answer) ?? String(status)
    const isDone = status < 300 && answer['success'] !== false
    return { refusal: isDone ? null : refusalOf(reply, code, answer), code, answer }
  }
}

/** The parts of the Biteship API in use (biteship.com/docs/api): couriers, rates, drafts of orders, and orders. */
export function openBiteship(options: BiteshipOptions) {
  const send = senderOf(options)
  async function done(...asked: Parameters<typeof send>): Promise<BiteshipReply['answer']> {
    const { refusal, answer } = await send(...asked)
    if (refusal) throw refusal
    return answer
  }

  const services = async (forward: Forward) =>
    shaped(Services, await done('GET', '/v1/couriers', forward), 'list of couriers').couriers

  /** It quotes only the couriers named in the request, so all are named. */
  async function rates({ body }: PartnerRequest, forward: Forward) {
    const wanted = rateRequestIn(body)
    const codes = new Set((await services(forward)).map(({ courier_code }) => courier_code))
    const asked = ratesAsked(wanted, [...codes].join(','))
    return shaped(Pricing, await done('POST', '/v1/rates/couriers', forward, asked), 'list of prices').pricing
  }

  const order = async (id: string, forward: Forward): Promise<BiteshipOrder> => {
    const found = shaped(BiteshipOrder, await done('GET', pathOf('v1', 'orders', id), forward), 'order')
    if (found.id !== id) throw new InvalidContent('Biteship answered about another order')
    return found
  }
  const readDraft = async (id: string, forward: Forward): Promise<Draft> => {
    const found = shaped(Draft, await done('GET', pathOf('v1', 'draft_orders', id), forward), 'draft')
    if (found.id !== id) throw new InvalidContent('Biteship answered about another draft')
    return found
  }

  /**
   * Retries create only one draft, because they send the same reference. If the caller gives none, it is derived from the
   * Idempotency-Key and the parcel. Another parcel under the same key is therefore another shipment.
   */
  async function create({ body, key }: PartnerRequest, forward: Forward): Promise<Draft> {
    const wanted = rateRequestIn(body)
    if (!wanted.courierCode || !wanted.courierServiceCode) {
      throw invalid('courierCode', 'Say which courier and which of its services brings it')
    }
    const idem = forward.headers['idempotency-key'] ?? newUlid()
    const reference = orderIdOf(key, wanted.reference ?? JSON.stringify(draftAsked(wanted, idem)))
    const draft = draftAsked(wanted, reference)
    const { refusal, code, answer } = await send('POST', '/v1/draft_orders', forward, draft)
    if (!refusal) return readyIn(shaped(Draft, answer, 'draft'))
    if (code !== TAKEN) throw refusal
    const path = `/v1/draft_orders?reference_id=${encodeURIComponent(reference)}`
    const { drafts } = shaped(Drafts, await done('GET', path, forward), 'list of drafts')
    const known = drafts.find(({ reference_id }) => reference_id === reference)
    if (!known)
      throw conflict('Biteship has made this shipment and does not show it; send it again as a new one')
    return readyIn(known)
  }

  const confirm = async (id: string, forward: Forward): Promise<string> =>
    shaped(Made, await done('POST', pathOf('v1', 'draft_orders', id, 'confirm'), forward), 'order').id

  const discard = (id: string, forward: Forward) => done('DELETE', pathOf('v1', 'draft_orders', id), forward)

  async function cancel(id: string, forward: Forward): Promise<void> {
    const reason = { cancellation_reason_code: 'others', cancellation_reason: 'Cancelled by the shop' }
    const { refusal } = await send('POST', pathOf('v1', 'orders', id, 'cancel'), forward, reason)
    if (!refusal || refusal.code !== 'VALIDATION_ERROR') {
      if (refusal) throw refusal
      return
    }
    throw conflict(refusal.message)
  }

  return { services, rates, order, draft: readDraft, create, confirm, discard, cancel }
}

/** A draft without a courier can never be confirmed. */
function readyIn(draft: Draft): Draft {
  if (draft.status !== 'placed') return draft
  throw invalid('courierCode', 'Biteship has no such service of this courier between these places')
}

export type Biteship = ReturnType<typeof openBiteship>
