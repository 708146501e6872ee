import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { pagePolicy, sendPage } from '../print/pages.ts'
import { acceptedEncoding, type Encoding } from './compress.ts'
import { API_PREFIX } from './route.ts'

/** Disables the reference's toolbar, which would send the document to its vendor at a click. */
const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // Requests tried on the page go to the origin of the page.
  servers: [{ url: '/' }],
}

/** The readable API reference: Scalar's bundle, served by this process so that it works offline. */
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Kasir API</title></head>
<body>
<script id="api-reference" data-url="${API_PREFIX}/openapi.json" data-configuration='${JSON.stringify(CONFIGURATION)}'></script>
<script src="/docs/reference.js"></script>
</body>
</html>`

/** The reference styles its own elements and may connect only to this service. */
const POLICY = pagePolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
})

/** The build writes it, plain and once per encoding (scripts/lib/reference.mjs). */
const BUNDLE = new URL('../../../vendor/reference.js', import.meta.url)
const ENDINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' }

/** Several megabytes, loaded by the first reader and shared by all later ones. */
function bundleReader(): (encoding: Encoding) => Promise<Buffer> {
  const read = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const known = read.get(encoding) ?? readFile(new URL(BUNDLE.href + ENDINGS[encoding]))
    read.set(encoding, known)
    known.catch(() => read.delete(encoding))
    return known
  }
}

export async function docs(app: FastifyInstance) {
  const bundle = bundleReader()
  app.get('/docs', async (_request, reply) => sendPage(reply, PAGE, POLICY))
  app.get('/docs/reference.js', async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('vary', 'accept-encoding')
      .send(await bundle(encoding))
  })
}
