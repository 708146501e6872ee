import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, malformed, notFound } from '../../../core/errors.ts'
import type { Deps } from '../../../platform/deps.ts'
import { successText } from '../../../platform/http/envelope.ts'
import { CACHEABLE, FILES } from '../../../platform/storage.ts'
import { KEY, MAX_BYTES, typeOfEnding } from './rules.ts'
import { keepUpload, ticketOf, unstored } from './service.ts'

/** Files that this process takes at a time, each held in memory until it is kept; and those of one workspace. */
const COMING = 16
const OF_WORKSPACE = 8
/** Files that are read at a time; others wait in line, up to so many. */
const GOING = 16
const WAITING = 1_000

const tooLarge = () => new ApiError('PAYLOAD_TOO_LARGE', 'An image may have at most 5 MiB')
const busy = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many images are on their way at once; send this one again', {
    headers: { 'retry-after': '1' },
  })

/** Reads a body of at most 5 MiB; one that breaks off is nobody's file. */
async function bytesOf(body: Readable | undefined, announced: string | undefined): Promise<Buffer> {
  if (Number(announced) > MAX_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  if (length === 0) throw malformed('body', 'The file is empty')
  return Buffer.concat(chunks)
}

/** Bounds what comes at a time. A slow sender holds a place, so nobody waits for one. */
function coming() {
  const held = new Map<string, number>()
  let all = 0
  return async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    const mine = held.get(owner) ?? 0
    if (all >= COMING || mine >= OF_WORKSPACE) throw busy()
    all += 1
    held.set(owner, mine + 1)
    try {
      return await work()
    } finally {
      all -= 1
      const left = (held.get(owner) ?? 1) - 1
      if (left === 0) held.delete(owner)
      else held.set(owner, left)
    }
  }
}

/** Bounds what is read at a time: a page of a hundred products asks for all its images at once, and gets each in turn. */
function going() {
  const waiting: (() => void)[] = []
  let free = GOING
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= WAITING) throw busy()
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

type Named = { Params: { account: string; file: string }; Querystring: Record<string, unknown> }

/**
 * Takes the images that were announced, and shows them to anybody: outside the API, because neither side speaks JSON. Only
 * types that no browser runs are ever named, each by the ending of its file.
 */
export async function uploadFiles(app: FastifyInstance, deps: Deps) {
  const [within, inTurn] = [coming(), going()]
  const path = `${FILES}/acc/:account/:file`
  const keyFrom = ({ account, file }: Named['Params']) => `acc/${account}/${file}`
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.put<Named>(path, async (request, reply) => {
    const { params, query, headers, now, id } = request
    const ticket = ticketOf(deps, {
      key: keyFrom(params),
      contentType: headers['content-type'] ?? '',
      expires: query['expires'],
      signature: query['signature'],
      now,
    })
    const kept = await within(ticket.accountId, async () => {
      const bytes = await bytesOf(request.body as Readable | undefined, headers['content-length'])
      return keepUpload(deps, ticket, bytes)
    })
    return reply
      .type('application/json; charset=utf-8')
      .send(successText(JSON.stringify(kept), { requestId: id, timestamp: now }))
  })

  app.get<Named>(path, async (request, reply) => {
    const key = keyFrom(request.params)
    const type = typeOfEnding(KEY.exec(key)?.[3] ?? '')
    if (!type) throw notFound('image')
    const etag = `"${key}"`
    if (request.headers['if-none-match'] === etag) return shown(reply, etag).code(304).send()
    const bytes = await inTurn(() => deps.storage.get(key)).catch((error: unknown) => {
      throw unstored(deps, error)
    })
    if (!bytes) throw notFound('image')
    return shown(reply, etag).type(type).send(bytes)
  })
}

/** Any page may show an image; opened by itself it is nothing but an image. */
const shown = (reply: FastifyReply, etag: string) =>
  reply
    .header('cache-control', CACHEABLE)
    .header('etag', etag)
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-security-policy', "default-src 'none'; sandbox")
