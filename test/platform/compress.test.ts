import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { acceptedEncoding, compressor } from '../../src/platform/http/compress.ts'
import { acme, address, useService } from '../support/service.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity', 'identity'],
  ['deflate, zstd', 'identity'],
  ['gzip;q=much', 'identity'],
])('Accept-Encoding %j gets %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding)
})

describe('on the service', () => {
  useService()

  type Raw = { status: number; headers: Record<string, unknown>; bytes: Buffer }
  /** An answer as it is on the wire: fetch would unpack it. */
  const wire = (path: string, encodings: string | null, method = 'GET', body?: object) =>
    new Promise<Raw>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${acme().workspace.key}`,
        ...(encodings === null ? {} : { 'accept-encoding': encodings }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = request(`${address()}${path}`, { method, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }),
        )
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })

  test('a long answer is compressed for who asks, says so, and reads the same', async () => {
    for (let n = 0; n < 10; n++)
      await acme().post('/outlets', { name: `Outlet ${n}`, address: 'Jalan '.repeat(20) })
    const plain = await wire('/api/v1/outlets', null)
    expect(plain.bytes.length).toBeGreaterThan(1_024)
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding'])
    const wanted = JSON.parse(plain.bytes.toString()).data
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await wire('/api/v1/outlets', encoding)
      expect([packed.headers['content-encoding'], packed.headers['vary']]).toEqual([
        encoding,
        'accept-encoding',
      ])
      expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(JSON.parse(unpack(packed.bytes).toString()).data).toEqual(wanted)
    }
  })

  test('a short answer, and one that holds a secret, is never compressed', async () => {
    const short = await wire('/api/v1/settings', 'gzip')
    expect([short.status, short.headers['content-encoding']]).toEqual([200, undefined])
    for (let n = 0; n < 10; n++) {
      const made = await wire('/api/v1/api-keys', 'gzip', 'POST', { name: `Till ${n}` })
      expect([made.status, made.headers['content-encoding']]).toEqual([201, undefined])
      await wire('/api/v1/gift-cards', 'gzip', 'POST', { amount: 10_000 })
    }
    for (const path of ['/api/v1/api-keys', '/api/v1/gift-cards']) {
      const list = await wire(path, 'gzip')
      expect(list.bytes.length).toBeGreaterThan(1_024)
      expect([path, list.headers['content-encoding'], list.headers['vary']]).toEqual([
        path,
        undefined,
        undefined,
      ])
    }
  })

  test('the document and the script of /docs are sent compressed', async () => {
    const document = await wire('/api/v1/openapi.json', 'br')
    expect(document.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(document.bytes).toString()).openapi).toBe('3.1.0')
    const script = await wire('/docs/reference.js', 'gzip, br')
    expect([script.headers['content-encoding'], script.headers['vary']]).toEqual(['br', 'accept-encoding'])
    expect(script.bytes.length).toBeLessThan(1_000_000)
    const plain = await wire('/docs/reference.js', null)
    expect(brotliDecompressSync(script.bytes).equals(plain.bytes)).toBe(true)
  })
})

test('of many answers at once a few are compressed and the others are sent as they are', async () => {
  const text = randomBytes(300_000).toString('hex')
  const app = Fastify()
  app.addHook(
    'onSend',
    compressor(() => true),
  )
  app.get('/', async (_request, reply) => reply.type('text/plain').send(text))
  try {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } })),
    )
    const packed = answers.filter(({ headers }) => headers['content-encoding'] === 'gzip')
    expect(packed.length).toBeGreaterThan(0)
    expect(packed.length).toBeLessThan(40)
    for (const { headers, rawPayload } of answers) {
      const read = headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload
      expect(read.toString() === text).toBe(true)
    }
  } finally {
    await app.close()
  }
})
