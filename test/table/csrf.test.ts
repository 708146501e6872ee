import { beforeAll, expect, test } from 'vitest'
import { isUnsafe } from '../../src/core/methods.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { authOf, type Route } from '../../src/platform/http/route.ts'
import type { Api } from '../support/api.ts'
import { enableModule } from '../support/build.ts'
import { browser, memberOf } from '../support/clients.ts'
import { acme, address, as, deps, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { hasProbe, probeFor } from './probes/index.ts'
import { nameOf, pathOf } from './request.ts'

// Nothing grows stale while it stands still, so the use of a credential is written once.
const clock = manualClock('2026-07-01T01:00:00.000Z')
useService({ clock, env: { CORS_ORIGINS: 'https://app.example.com' } })
beforeAll(async () => {
  for (const module of ['marketing', 'payment', 'fulfillment'] as const) await enableModule(acme(), module)
})

const unsafe = routes.filter((row) => isUnsafe(row.method) && authOf(row) !== 'signature')
const OWN = 'own'

/** What a browser says of where a request comes from, and whether a write may come from there. */
const CELLS: Record<string, { headers: Record<string, string>; allowed: boolean }> = {
  'the same origin': { headers: { origin: OWN, 'sec-fetch-site': 'same-origin' }, allowed: true },
  'the same origin, an old browser': { headers: { origin: OWN }, allowed: true },
  'no browser': { headers: {}, allowed: true },
  'an allowed origin': { headers: { origin: 'https://app.example.com' }, allowed: true },
  'another site': { headers: { origin: OWN, 'sec-fetch-site': 'cross-site' }, allowed: false },
  'another site that hides its origin': { headers: { 'sec-fetch-site': 'cross-site' }, allowed: false },
  'another origin': { headers: { origin: 'https://evil.example' }, allowed: false },
  'a sandboxed page': { headers: { origin: 'null' }, allowed: false },
  'another port': { headers: { origin: 'http://127.0.0.1:1' }, allowed: false },
  'a longer name': { headers: { origin: 'https://app.example.com.evil.example' }, allowed: false },
}
const headersOf = ({ headers }: { headers: Record<string, string> }) =>
  headers['origin'] === OWN ? { ...headers, origin: address() } : headers

/** Whoever reads this body answers 400: it is read only once everything before it has been passed. */
const GARBAGE = '{"not json'
const knock = (api: Api, row: Route, headers: Record<string, string>, body = GARBAGE) =>
  api.raw(row.method, pathOf(row, {}), body, { 'content-type': 'application/json', ...headers })

test.each(Object.entries(CELLS))('a write with a cookie from %s', async (_, cell) => {
  const { api } = await memberOf(acme(), 'OWNER')
  const wrong: unknown[] = []
  for (const row of unsafe) {
    const { status, error } = await knock(api, row, headersOf(cell))
    const code = `${status} ${error?.code}`
    if (code !== (cell.allowed ? '400 VALIDATION_ERROR' : '403 FORBIDDEN')) wrong.push([nameOf(row), code])
  }
  expect(wrong).toEqual([])
  expect(unsafe.length).toBeGreaterThan(60)
  expect((await api.get('/auth/me')).status).toBe(200)
})

test('signing in and out is a write of the browser with or without a cookie', async () => {
  const wrong: unknown[] = []
  for (const row of unsafe.filter((one) => authOf(one) === 'session')) {
    for (const [name, cell] of Object.entries(CELLS)) {
      const { status } = await knock(as(null), row, headersOf(cell))
      if (status !== (cell.allowed ? 400 : 403)) wrong.push([nameOf(row), name, status])
    }
  }
  expect(wrong).toEqual([])
})

test('a key is sent by no browser on its own, so where it comes from does not matter', async () => {
  const wrong: unknown[] = []
  for (const row of unsafe.filter((one) => authOf(one) === 'credential')) {
    for (const [name, cell] of Object.entries(CELLS)) {
      const { status } = await knock(acme(), row, headersOf(cell))
      if (status !== 400) wrong.push([nameOf(row), name, status])
    }
  }
  expect(wrong).toEqual([])
})

/** What a form of another site can send without being asked first (Fetch, CORS-safelisted request-header). */
const FORMS: Record<string, string> = {
  'text/plain': '{"name":"x"}',
  'text/plain;charset=UTF-8': '{"name":"x","a":"="}',
  'application/x-www-form-urlencoded': 'name=x',
  'multipart/form-data; boundary=b':
    '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n',
}

test.each(Object.entries(FORMS))('a body of %s is 415 on every route that writes', async (type, body) => {
  const { api } = await memberOf(acme(), 'OWNER')
  const wrong: unknown[] = []
  for (const row of unsafe) {
    const { status, error } = await knock(api, row, { 'content-type': type }, body)
    if (status !== 415) wrong.push([nameOf(row), status, error?.code])
  }
  expect(wrong).toEqual([])
})

/** Each table with its number of rows and a hash of them, without the row by which /health checks that writes work. */
async function database(): Promise<Record<string, string>> {
  const { rows: tables } = await deps().pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'heartbeats' order by 1`,
  )
  expect(tables.length).toBeGreaterThan(30)
  const hashes = await deps().pool.query<{ name: string; hash: string }>(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash from ${name} t`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(hashes.rows.map(({ name, hash }) => [name, hash]))
}

const COOKIE_USED = `select count(*)::int as n from sessions where last_seen_at = $1 and address is not null`

test('no GET and no HEAD writes anything, whoever asks', async () => {
  const { cookie, api: owner } = await memberOf(acme(), 'OWNER')
  // A click on a referral link is counted; test/areas/marketing/storefront.test.ts says by whom.
  // A poll hears of money; test/areas/partners/payments.test.ts says what it does.
  const writing = ['storefront.followLink', 'payments.getSession']
  const gets = routes.filter((row) => row.method === 'GET' && !writing.includes(row.name))
  expect(gets.filter((row) => !hasProbe(row)).map(nameOf)).toEqual([
    'GET /auth/oidc/callback',
    'GET /auth/me',
    'GET /health',
  ])
  const paths: string[] = []
  for (const row of gets) paths.push(pathOf(row, hasProbe(row) ? await probeFor(row, acme()) : {}))
  // The first use of each credential is written beside the request, and the settings are made on first read.
  clock.advance(120_000)
  for (const api of [acme(), owner]) expect((await api.get('/settings')).status).toBe(200)
  await expect
    .poll(async () => {
      const keys = await deps().db.selectFrom('apiKeys').select('lastUsedAt').execute()
      const { rows } = await deps().pool.query<{ n: number }>(COOKIE_USED, [clock.now()])
      return [keys.some((key) => key.lastUsedAt === clock.now()), rows[0]?.n]
    })
    .toEqual([true, 1])
  const before = await database()
  const credentials: Record<string, string>[] = [
    { authorization: `Bearer ${acme().workspace.key}` },
    { cookie },
    { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    {},
  ]
  const statuses = new Set<number>()
  for (const path of paths) {
    for (const headers of credentials) {
      for (const method of ['GET', 'HEAD']) {
        const stop = new AbortController()
        const answer = await fetch(`${address()}/api/v1${path}`, {
          method,
          headers: { ...headers, 'idempotency-key': 'a-read-has-none' },
          redirect: 'manual',
          signal: stop.signal,
        })
        statuses.add(answer.status)
        // A stream never ends.
        if (answer.headers.get('content-type')?.startsWith('text/event-stream')) stop.abort()
        else await answer.arrayBuffer()
      }
    }
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
  expect(statuses.has(200)).toBe(true)
  expect(await database()).toEqual(before)
  expect((await browser(cookie).get('/auth/me')).status).toBe(200)
})
