import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pagePolicy, sendPage } from './pages.ts'
import { API_PREFIX } from './route.ts'

/** The readable reference: Scalar's bundle, served by ourselves so that it works without a network. */
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Kasir API</title></head>
<body>
<script id="api-reference" data-url="${API_PREFIX}/openapi.json" data-configuration='{"withDefaultFonts":false,"telemetry":false,"agent":{"disabled":true},"hideClientButton":true}'></script>
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

const bundlePath = () => {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference')
  return path.join(
    entry.slice(0, entry.lastIndexOf(`${path.sep}dist${path.sep}`)),
    'dist/browser/standalone.js',
  )
}

export async function docs(app: FastifyInstance) {
  app.get('/docs', async (_request, reply) => sendPage(reply, PAGE, POLICY))
  app.get('/docs/reference.js', async (_request, reply) => {
    // Three megabytes that nobody needs before the first reader comes: read on request, cached by the browser.
    const bundle = await readFile(bundlePath())
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(bundle)
  })
}
