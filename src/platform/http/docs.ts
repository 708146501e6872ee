import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { acceptedEncoding, type Encoding } from './compress.ts'
import { pagePolicy, sendPage } from './pages.ts'
import { API_PREFIX } from './route.ts'

/** What the reference must not do: its toolbar sends the document to its maker at a click, so there is no toolbar. */
const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // What is tried here goes to the address that the page came from.
  servers: [{ url: '/' }],
}

/** The readable reference: Scalar's bundle, served by ourselves so that it works without a network. */
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Kasir API</title></head>
<body>
<script id="api-reference" data-url="${API_PREFIX}/openapi.json" data-configuration='${JSON.stringify(CONFIGURATION)}'></script>
<script src="/docs/reference.js"></script>
</body>
</html>`

/** The reference styles its own elements and asks nobody but this service, whatever its buttons would do. */
const POLICY = pagePolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
})

/** The build puts it there, once as it is and once for each encoding (scripts/lib/reference.mjs). */
const BUNDLE = new URL('../../../vendor/reference.js', import.meta.url)
const ENDINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' }

/** Megabytes that nobody needs before the first reader comes, and that all readers share from then on. */
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
