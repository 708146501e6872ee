import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { nodes } from '../support/nodes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SLOW = 180_000
const run = promisify(execFile)

let room = ''
const installed = () => path.join(room, 'node_modules', 'kasir-client')

beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-packed-'))
  const client = path.join(room, 'client')
  await cp(path.join(ROOT, 'client'), client, {
    recursive: true,
    filter: (name) => !/node_modules|dist$/.test(name),
  })
  await cp(path.join(ROOT, 'tsconfig.json'), path.join(room, 'tsconfig.json'))
  await symlink(path.join(ROOT, 'node_modules'), path.join(client, 'node_modules'))
  await run('npm', ['run', 'build'], { cwd: client })
  await run('npm', ['pack', '--pack-destination', room], { cwd: client })
  await mkdir(installed(), { recursive: true })
  await run('tar', [
    'xzf',
    path.join(room, 'kasir-client-0.1.0.tgz'),
    '--strip-components=1',
    '-C',
    installed(),
  ])
  for (const name of ['standardwebhooks', '@stablelib', 'fast-sha256']) {
    await symlink(path.join(ROOT, 'node_modules', name), path.join(room, 'node_modules', name))
  }
}, SLOW)
afterAll(() => rm(room, { recursive: true, force: true }))

test.each(nodes())(
  'the packed client runs in an empty folder under %s',
  async (_name, node) => {
    const script = `import { createKasir, KasirTransportError } from 'kasir-client'
import { verifyWebhook } from 'kasir-client/webhooks'
const kasir = createKasir({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', tries: 1 })
const error = await kasir.sales.list().catch((failed) => failed)
console.log(error instanceof KasirTransportError, error.fault, typeof verifyWebhook)`
    await writeFile(path.join(room, 'use.mjs'), script)
    expect((await run(node, ['use.mjs'], { cwd: room })).stdout).toBe('true network function\n')
  },
  SLOW,
)

test(
  'the package holds what is used and nothing else, and the client itself depends on nothing',
  async () => {
    const manifest = JSON.parse(await readFile(path.join(installed(), 'package.json'), 'utf8')) as {
      dependencies: object
    }
    expect(Object.keys(manifest.dependencies)).toEqual(['standardwebhooks'])
    const sources = await Promise.all(
      ['index.js', 'kasir.js', 'call.js', 'generated/operations.js'].map((name) =>
        readFile(path.join(installed(), 'dist', name), 'utf8'),
      ),
    )
    expect(
      sources.flatMap((text) => [...text.matchAll(/from ['"]([^.'"][^'"]*)['"]/g)].map(([, name]) => name)),
    ).toEqual([])
  },
  SLOW,
)

async function bundleOf(script: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: room },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}
const bundled = async (script: string) => gzipSync(await bundleOf(script)).length

test(
  'one call is at most 6 kB of a bundle, the whole client at most 25',
  async () => {
    const one = `import { connect, salesCreate } from 'kasir-client'; globalThis.x = salesCreate(connect({ baseUrl: '' }), {})`
    const all = `import { createKasir } from 'kasir-client'; globalThis.x = createKasir({ baseUrl: '' })`
    expect(await bundled(one)).toBeLessThanOrEqual(6_000)
    expect(await bundled(all)).toBeLessThanOrEqual(25_000)
  },
  SLOW,
)

describeInChromium('the packed client in a browser', (browser) => {
  test(
    'reads, and writes under a key of its own making',
    async () => {
      const script = `import { createKasir } from 'kasir-client'
const kasir = createKasir({ baseUrl: location.origin, apiKey: 'kasir_sk_x' })
globalThis.done = Promise.all([kasir.outlets.list(), kasir.outlets.create({ name: 'Kemang' })])`
      const app = await bundleOf(script)
      const asked: unknown[] = []
      const server = createServer((request, response) => {
        const { method, url = '', headers } = request
        if (!url.startsWith('/api'))
          return response.end(url === '/app.js' ? app : '<script src="/app.js"></script>')
        asked.push([method, url, headers.authorization, headers['idempotency-key']])
        const meta = { requestId: 'req_1', timestamp: '2026-11-22T05:00:00.000Z' }
        response.setHeader('content-type', 'application/json')
        return response.end(JSON.stringify({ data: { method }, error: null, meta }))
      }).listen(0, '127.0.0.1')
      try {
        await new Promise((resolve) => server.once('listening', resolve))
        const page = await browser().newPage()
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
        expect(await page.evaluate('done')).toEqual([{ method: 'GET' }, { method: 'POST' }])
        expect(asked.toSorted()).toEqual([
          ['GET', '/api/v1/outlets', 'Bearer kasir_sk_x', undefined],
          ['POST', '/api/v1/outlets', 'Bearer kasir_sk_x', expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)],
        ])
        await page.close()
      } finally {
        server.closeAllConnections()
        server.close()
      }
    },
    SLOW,
  )
})
