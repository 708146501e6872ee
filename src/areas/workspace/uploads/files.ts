import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '../../../core/errors.ts'
import type { Deps } from '../../../platform/deps.ts'
import { CACHEABLE, FILES } from '../../../platform/files/storage.ts'
import { successText } from '../../../platform/http/envelope.ts'
import { busy, incomingUploads } from './incoming.ts'
import { contentTypeOf } from './rules.ts'
import { storeUpload, ticketOf, unstored } from './service.ts'

/** The numbers of files that are opened concurrently and of waiting ones. */
const GOING = 16
const WAITING = 1_000

/**
 * Limits how many files are opened concurrently. A page of a hundred products requests all images in parallel and receives
 * them in turn.
 */
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

type FileRoute = { Params: { account: string; file: string }; Querystring: Record<string, unknown> }

/**
 * Receives signed uploads and serves public images. These routes are outside the API, because they do not use JSON.
 * They serve only types that no browser executes, each by the extension of its file.
 */
export async function uploadFiles(app: FastifyInstance, deps: Deps) {
  const [receive, inTurn] = [incomingUploads(), going()]
  const path = `${FILES}/acc/:account/:file`
  const keyFrom = ({ account, file }: FileRoute['Params']) => `acc/${account}/${file}`
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.put<FileRoute>(path, async (request, reply) => {
    const { params, query, headers, now, id } = request
    const ticket = ticketOf(deps, {
      key: keyFrom(params),
      contentType: headers['content-type'] ?? '',
      expires: query['expires'],
      signature: query['signature'],
      now,
    })
    const sent = { body: request.body as Readable | undefined, announced: headers['content-length'] }
    const kept = await receive(ticket.accountId, sent, (bytes) => storeUpload(deps, ticket, bytes))
    return reply
      .type('application/json; charset=utf-8')
      .send(successText(JSON.stringify(kept), { requestId: id, timestamp: now }))
  })

  app.get<FileRoute>(path, async (request, reply) => {
    const key = keyFrom(request.params)
    const type = contentTypeOf(key)
    if (!type) throw notFound('image')
    const etag = `"${key}"`
    if (request.headers['if-none-match'] === etag) return withFileHeaders(reply, etag).code(304).send()
    const file = await inTurn(() => deps.storage.open(key)).catch((error: unknown) => {
      throw unstored(deps, error)
    })
    if (!file) throw notFound('image')
    if (file.size !== null) reply.header('content-length', file.size)
    return withFileHeaders(reply, etag).type(type).send(file.stream)
  })
}

/** Any page can embed an image. Opened directly, the file cannot run scripts or load anything. */
const withFileHeaders = (reply: FastifyReply, etag: string) =>
  reply
    .header('cache-control', CACHEABLE)
    .header('etag', etag)
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-security-policy', "default-src 'none'; sandbox")
