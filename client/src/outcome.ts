import type { Answer, Meta } from './call.ts'
import type { ErrorCode } from './error-codes.ts'
import {
  type Details,
  KasirApiError,
  type KasirError,
  KasirTransportError,
  LargeAnswerError,
} from './errors.ts'

export type Outcome = { answer: Answer<unknown> } | { error: KasirError | KasirTransportError }

type ResponseReading = { isFile: boolean; key: string | null; signal: AbortSignal }

/** Limits the memory of one answer. Kasir sends a whole list of any length, so a longer list is read in pages. */
const MAX_ENVELOPE_BYTES = 32 * 2 ** 20
const TOO_LARGE = `The answer is larger than ${MAX_ENVELOPE_BYTES / 2 ** 20} MiB. Read a long list in pages: send limit, then the cursor of each answer for the next page`

/** Interprets an answer: data, an error of the service, or a response that Kasir did not write. */
export async function outcomeOf(
  response: Response,
  { isFile, key, signal }: ResponseReading,
): Promise<Outcome> {
  const fault = { fault: 'answer', status: response.status, idempotencyKey: key } as const
  const strange = (message: string): Outcome => ({ error: new KasirTransportError(message, fault) })
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    return strange('The service redirected the request; set baseUrl to the address it redirects to')
  }
  const ofHeaders = headersIn(response.headers)
  if (isFile && response.ok) {
    const meta = { requestId: response.headers.get('x-request-id') ?? '', timestamp: '', ...ofHeaders }
    return { answer: { data: await response.blob(), meta } }
  }
  const text = await textOf(response, signal)
  if (text === null) return { error: new LargeAnswerError(TOO_LARGE, fault) }
  const envelope = envelopeOf(text)
  if (envelope === null)
    return strange(`The answer (${response.status}) is not one of Kasir: ${excerptOf(text)}`)
  const { data, error, meta } = envelope
  if (response.ok && error === null) return { answer: { data, meta: { ...meta, ...ofHeaders } } }
  if (response.ok || error === null) return strange(`The answer (${response.status}) contradicts itself`)
  const refusal = {
    ...error,
    status: response.status,
    requestId: meta.requestId,
    retryAfterMs: retryAfterOf(response.headers.get('retry-after')),
    idempotencyKey: key,
  }
  return { error: new KasirApiError(refusal) as KasirError }
}

/** The parts of `meta` that come in headers. */
function headersIn(headers: Headers): Pick<Meta, 'isReplayed' | 'asOf'> {
  const asOf = headers.get('kasir-data-as-of')
  return {
    isReplayed: headers.get('idempotent-replayed') === 'true',
    ...(asOf === null ? {} : { asOf }),
  }
}

async function textOf(response: Response, signal: AbortSignal): Promise<string | null> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  // Stops reading a slow body at the deadline, even if the caller's `fetch` ignores the signal.
  const giveUp = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const decoder = new TextDecoder()
    let text = ''
    let bytes = 0
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > MAX_ENVELOPE_BYTES) {
        giveUp()
        return null
      }
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

type RefusedResponse = { code: ErrorCode; message: string; param?: string; details?: Details }
type Envelope = { data: unknown; error: RefusedResponse | null; meta: Omit<Meta, 'isReplayed'> }

function envelopeOf(text: string): Envelope | null {
  const value = jsonOf(text)
  if (!isRecord(value) || !('data' in value) || !('error' in value) || !isRecord(value['meta'])) return null
  const { error, meta } = value
  if (typeof meta['requestId'] !== 'string') return null
  const isRefusal =
    isRecord(error) && typeof error['code'] === 'string' && typeof error['message'] === 'string'
  return error === null || isRefusal ? (value as unknown as Envelope) : null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const excerptOf = (text: string) => JSON.stringify(text.trim().replaceAll(/\s+/g, ' ').slice(0, 120))

/** Reads Retry-After as seconds or a date (RFC 9110, 10.2.3). Returns null if it is neither. */
export function retryAfterOf(header: string | null): number | null {
  if (header === null) return null
  if (/^\d{1,12}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}
