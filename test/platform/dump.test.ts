import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Secret, TOTP } from 'otpauth'
import { to as copyTo } from 'pg-copy-streams'
import { afterAll, expect, test } from 'vitest'
import { mailLocation } from '../../src/platform/mail/mail.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import type { Api } from '../support/api.ts'
import { enableModule } from '../support/build.ts'
import { browser, cookieOf, delegateOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { keyAtPartner, settingsOf, startPartner } from '../support/partner.ts'
import { acme, as, deps, useService } from '../support/service.ts'

const partner = await startPartner()
// Nobody listens there, so the mails stay in the database.
useService({
  env: { ...settingsOf(partner), SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'kasir@planted.example' },
})
afterAll(() => partner.close())

/** Every table of the database as PostgreSQL's COPY writes it, in lower case. */
async function dump(): Promise<string> {
  const client = await deps().pool.connect()
  const parts: string[] = []
  const into = () =>
    new Writable({
      write(chunk, _encoding, written) {
        parts.push(String(chunk))
        written()
      },
    })
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of rows) await pipeline(client.query(copyTo(`copy ${name} to stdout`)), into())
  } finally {
    client.release()
  }
  return parts.join('').toLowerCase()
}

/** The middle of a base64 text that holds the bytes anywhere: what stands before shifts it by 0, 1 or 2 bytes. */
const base64sOf = (bytes: Buffer) =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    return text.slice(Math.ceil((before * 8) / 6), end)
  })
/** How a secret could lie in a dump: plain, in hex, in base64 and base64url. */
function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret as string)
  const base64s = base64sOf(bytes)
  return [
    ...(typeof secret === 'string' ? [secret] : []),
    bytes.toString('hex'),
    ...base64s,
    ...base64s.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ].map((form) => form.toLowerCase())
}

const planted = new Map<string, (string | Buffer)[]>()
/** Notes a secret, what it is made of, and the bytes that those parts stand for. */
function plant(kind: string, secret: string, ...parts: (string | Buffer)[]): string {
  for (const text of [secret, ...parts]) expect([kind, text.length >= 10]).toEqual([kind, true])
  planted.set(kind, [...(planted.get(kind) ?? []), secret, ...parts])
  return secret
}
/** A random part after the last dot or underscore of its frame, and the bytes it encodes. */
const randomOf = (token: string) => {
  const text = token.slice(-43)
  return [text, Buffer.from(text, 'base64url')] as const
}
const plantToken = (kind: string, token: string) => plant(kind, token, ...randomOf(token))

/** No secret: where the search does not find this, it finds nothing. */
const CONTROL = 'tertanam biasa saja'
const OWNER = 'pemilik@planted.example'
const CASHIER = 'kasir@planted.example'
const FIRST = plant('password at sign-up', 'tertanam nasi goreng')
const SECOND = plant('password after a reset', 'tertanam gado gado')
const INVITED = plant('password of an invitation', 'tertanam sate ayam')
const SET = plant('password set by an owner', 'tertanam soto betawi')
const PIXEL = plant('pixel token', 'EAAGtertanamPixelToken0123456789')

/** The token of the last mail of a kind, as only the service can open it. */
async function mailed(kind: string): Promise<string> {
  const rows = await deps().db.selectFrom('mails').select(['accountId', 'id', 'body']).orderBy('id').execute()
  const mails = await Promise.all(
    rows.map(({ accountId, id, body }) => deps().secrets.open(body, mailLocation(accountId, id))),
  )
  const link = new RegExp(`/${kind}#([\\w.-]+)`)
  return mails.flatMap((mail) => link.exec(JSON.parse(mail).text)?.[1] ?? []).at(-1) ?? ''
}
const cookieNamed = (headers: Headers, name: string) =>
  headers
    .getSetCookie()
    .flatMap((line) => new RegExp(`^${name}=([^;]+)`).exec(line)?.[1] ?? [])
    .at(-1) ?? ''

/** Does through the API what makes each kind of secret. */
async function live() {
  const anybody = as(null)
  const entered = await anybody.post('/auth/signup', { email: OWNER, password: FIRST, name: 'Sari' })
  const accountId = done(entered).account.id as AccountId
  plantToken('session cookie', cookieNamed(entered.headers, 'kasir_session'))
  const [name = '', mark = ''] = cookieNamed(entered.headers, 'kasir_device').split('.')
  plant('device cookie', `${name}.${mark}`, name, mark, Buffer.from(name, 'base64url'))
  plantToken('e-mail proof token', await mailed('verify'))
  done(await anybody.post('/auth/password/forgot', { email: OWNER }))
  const reset = plantToken('reset link token', await mailed('password'))
  done(await anybody.post('/auth/password/reset', { token: reset, password: SECOND }))
  // One that is still open.
  done(await anybody.post('/auth/password/forgot', { email: OWNER }))
  plantToken('open reset link token', await mailed('password'))
  const again = await anybody.post('/auth/login', { email: OWNER, password: SECOND })
  plantToken('session cookie of a login', cookieNamed(again.headers, 'kasir_session'))
  const owner = browser(cookieOf(again))

  const invite = { email: CASHIER, name: 'Budi', role: 'CASHIER' }
  const { member } = done(await owner.post('/members', invite, { idempotencyKey: 'invite' }))
  const invitation = plantToken('invitation token', await mailed('invitation'))
  done(await anybody.post('/auth/invitations/accept', { token: invitation, password: INVITED }))
  done(await owner.patch(`/members/${member.id}`, { password: SET }, { idempotencyKey: 'set' }))
  done(await owner.post('/members', { ...invite, email: `x${CASHIER}` }))
  plantToken('open invitation token', await mailed('invitation'))

  const keyed = async () =>
    done(await owner.post('/api-keys', { name: 'Till' }, { idempotencyKey: 'key' })).key
  const key = plantToken('API key, with the reply that is kept', await keyed())
  expect(await keyed()).toBe(key)
  const url = 'https://hooks.example.com/kasir'
  const hooked = async () =>
    done(await owner.post('/webhook-subscriptions', { url }, { idempotencyKey: 'hook' })).secret
  const secret = await hooked()
  const kept = secret.slice('whsec_'.length)
  plant('webhook secret, with the reply that is kept', secret, kept, Buffer.from(kept, 'base64'))
  expect(await hooked()).toBe(secret)

  const { token, api: assistant } = await delegateOf(
    { workspace: { ...acme().workspace, accountId } },
    member.id,
    'act',
  )
  const signature = token.split('.')[2] ?? ''
  plant('delegation token', token, signature, Buffer.from(signature, 'base64url'))
  done(await assistant.get('/outlets'))

  await enableModule(owner, 'payment')
  plant('module partner key', keyAtPartner(accountId))
  await enableModule(owner, 'marketing')
  const pixels = { socialCapiAccessToken: PIXEL }
  done(await owner.patch('/account/pixels', pixels, { idempotencyKey: 'pixel' }))

  done(await owner.post('/customers', { name: CONTROL, note: formsOf(CONTROL).join(' ') }))
  await guard(owner)
}

/** A second factor, and one step of a sign-in with it. */
async function guard(owner: Api) {
  const begun = done(await owner.post('/auth/second-factor', { currentPassword: SECOND }))
  const secret = plant(
    'second-factor secret',
    begun.secret,
    Buffer.from(Secret.fromBase32(begun.secret).bytes),
  )
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const { recoveryCodes } = done(await owner.post('/auth/second-factor/confirm', { code }))
  for (const recovery of recoveryCodes) plant('recovery codes', recovery, recovery.replaceAll('-', ''))
  const half = await as(null).post('/auth/login', { email: OWNER, password: SECOND })
  const { challenge } = half.error.details
  plant('challenge of half a sign-in', challenge)
  done(await as(null).post('/auth/login/second-factor', { challenge, code: recoveryCodes[0] }))
}

test('a dump of every table holds no secret: not plain, not in hex, not in base64 of either alphabet', async () => {
  await live()
  const text = await dump()
  // What is no secret is found in every form, so what is a secret would be.
  expect(formsOf(CONTROL).filter((form) => !text.includes(form))).toEqual([])
  expect([...planted.keys()]).toHaveLength(20)
  const found = [...planted].flatMap(([kind, secrets]) =>
    secrets
      .flatMap(formsOf)
      .filter((form) => text.includes(form))
      .map((form) => `${kind}: ${form}`),
  )
  expect(found).toEqual([])
}, 120_000)
