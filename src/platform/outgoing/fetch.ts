import { type OutgoingClient, OutgoingError } from './outgoing.ts'

type Init = {
  method: string
  headers: Record<string, string>
  body?: unknown
}

const textOf = (body: unknown): string | undefined => {
  if (typeof body === 'string') return body
  return body instanceof URLSearchParams ? body.toString() : undefined
}

/**
 * The outgoing client with the interface of `fetch`, for libraries that require it. It sends text, follows no
 * redirects, and rejects a reply longer than `maxBytes`.
 * @throws {OutgoingError}
 */
export const fetchThrough =
  (
    { send }: Pick<OutgoingClient, 'send'>,
    { deadlineMs, maxBytes }: { deadlineMs: number; maxBytes: number },
  ) =>
  async (url: string, { method, headers, body }: Init): Promise<Response> => {
    const text = textOf(body)
    const reply = await send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(text === undefined ? {} : { body: text }),
      deadlineMs,
      maxBytes,
    })
    if (reply.isCut) throw new OutgoingError('reply')
    const told = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) {
      for (const one of [value ?? []].flat()) told.append(name, one)
    }
    const hasBody = ![204, 205, 304].includes(reply.status)
    return new Response(hasBody ? new Uint8Array(reply.body) : null, { status: reply.status, headers: told })
  }
