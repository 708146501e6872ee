import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { BUILT, requireBuiltRegister } from '../support/register-page.ts'
import { address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = BROWSER) =>
  fetch(address() + path, { headers, redirect: 'manual' })

it('answers the page of the app on every path that a browser opens', async () => {
  for (const path of ['/', '/jual', '/shift', '/penjualan?sale=sal_1', '/no-such-page']) {
    const answer = await get(path)
    expect([path, answer.status]).toEqual([path, 200])
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(await answer.text()).toContain('<div id="app"></div>')
  }
})

it('allows the page no inline script, no other host and no frame', async () => {
  const answer = await get('/jual')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self';")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  const page = await answer.text()
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/)
  expect(page).not.toContain('<style')
})

it('keeps an unknown path of the API a JSON 404, and a program gets no page', async () => {
  for (const [path, headers] of [
    ['/api/v1/no-such-route', BROWSER],
    ['/no-such-page', { accept: '*/*' }],
    ['/sales', { accept: 'application/json' }],
  ] as const) {
    const answer = await get(path, headers)
    expect([path, answer.status]).toEqual([path, 404])
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  }
  expect((await get('/docs')).status).toBe(200)
})

it('serves hashed files for ever and compressed, and the worker only after asking', async () => {
  const script = readdirSync(BUILT + 'assets').find((name) => /^app-.*\.js$/.test(name)) ?? ''
  for (const encoding of ['br', 'gzip']) {
    const answer = await get(`/assets/${script}`, { 'accept-encoding': encoding })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toContain('javascript')
    expect(await answer.text()).toBe(readFileSync(`${BUILT}assets/${script}`, 'utf8'))
  }
  const worker = await get('/worker.js', {})
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  expect(await worker.text()).not.toContain('__FILES__')
  // Under the policy of an API answer the worker could fetch none of the files that it stores.
  expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  expect((await get('/assets/no-such-file.js', {})).status).toBe(404)
})

it('loads no other part of the app that is larger than 60 kB', () => {
  // The files that the page itself names are the first load, which another test limits.
  const page = readFileSync(`${BUILT}index.html`, 'utf8')
  for (const name of readdirSync(BUILT + 'assets').filter(
    (file) => file.endsWith('.js') && !page.includes(file),
  )) {
    const kB = gzipSync(readFileSync(`${BUILT}assets/${name}`)).length / 1_024
    expect(kB, name).toBeLessThan(60)
  }
})
