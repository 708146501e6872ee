import { mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { issueCertificate, openAuthority } from '../../src/cli/authority.ts'
import { addMs } from '../../src/core/time.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { certificate } from '../../src/platform/doctor/certificate.ts'
import { renewTls, type TlsPair } from '../../src/platform/http/tls.ts'
import { openMetrics } from '../../src/platform/metrics/metrics.ts'
import { noWorkers } from '../../src/platform/sharding/pulse.ts'

type Issued = Awaited<ReturnType<typeof issueCertificate>>

const DAY_MS = 86_400_000

let dir = ''
let cert = ''
let key = ''
let first: Issued
let second: Issued

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kasir-renewal-'))
  ;[cert, key] = [path.join(dir, 'service.crt'), path.join(dir, 'service.key')]
  const authority = await openAuthority(null)
  first = await issueCertificate(authority, ['pos.example'])
  second = await issueCertificate(authority, ['pos.example'], addMs(systemClock.now(), -100 * DAY_MS))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Starts with the first certificate; `look` lets the ten seconds pass after which the service looks at the files. */
async function serve() {
  await writeFile(cert, first.cert)
  await writeFile(key, first.key)
  const inUse: string[] = []
  const reasons: string[] = []
  const server = { setSecureContext: (pair: TlsPair) => void inUse.push(pair.cert) }
  const app = { server, addHook: () => {} } as unknown as FastifyInstance
  const log = { info: () => {}, error: ({ reason }: { reason: string }) => void reasons.push(reason) }
  const config = readConfig({ TLS_CERT: cert, TLS_KEY: key, PUBLIC_URL: 'https://pos.example' })
  renewTls(app, { config, clock: systemClock, log: log as unknown as Deps['log'] }, first)
  return { app, config, inUse, reasons, look: () => vi.advanceTimersByTime(10_000) }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

test('a renewed certificate that was unusable at first is in use once it is usable, although its files have the same age', async () => {
  const { inUse, reasons, look } = await serve()
  await writeFile(cert, second.cert)
  await writeFile(key, 'not readable yet')
  await utimes(key, 1_800_000_000, 1_800_000_000)
  look()
  look()
  expect(inUse).toEqual([])
  expect(reasons).toEqual([expect.stringContaining('holds no private key')])
  await writeFile(key, second.key)
  await utimes(key, 1_800_000_000, 1_800_000_000)
  look()
  look()
  expect([inUse, reasons.length]).toEqual([[second.cert], 1])
})

test('a certificate whose file cannot be looked at does not stop the service, and is in use when it is back', async () => {
  const { inUse, reasons, look } = await serve()
  await rm(cert)
  await symlink(cert, cert)
  expect(look).not.toThrow()
  expect(reasons).toEqual([expect.stringContaining('ELOOP')])
  await writeFile(`${cert}.new`, second.cert)
  await writeFile(key, second.key)
  await rename(`${cert}.new`, cert)
  look()
  expect(inUse).toEqual([second.cert])
})

test('the metric shows when the certificate in use expires, before and after a renewal', async () => {
  const { app, look } = await serve()
  const pool = { totalCount: 0, idleCount: 0, waitingCount: 0, query: async () => ({ rows: [] }) }
  const database = { pool, slots: { waiting: () => 0 }, pulse: { beat: async () => {} }, replica: null }
  const rest = { disks: async () => [], jobs: { list: () => [] }, workers: noWorkers, clock: systemClock }
  const deps = { ...database, ...rest } as unknown as Deps
  const metrics = openMetrics(app, deps)
  const expiry = async () =>
    Number(/^kasir_certificate_expiry_timestamp_seconds\{.*\} (\d+)$/m.exec(await metrics.text())?.[1])
  expect(await expiry()).toBe(Math.floor(first.validTo.getTime() / 1_000))
  await writeFile(cert, second.cert)
  expect(await expiry()).toBe(Math.floor(first.validTo.getTime() / 1_000))
  await writeFile(key, second.key)
  look()
  expect(await expiry()).toBe(Math.floor(second.validTo.getTime() / 1_000))
})

test('kasir doctor warns of a certificate from fourteen days before it expires, and reports an expired one as a fault', async () => {
  const { config } = await serve()
  const daysBefore = (days: number) =>
    certificate(config, first.validTo.getTime() - days * DAY_MS).map(({ state, found }) => [state, found])
  const day = first.validTo.toISOString().slice(0, 10)
  expect(daysBefore(15)).toEqual([['ok', `valid until ${day}`]])
  expect(daysBefore(2)).toEqual([['warn', expect.stringContaining(`expires on ${day}, in `)]])
  expect(daysBefore(-1)).toEqual([['fault', expect.stringContaining(`expired on ${day}`)]])
  expect(certificate(readConfig({}), systemClock.ms())).toEqual([])
})
