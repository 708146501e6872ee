import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { pagePolicy } from '../print/pages.ts'

/** The built app (web/). A clone that was never built has none, and a browser is led to the API reference instead. */
const FILES = fileURLToPath(new URL('../../../dist/web/', import.meta.url))
const PAGE = 'index.html'
const HASHED = /^\/assets\//
const FOR_EVER = 'public, max-age=31536000, immutable'
const WORKER = '/worker.js'
/** The policy of its answer governs a worker: it fetches the files of the app and nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"
/** The browser keeps the file but asks before it uses it: a new version is seen at the next start. */
const ASK_FIRST = 'no-cache'
/** A tablet that opens the app takes some twenty files; tablets of a shop share one address. */
const FILES_PER_MINUTE = 6_000
/** Paths that belong to the service: there a browser gets its answers and never the app. */
const OF_THE_SERVICE = /^\/(?:api|docs|uploads|r)(?:\/|\?|$)/

export type Register = {
  /** Answers a browser that opens a page of the app; null if the request is not for a page. */
  sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | null
}

/** The app may load only from this service; photos may also come from the operator's bucket. */
function policyFor({ s3PublicUrl }: Pick<Config, 's3PublicUrl'>): string {
  const photos = s3PublicUrl === null ? '' : ` ${new URL(s3PublicUrl).origin}`
  return `${pagePolicy({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': `'self' data: blob:${photos}`,
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
  })}; manifest-src 'self'`
}

const isForBrowser = ({ method, headers, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  String(headers.accept ?? '').includes('text/html') &&
  !OF_THE_SERVICE.test(url)

/** Serves the files of the register. They were compressed when they were built. */
export async function serveRegister(app: FastifyInstance, config: Config): Promise<Register> {
  if (!existsSync(FILES + PAGE)) {
    app.get('/', async (_request, reply) => reply.redirect('/docs'))
    return { sendPage: () => null }
  }
  const policy = policyFor(config)
  const sendPage = (reply: FastifyReply) =>
    reply
      .headers({ 'content-security-policy': policy, 'cache-control': ASK_FIRST })
      .sendFile(PAGE, { cacheControl: false })
  await app.register(fastifyStatic, { root: FILES, serve: false, preCompressed: true, cacheControl: false })
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, ownBudget: { name: 'register', perMinute: FILES_PER_MINUTE } }
    })
    files.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', HASHED.test(request.url) ? FOR_EVER : ASK_FIRST)
      if (request.url === WORKER) reply.header('content-security-policy', WORKER_POLICY)
    })
    await files.register(fastifyStatic, {
      root: FILES,
      decorateReply: false,
      index: false,
      // One route per file: a path without a file of the app stays the JSON 404.
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: ['**/*.br', '**/*.gz', '.stamp', PAGE],
    })
    files.get('/', async (_request, reply) => sendPage(reply))
  })
  return {
    sendPage: (request, reply) => (isForBrowser(request) ? sendPage(reply) : null),
  }
}
