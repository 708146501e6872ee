import { mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { issueCertificate, openAuthority } from '../../src/cli/authority.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { renewTls, type TlsPair } from '../../src/platform/http/tls.ts'

type Issued = Awaited<ReturnType<typeof issueCertificate>>

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
  second = await issueCertificate(authority, ['pos.example'])
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
  renewTls(app, { config, clock: systemClock, log: log as unknown as Deps['log'] })
  return { inUse, reasons, look: () => vi.advanceTimersByTime(10_000) }
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
