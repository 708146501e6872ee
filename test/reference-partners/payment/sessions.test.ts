import { PNG } from 'pngjs'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { crc16 } from '../../../reference-partners/src/payment/sessions/qris.ts'
import { emptyDatabase } from '../../support/db.ts'
import { clientOf, PLATFORM_KEY, paid, partner, rowsOf, SECRET, usePartner } from './partner.ts'

usePartner({ noticeSchedule: [0, 0.2, 0.2] })

const open = async (body: Record<string, unknown>) =>
  (await partner().acme.post('/v1/checkout-sessions', body)).data
const form = (url: string) => fetch(url, { method: 'POST', redirect: 'manual' })
const noticesOf = (id: string) =>
  partner()
    .receiver.received.map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.session?.id === id)

test('a workspace is opened by the platform key alone, and asked for again answers 200 with the same key', async () => {
  const { platform, acme } = partner()
  const first = await platform.post('/v1/workspaces', { externalId: 'acc_1', name: 'Kedai Satu' })
  const again = await platform.post('/v1/workspaces', { externalId: 'acc_1', name: 'Kedai 1' })
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.data).toEqual(first.data)
  expect(first.data.workspaceId).toMatch(/^wsp_[0-9A-Z]{26}$/)
  const refused = await acme.post('/v1/workspaces', { externalId: 'acc_2', name: 'Kedai Dua' })
  expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN'])
  expect(
    await rowsOf(`select 1 from reference_payment.workspaces where id like $1`, [`%${first.data.apiKey}%`]),
  ).toEqual([])
})

test('no key of a workspace lies in the database, also where it was asked for under an Idempotency-Key', async () => {
  const body = { externalId: 'acc_sealed', name: 'Kedai' }
  const key = { 'idempotency-key': 'provision-1' }
  const answers = [1, 2].map(() => partner().platform.post('/v1/workspaces', body, key))
  const [first, second] = await Promise.all(answers)
  expect(second?.data).toEqual(first?.data)
  const found = await rowsOf('select key from reference_payment.idempotency_keys where body like $1', [
    `%${first?.data.apiKey}%`,
  ])
  expect(found).toEqual([])
})

test('no key, a strange key and a key with another signature open nothing', async () => {
  const { url, acme } = partner()
  for (const key of [null, 'kasir_sk_x', `${acme.key?.slice(0, -1)}_`, PLATFORM_KEY.slice(1)]) {
    const { status, error } = await clientOf(url, key).get('/v1/checkout-sessions')
    expect([status, error.code]).toEqual([401, 'AUTH_REQUIRED'])
  }
})

test('a QRIS code is EMVCo with the amount inside and a right checksum, as text and as pictures', async () => {
  expect(crc16('123456789')).toBe(0x29b1)
  const session = await open({ amount: 25_000, currency: 'IDR', method: 'qris' })
  const fields = new Map<string, string>()
  for (let at = 0; at < session.qrString.length; ) {
    const length = Number(session.qrString.slice(at + 2, at + 4))
    fields.set(session.qrString.slice(at, at + 2), session.qrString.slice(at + 4, at + 4 + length))
    at += 4 + length
  }
  expect(Object.fromEntries(fields)).toMatchObject({
    '00': '01',
    '01': '12',
    '53': '360',
    '54': '25000',
    '58': 'ID',
    '59': 'Warung Acme',
    '63': session.qrString.slice(-4),
  })
  expect(fields.get('62')).toBe(`0525${session.id.slice(-25)}`)
  expect(crc16(session.qrString.slice(0, -4)).toString(16).toUpperCase().padStart(4, '0')).toBe(
    fields.get('63'),
  )
  expect([session.vaNumber, session.status, session.paymentId]).toEqual([null, 'open', null])
  const png = await fetch(session.qrImageUrl)
  expect(png.headers.get('content-type')).toBe('image/png')
  const { width, height } = PNG.sync.read(Buffer.from(await png.arrayBuffer()))
  expect([width === height, width > 200]).toEqual([true, true])
  expect(await (await fetch(session.qrImageUrl.replace('.png', '.svg'))).text()).toMatch(/^<svg/)
})

test('virtual accounts have 16 digits, one for each session', async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => open({ amount: 10_000, method: 'va' })))
  const numbers = sessions.map(({ vaNumber }) => vaNumber)
  expect(new Set(numbers).size).toBe(3)
  for (const number of numbers) expect(number).toMatch(/^\d{16}$/)
  expect(sessions[0].vaBank).toBe('BNI')
})

test.each([
  [{ amount: 10_000_001, method: 'qris' }, 422, 'amount'],
  [{ amount: 9_999, method: 'va' }, 422, 'amount'],
  [{ amount: 7, currency: 'USD', method: 'qris' }, 422, 'currency'],
  [{ amount: 7, returnUrl: 'javascript:alert(1)' }, 422, 'returnUrl'],
  [{ amount: 0 }, 400, 'amount'],
  [{ amount: 1.5 }, 400, 'amount'],
  [{ method: 'qris' }, 400, 'amount'],
  [{ amount: 7, method: 'cash' }, 400, 'method'],
  [{ amount: 7, metadata: { a: 1 } }, 400, 'metadata.a'],
  [{ amount: 7, expiresInSeconds: 9 }, 400, 'expiresInSeconds'],
  [{ amount: 7, amuont: 8 }, 400, 'amuont'],
])('a session of %j is refused with %i and names %s', async (body, status, param) => {
  const refused = await partner().acme.post('/v1/checkout-sessions', body)
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([
    status,
    'VALIDATION_ERROR',
    param,
  ])
})

test('a payment on the hosted page makes payment, receipt, ledger and a signed notice', async () => {
  const session = await open({ amount: 100_000, method: 'qris', metadata: { accountId: 'acc_acme' } })
  const answer = await form(`${session.hostedUrl}/pay`)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(session.hostedUrl).pathname])
  const { data } = await partner().acme.get(`/v1/checkout-sessions/${session.id}`)
  expect([data.status, data.paidAt !== null]).toEqual(['completed', true])
  expect(
    await rowsOf(
      `select type, amount::int, to_balance - from_balance is not null as counted from reference_payment.ledger_transfers
        where source_id = $1 order by id`,
      [data.paymentId],
    ),
  ).toEqual([
    { type: 'payment', amount: 100_000, counted: true },
    { type: 'fee', amount: 700, counted: true },
  ])
  expect(
    await rowsOf('select number from reference_payment.receipts where payment_id = $1', [data.paymentId]),
  ).toHaveLength(1)
  await expect.poll(() => noticesOf(session.id)).toHaveLength(1)
  expect(noticesOf(session.id)[0]).toMatchObject({
    type: 'checkout_session.completed',
    data: { workspaceExternalId: 'acc_acme', session: { ...data } },
  })
  const sent = partner().receiver.received.find(({ body }) => body.includes(session.id))
  const headers = sent?.headers as Record<string, string>
  expect(() => new Webhook(SECRET).verify(sent?.body ?? '', headers)).not.toThrow()
})

test('two payers at once make one payment, and both see it paid', async () => {
  const session = await open({ amount: 50_000, method: 'va' })
  const answers = await Promise.all(Array.from({ length: 8 }, () => form(`${session.hostedUrl}/pay`)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(303))
  expect(
    await rowsOf('select amount::int, fee::int from reference_payment.payments where session_id = $1', [
      session.id,
    ]),
  ).toEqual([{ amount: 50_000, fee: 4_000 }])
  expect(await (await fetch(session.hostedUrl)).text()).toContain('Lunas')
})

test('a failed session cannot be paid, and the service is told', async () => {
  const session = await open({ amount: 9_000, method: 'hosted' })
  await form(`${session.hostedUrl}/fail`)
  await form(`${session.hostedUrl}/pay`)
  const { data } = await partner().acme.get(`/v1/checkout-sessions/${session.id}`)
  expect([data.status, data.paymentId]).toEqual(['failed', null])
  await expect.poll(() => noticesOf(session.id).map(({ type }) => type)).toEqual(['checkout_session.failed'])
})

test('the end of its time ends a session: its page takes no money, and the service is told once', async () => {
  const past = await partner().start({ now: () => new Date(Date.now() - 3_600_000).toISOString() })
  const { data: session } = await clientOf(past.url, partner().acme.key).post('/v1/checkout-sessions', {
    amount: 9_000,
    method: 'qris',
  })
  await past.close()
  const { pathname } = new URL(session.hostedUrl)
  await Promise.all([1, 2].map(() => form(`${partner().url}${pathname}/pay`)))
  await expect
    .poll(async () => (await partner().acme.get(`/v1/checkout-sessions/${session.id}`)).data.status)
    .toBe('expired')
  const confirmed = await partner().acme.post(`/v1/checkout-sessions/${session.id}/confirm`)
  expect([confirmed.status, confirmed.error.code]).toEqual([409, 'CONFLICT'])
  expect(await (await fetch(`${partner().url}${pathname}`)).text()).not.toContain('<button')
  await expect.poll(() => noticesOf(session.id).map(({ type }) => type)).toEqual(['checkout_session.expired'])
})

test('a canceled session takes no money and tells nobody; a paid one cannot be canceled', async () => {
  const { acme } = partner()
  const session = await open({ amount: 9_000, method: 'qris' })
  const canceled = await acme.post(`/v1/checkout-sessions/${session.id}/cancel`)
  expect([canceled.status, canceled.data.status]).toEqual([200, 'canceled'])
  await form(`${session.hostedUrl}/pay`)
  expect((await acme.post(`/v1/checkout-sessions/${session.id}/cancel`)).data.status).toBe('canceled')
  const done = await paid(acme, { amount: 9_000, method: 'qris' })
  const refused = await acme.post(`/v1/checkout-sessions/${done.id}/cancel`)
  expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT'])
  await expect.poll(() => noticesOf(done.id)).toHaveLength(1)
  expect(noticesOf(session.id)).toEqual([])
})

test('a session is removed ninety days after it ended unpaid, a paid one never', async () => {
  const { acme } = partner()
  const unpaid = await open({ amount: 9_000 })
  await acme.post(`/v1/checkout-sessions/${unpaid.id}/cancel`)
  const [completed, endsLater] = [await paid(acme, { amount: 9_000 }), await open({ amount: 9_000 })]
  const daysAhead = (days: number) => () => new Date(Date.now() + days * 86_400_000).toISOString()
  const left = () =>
    rowsOf('select id from reference_payment.checkout_sessions where id = any($1) order by id', [
      [unpaid.id, completed.id, endsLater.id],
    ])
  await (await partner().start({ now: daysAhead(89) })).close()
  expect((await left()).length).toBe(3)
  const later = await partner().start({ now: daysAhead(91) })
  try {
    await expect.poll(left).toEqual([completed.id, endsLater.id].toSorted().map((id) => ({ id })))
  } finally {
    await later.close()
  }
})

test('confirming pays a session in the sandbox, once', async () => {
  const { acme } = partner()
  const session = await open({ amount: 9_000, method: 'qris' })
  const first = await acme.post(`/v1/checkout-sessions/${session.id}/confirm`)
  const second = await acme.post(`/v1/checkout-sessions/${session.id}/confirm`)
  expect([first.data.status, second.data.paymentId]).toEqual(['completed', first.data.paymentId])
})

test('a session of the platform itself is announced without a workspace', async () => {
  const done = await paid(partner().platform, { amount: 7, currency: 'USD', metadata: { tier: 'starter' } })
  await expect.poll(() => noticesOf(done.id)).toHaveLength(1)
  expect(noticesOf(done.id)[0].data).toMatchObject({
    workspaceExternalId: null,
    session: { currency: 'USD', metadata: { tier: 'starter' } },
  })
})

test('one Idempotency-Key has one effect and one answer; another body under it is 409', async () => {
  const { acme, globex } = partner()
  const key = { 'idempotency-key': 'sale-1' }
  const body = { amount: 12_345, method: 'qris', metadata: { a: '1', b: '2' } }
  const turned = { metadata: { b: '2', a: '1' }, method: 'qris', amount: 12_345 }
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => acme.post('/v1/checkout-sessions', n % 2 ? turned : body, key)),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(5)
  const other = await acme.post('/v1/checkout-sessions', { ...body, amount: 1 }, key)
  expect([other.status, other.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
  expect((await globex.post('/v1/checkout-sessions', body, key)).data.id).not.toBe(answers[0]?.data.id)
})

test('a name in metadata has at most 40 characters', async () => {
  const metadata = { ['x'.repeat(41)]: 'a' }
  const answer = await partner().acme.post('/v1/checkout-sessions', { amount: 9_000, metadata })
  expect([answer.status, answer.error?.param]).toEqual([400, 'metadata'])
})

test('the session of another workspace is not there', async () => {
  const { acme, globex } = partner()
  const { data } = await acme.post('/v1/checkout-sessions', { amount: 9_000 })
  for (const answer of [
    await globex.get(`/v1/checkout-sessions/${data.id}`),
    await globex.post(`/v1/checkout-sessions/${data.id}/confirm`),
    await globex.post(`/v1/checkout-sessions/${data.id}/cancel`),
  ]) {
    expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
  }
  const { data: list } = await globex.get('/v1/checkout-sessions?limit=100')
  expect(list.map(({ id }: { id: string }) => id)).not.toContain(data.id)
})

test('a list goes page by page, newest first, and refuses a strange cursor', async () => {
  const { data: own } = await partner().platform.post('/v1/workspaces', {
    externalId: 'acc_list',
    name: 'List',
  })
  const client = clientOf(partner().url, own.apiKey)
  const made: string[] = []
  for (const amount of [1, 2, 3])
    made.unshift((await client.post('/v1/checkout-sessions', { amount })).data.id)
  const first = await client.get('/v1/checkout-sessions?limit=2')
  expect(first.data.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 2))
  expect(first.meta.hasMore).toBe(true)
  const second = await client.get(`/v1/checkout-sessions?limit=2&cursor=${first.meta.nextCursor}`)
  expect([second.data.map(({ id }: { id: string }) => id), second.meta]).toEqual([
    made.slice(2),
    { nextCursor: null, hasMore: false },
  ])
  const strange = await client.get('/v1/checkout-sessions?cursor=bm90aGluZw')
  expect([strange.status, strange.error.param]).toEqual([400, 'cursor'])
})

test('names and descriptions of strangers stay text on the page, which runs nothing', async () => {
  const { platform, url } = partner()
  const name = `<script>alert(1)</script> "O'Neil" & Sons`
  const { data: own } = await platform.post('/v1/workspaces', { externalId: 'acc_evil', name })
  const { data } = await clientOf(url, own.apiKey).post('/v1/checkout-sessions', {
    amount: 9_000,
    description: '</p><img src=x onerror=alert(1)>',
    returnUrl: 'https://shop.example/?a="><b>',
  })
  const response = await fetch(data.hostedUrl, { headers: { 'accept-language': 'en-GB,id;q=0.5' } })
  const html = await response.text()
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;O&apos;Neil&quot; &amp; Sons')
  expect(html).toContain('&lt;/p&gt;&lt;img src=x onerror=alert(1)&gt;')
  expect(html).toContain('href="https://shop.example/?a=&quot;&gt;&lt;b&gt;"')
  expect(html).toContain('>Pay</button>')
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect((await fetch(`${url}/pay/${'x'.repeat(32)}`)).status).toBe(404)
})

test('a notice that is not taken comes again under the same id until it is', async () => {
  const { receiver, acme } = partner()
  let refusals = 2
  receiver.behave((response) => response.writeHead(refusals-- > 0 ? 503 : 200).end())
  const done = await paid(acme, { amount: 9_000 })
  await expect.poll(() => noticesOf(done.id)).toHaveLength(3)
  const ids = receiver.received
    .filter(({ body }) => body.includes(done.id))
    .map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
  receiver.status(200)
})

test('a notice comes again whatever bytes its receiver refused it with', async () => {
  const { receiver, acme } = partner()
  let refusals = 1
  receiver.behave((response) =>
    response.writeHead(refusals-- > 0 ? 502 : 200).end(Buffer.from([0x1f, 0x8b, 0])),
  )
  const done = await paid(acme, { amount: 9_000 })
  await expect
    .poll(() =>
      rowsOf('select status, attempts from reference_payment.notices where body like $1', [`%${done.id}%`]),
    )
    .toEqual([{ status: 'delivered', attempts: 2 }])
  receiver.status(200)
})

test('a notice whose process died over it is sent by another once its lease is over', async () => {
  const { receiver, acme, start } = partner()
  let hangs = true
  receiver.behave((response) => {
    if (!hangs) response.end('ok')
    hangs = false
  })
  const done = await paid(acme, { amount: 9_000 })
  await expect.poll(() => noticesOf(done.id)).toHaveLength(1)
  const later = await start({ now: () => new Date(Date.now() + 61_000).toISOString() })
  await expect.poll(() => noticesOf(done.id)).toHaveLength(2)
  await expect
    .poll(() => rowsOf(`select status from reference_payment.notices where body like $1`, [`%${done.id}%`]))
    .toEqual([{ status: 'delivered' }])
  await later.close()
  receiver.status(200)
})

test('two processes send each notice once', async () => {
  const { start, acme } = partner()
  const second = await start()
  const sessions = await Promise.all(Array.from({ length: 12 }, () => paid(acme, { amount: 9_000 })))
  await expect.poll(() => sessions.flatMap(({ id }) => noticesOf(id)).length).toBe(12)
  await second.close()
  expect(sessions.flatMap(({ id }) => noticesOf(id))).toHaveLength(12)
})

test('health needs no key, and the document says what every route is', async () => {
  const { url } = partner()
  expect((await clientOf(url, null).get('/v1/health')).data).toEqual({ status: 'ok' })
  const document = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
  expect(document.paths['/v1/checkout-sessions'].post.operationId).toBe('checkoutSessions.create')
})

test('a database without any table of the service is enough', async () => {
  const empty = await emptyDatabase()
  const own = await partner().start({ databaseUrl: empty.url })
  const { data } = await clientOf(own.url, PLATFORM_KEY).post('/v1/workspaces', {
    externalId: 'acc_1',
    name: 'Warung',
  })
  const done = await paid(clientOf(own.url, data.apiKey), { amount: 10_000, method: 'va' })
  expect(done.status).toBe('completed')
  await own.close()
  await empty.drop()
})
