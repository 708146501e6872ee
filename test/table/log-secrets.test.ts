import { Writable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { isUnsafe } from '../../src/core/methods.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { routes } from '../../src/routes.ts'
import { browser, cookieOf, delegateOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { writtenMails } from '../support/mails.ts'
import { acme, address, as, deps, useService } from '../support/service.ts'

let text = ''
const sink = new Writable({
  write(chunk, _encoding, written) {
    text += String(chunk)
    written()
  },
})
useService({ log: makeLog('trace', sink), env: { LOG_REQUESTS: 'all', TRUST_PROXY: '1' } })

const MAIL = 'sari.rahasia@planted.example'
const OTHER = 'budi.rahasia@planted.example'
const PHONE = '0812-7654-3210'
const ABROAD = '+6281276543210'
const PASSWORD = 'planted nasi goreng'
const NEXT = 'planted gado gado'
const planted = new Set([MAIL, OTHER, PHONE, ABROAD, PASSWORD, NEXT, encodeURIComponent(MAIL)])
const plant = (secret: string | undefined) => {
  expect(secret?.length ?? 0).toBeGreaterThan(10)
  planted.add(secret ?? '')
  return secret ?? ''
}
let network = 0
const fresh = () => ({ 'x-forwarded-for': `203.0.113.${(network += 1) % 250}` })
const tokenOf = async (email: string, kind: string) => {
  const mails = await writtenMails()
  const link = new RegExp(`${kind}#(\\S+)`)
  return plant(
    mails
      .filter((mail) => mail.includes(email))
      .flatMap((mail) => link.exec(mail)?.[1] ?? [])
      .at(-1),
  )
}

/** What people do with their secrets, right and wrong. */
async function live() {
  const post = (route: string, body: object) => as(null).post(route, body, { headers: fresh() })
  const entered = await post('/auth/signup', { email: MAIL, password: PASSWORD, name: 'Sari' })
  const cookie = cookieOf(entered)
  plant(cookie?.split('=')[1])
  const owner = browser(cookie)
  await post('/auth/login', { email: MAIL, password: NEXT })
  await post('/auth/login', { email: PASSWORD, password: MAIL })
  await post('/auth/signup', { email: MAIL, password: PASSWORD })
  await post('/auth/email/verify', { token: await tokenOf(MAIL, 'verify') })
  await post('/auth/password/forgot', { email: MAIL })
  const token = await tokenOf(MAIL, 'password')
  for (let twice = 0; twice < 2; twice += 1) await post('/auth/password/reset', { token, password: NEXT })
  const again = browser(cookieOf(await post('/auth/login', { email: MAIL, password: NEXT })))
  await again.post('/auth/password', { currentPassword: PASSWORD, password: NEXT })
  const { member } = done(await again.post('/members', { email: OTHER, name: 'Budi', role: 'CASHIER' }))
  const invitation = await tokenOf(OTHER, 'invitation')
  for (let twice = 0; twice < 2; twice += 1)
    await post('/auth/invitations/accept', { token: invitation, password: PASSWORD })
  await again.patch(`/members/${member.id}`, { password: NEXT, email: `x${OTHER}` })
  await again.post('/members', { email: MAIL, name: 'Budi', role: 'CASHIER' })
  plant(
    done(await again.post('/api-keys', { name: 'Till' }, { idempotencyKey: plant('planted-idempotency-1') }))
      .key,
  )
  const person = { name: 'Ani', email: MAIL, phone: ABROAD }
  const { customer } = done(await again.post('/customers', person))
  await again.patch(`/customers/${customer.id}`, { phone: PHONE })
  await again.get(`/customers?q=${encodeURIComponent(PHONE)}`)
  await again.get(`/customers?${MAIL}=${PASSWORD}`)
  await owner.get('/members')
  const { subscription, secret } = done(
    await again.post('/webhook-subscriptions', { url: 'https://hooks.example.com/kasir' }),
  )
  plant(secret)
  await again.patch(`/webhook-subscriptions/${subscription.id}`, { url: `https://u:${PASSWORD}@example.com` })
  const { token: delegated } = await delegateOf({ workspace: { ...acme().workspace } }, member.id, 'act')
  plant(delegated)
  await as(null).get('/outlets', { headers: { authorization: `Delegation ${delegated}` } })
  await as(null).get('/outlets', { headers: { authorization: `Bearer ${plant('planted-bearer-token')}` } })
}

/** Every secret where it does not belong: in each place of each route, with each credential. */
async function misplace() {
  const secrets = [...planted]
  const fields = Object.fromEntries(secrets.map((secret) => [secret, secret]))
  const areas = ['auth', 'customers', 'members', 'api-keys', 'webhooks', 'settings']
  for (const [n, row] of routes.filter(({ area }) => areas.includes(area)).entries()) {
    const secret = encodeURIComponent(secrets[n % secrets.length] ?? '')
    const at = row.path.replaceAll(/\{\w+\}/g, secret)
    const headers = {
      'x-request-id': MAIL,
      'idempotency-key': PHONE,
      cookie: `kasir_session=${secret}`,
      ...fresh(),
    }
    const known = Object.fromEntries(
      Object.keys((row.body as { properties?: object } | undefined)?.properties ?? {}).map((key, i) => [
        key,
        secrets[(n + i) % secrets.length],
      ]),
    )
    const isWrite = isUnsafe(row.method)
    for (const body of [known, fields]) {
      const answer = await fetch(
        `${address()}/api/v1${at}${isWrite ? '' : `?${secret}=${secret}&q=${secret}`}`,
        {
          method: row.method,
          headers: {
            ...headers,
            ...(n % 2 === 0 ? { authorization: `Bearer ${acme().workspace.key}` } : {}),
            ...(isWrite ? { 'content-type': 'application/json' } : {}),
          },
          ...(isWrite ? { body: JSON.stringify(body) } : {}),
          redirect: 'manual',
        },
      )
      await answer.arrayBuffer()
    }
  }
}

beforeAll(async () => {
  await live()
  await misplace()
}, 120_000)

test('no credential, cookie, token, mail address, phone or password that was sent is in the log at its finest level', () => {
  const lines = text.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(150)
  const leaked = [...planted].flatMap((secret) => {
    const found = lines.find(
      (line) => line.includes(secret) || line.includes(JSON.stringify(secret).slice(1, -1)),
    )
    return found === undefined ? [] : [[secret, found]]
  })
  expect(leaked).toEqual([])
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
})

test.each([
  ['hello sari@warung.co.id!', 'hello [mail]!'],
  ['call 0812 3456 7890 or +62 812-3456-7890', 'call [phone] or [phone]'],
  ['kasir_sk_01ABC_defghij', '[secret]'],
  ['Bearer abcdefghijkl', 'Bearer [secret]'],
  ['req_01M81GNY4DB8KW9PRHHVM7DSV7 of 2026-11-22T11:36:20.389Z took 81234567 ms', null],
  ['product 8991002101234, total 12500000, port 127.0.0.1:5432', null],
])('a line of the log says %j as %j', (said, written) => {
  const before = text.length
  deps().log.info(said)
  expect(JSON.parse(text.slice(before)).msg).toBe(written ?? said)
})
