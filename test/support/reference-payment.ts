import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startReferencePaymentPartner } from '../../reference-partners/src/payment/index.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { enableModule, makeOutlet } from './build.ts'
import { cloneDatabase } from './db.ts'
import { done } from './expect.ts'
import { type PartnerRequest, sendJson, settingsOfModule, startPartner } from './partner.ts'
import { requireBuiltRegister } from './register-page.ts'
import { acme, useService } from './service.ts'

const PLATFORM_KEY = 'platform-key-of-these-tests'

/** Answers whose fields, except ids, are missing or have another type. */
type Damage = 'bare' | 'mistyped'
/** What happens to requests at the reference partner: the answer is lost or damaged after the work, or it does no work. */
type Fault = 'down' | 'lost' | 'anonymous' | Damage | null

/** Every field of a record has another type than it had. */
function mistyped(value: unknown): unknown {
  if (typeof value === 'number') return 'twelve'
  if (typeof value === 'string') return 12
  if (typeof value === 'boolean') return 'yes'
  return value === null ? {} : 'none'
}

function damage(value: unknown, how: Damage): unknown {
  if (Array.isArray(value)) return value.map((each) => damage(each, how))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    if (name === 'id') return [[name, field]]
    if (how === 'mistyped') return [[name, mistyped(field)]]
    return typeof field === 'object' && field !== null ? [[name, damage(field, how)]] : []
  })
  return Object.fromEntries(fields)
}

/** The reference payment partner behind a server that can lose its answers or refuse to work. */
export async function startReferencePayment() {
  const database = await cloneDatabase()
  const mails = await mkdtemp(path.join(tmpdir(), 'kasir-mails-'))
  const wire = await startPartner()
  const reference = await startReferencePaymentPartner({
    databaseUrl: database.url,
    port: 0,
    platformKey: PLATFORM_KEY,
    webhookSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    noticeUrl: null,
    mail: { smtpUrl: null, from: 'kasir@example.com', dir: mails },
    log: makeLog('fatal'),
  })
  let fault: Fault = null
  wire.answers(async (request, response: ServerResponse) => {
    if (fault === 'down')
      return void sendJson(response, 503, { error: { code: 'DOWN', message: 'Maintenance' } })
    const answer = await forward(reference.url, request)
    if (fault === 'lost' && request.method !== 'GET') return void response.destroy()
    const type = answer.headers.get('content-type') ?? ''
    if (fault === 'anonymous' && request.method === 'POST')
      return void sendJson(response, answer.status, { data: {} })
    if ((fault === 'bare' || fault === 'mistyped') && request.path !== '/v1/workspaces' && answer.ok) {
      const { data, ...rest } = (await answer.json()) as { data: unknown }
      return void sendJson(response, answer.status, { ...rest, data: damage(data, fault) })
    }
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  })
  return {
    settings: settingsOfModule('PAYMENT', { url: wire.url, platformKey: PLATFORM_KEY }),
    asked: wire.asked,
    fail: (next: Fault) => {
      fault = next
    },
    close: async () => {
      await wire.close()
      await reference.close()
      await database.drop()
      await rm(mails, { recursive: true, force: true })
    },
  }
}

/** The tests of a file share a shop in Chromium whose payment module has this partner; each begins without a fault. */
export async function usePaymentShop() {
  requireBuiltRegister()
  const partner = await startReferencePayment()
  useService({ env: partner.settings, partnerTuning: { restMs: 100 } })
  afterAll(() => partner.close())
  beforeEach(() => partner.fail(null))
  beforeAll(async () => {
    await makeOutlet(acme(), { name: 'Cikini' })
    await enableModule(acme(), 'payment')
  })
  return partner
}

export const paymentsAt = async (path: string) => done(await acme().get(`/payments${path}`))

function forward(url: string, { method, path, query, headers, body }: PartnerRequest) {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers
  return fetch(`${url}${path}${query && `?${query}`}`, {
    method,
    headers: rest as Record<string, string>,
    ...(body === '' ? {} : { body }),
  })
}
