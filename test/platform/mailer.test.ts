import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { startWorker } from '../../src/platform/jobs/worker.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { deliverMails, mailJob } from '../../src/platform/mail/mailer.ts'
import { tlsOf, transportTo } from '../../src/platform/mail/smtp.ts'
import { ringOf } from '../../src/platform/secrets/keyring.ts'
import { secretsOf } from '../../src/platform/secrets/secrets.ts'
import type { Api } from '../support/api.ts'
import { startMailbox } from '../support/mailbox.ts'
import { type Harness, startHarness } from '../support/service.ts'

const MINUTE = 60_000
const clock = manualClock('2026-05-04T02:00:00.000Z')
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let harness: Harness
let stop: () => Promise<void>
let count = 0

beforeAll(async () => {
  mailbox = await startMailbox()
  const env = {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'till@shop.example',
    PUBLIC_URL: 'http://kasir.example.com',
    RATE_LIMIT_PER_MINUTE: '0',
  }
  ;({ harness, stop } = await startHarness({ clock, env }))
})
afterAll(async () => {
  await stop()
  await mailbox.stop()
})
beforeEach(() => {
  mailbox.refuse(false)
  mailbox.received.length = 0
})

const inviteSomeone = async () => {
  const email = `guest${(count += 1)}@example.com`
  const answer = await harness.acme.post('/members', { email, name: 'Siti ☕', role: 'CASHIER' })
  return { email, answer }
}
const deliver = async (url = mailbox.url) =>
  deliverMails(harness.deps, await transportTo(url, 'optional', 300))
/** The mailer as the service runs it, only more often. */
const startMailer = (tools: Deps = harness.deps) => startWorker(tools, [{ ...mailJob, everyMs: 20 }])
const waiting = () => harness.deps.db.selectFrom('mails').select(['body', 'attempts', 'dueAt']).execute()
const files = () => readdir(path.join(harness.deps.config.dataDir, 'mail')).catch(() => [])
/** The text of a mail without its transfer encoding (RFC 2045, 6.7). */
const plain = (text: string) =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
const tokenIn = (text: string) => /invitation#(\S+)/.exec(plain(text))?.[1] ?? ''

test('an invitation is stored with its member and goes out by the mail server', async () => {
  const { email, answer } = await inviteSomeone()
  expect(answer.status).toBe(201)
  expect(mailbox.received).toEqual([])
  await deliver()
  const [mail] = mailbox.received
  expect(mail).toMatchObject({ from: 'till@shop.example', to: [email], user: 'till@shop.example' })
  expect(mail?.text).toMatch(/^From: Kasir <till@shop\.example>\r$/m)
  expect(mail?.text).toMatch(/^Message-ID: <mal_[0-9A-Z]{26}@shop\.example>\r$/m)
  const accepted = await harness
    .as(null)
    .post('/auth/invitations/accept', { token: tokenIn(mail?.text ?? ''), password: 'sate ayam madura' })
  expect([accepted.status, accepted.data.user.email]).toEqual([200, email])
  await deliver()
  expect([mailbox.received.length, await waiting(), await files()]).toEqual([1, [], []])
})

test('names and addresses add no header and no recipient to a mail, whatever they hold', async () => {
  const shop = await harness.workspace('Warung\r\nBcc: all@example.com\r\nX-Evil: 1\r\n\r\nhello')
  const name = 'Siti\r\n.\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<all@example.com>'
  const email = `o'brien+a=b{x}|~${(count += 1)}@example.com`
  expect((await shop.post('/members', { email, name, role: 'CASHIER' })).status).toBe(201)
  for (const bent of [
    'a@example.com, b@example.com',
    '<a@example.com>',
    'a@example.com\nBcc: b@example.com',
  ]) {
    const refused = await shop.post('/members', { email: bent, name: 'X', role: 'CASHIER' })
    expect([bent, refused.status, refused.error.param]).toEqual([bent, 400, 'email'])
  }
  await deliver()
  expect(mailbox.received.map((mail) => [mail.from, mail.to])).toEqual([['till@shop.example', [email]]])
  const [head = ''] = (mailbox.received[0]?.text ?? '').split('\r\n\r\n')
  const names = head.split('\r\n').flatMap((line) => /^([\w-]+):/.exec(line)?.[1] ?? [])
  expect(names.toSorted()).toEqual([
    'Content-Transfer-Encoding',
    'Content-Type',
    'Date',
    'From',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
  ])
})

test('a mail that waits shows neither its address nor its link in the database', async () => {
  const { email } = await inviteSomeone()
  const [row] = await waiting()
  await deliver()
  expect(row?.body).not.toContain(email)
  expect(row?.body).not.toContain(tokenIn(mailbox.received[0]?.text ?? ''))
})

test('a member that was refused is sent nothing', async () => {
  const { email } = await inviteSomeone()
  await deliver()
  const again = await harness.acme.post('/members', { email, name: 'Again', role: 'CASHIER' })
  expect([again.status, await waiting()]).toEqual([409, []])
})

test('a refused mail is tried again after a minute, then after five, and arrives once', async () => {
  const { email } = await inviteSomeone()
  mailbox.refuse(true)
  await deliver()
  expect(await waiting()).toMatchObject([{ attempts: 1, dueAt: new Date(clock.ms() + MINUTE).toISOString() }])
  clock.advance(MINUTE)
  await deliver()
  mailbox.refuse(false)
  clock.advance(5 * MINUTE - 1)
  await deliver()
  expect(mailbox.received).toEqual([])
  clock.advance(1)
  await deliver()
  expect(mailbox.received.map((mail) => mail.to)).toEqual([[email]])
  expect(await waiting()).toEqual([])
})

/** The tools of the service with a log that is read. */
function listening() {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, tools: { ...harness.deps, log: makeLog('trace', sink) } }
}

test('after six attempts the mail becomes a file, and the log names neither address nor link', async () => {
  const { lines, tools } = listening()
  const { email } = await inviteSomeone()
  mailbox.refuse(true)
  for (let n = 1; n <= 6; n += 1) {
    expect((await waiting())[0]?.attempts).toBe(n - 1)
    await deliverMails(tools, await transportTo(mailbox.url, 'optional'))
    clock.advance(7 * 60 * MINUTE)
  }
  expect(await waiting()).toEqual([])
  const [file = ''] = await files()
  const text = await readFile(path.join(harness.deps.config.dataDir, 'mail', file), 'utf8')
  expect(text).toContain(`To: ${email}\r\n`)
  expect(text).toContain('Date: Mon, 04 May 2026 ')
  expect(tokenIn(text)).not.toBe('')
  expect(lines).toHaveLength(6)
  expect(lines.join('')).not.toContain(email)
  expect(lines.join('')).not.toContain(tokenIn(text))
  expect(lines[5]).toContain(file)
})

test('a mail that could not be opened because the database did not answer is kept, however often that happens', async () => {
  const { email } = await inviteSomeone()
  const { db } = harness.deps
  await db.updateTable('mails').set({ attempts: 6 }).execute()
  const open = () => Promise.reject(new Error('Connection terminated unexpectedly'))
  const secrets = { ...harness.deps.secrets, open }
  await deliverMails({ ...harness.deps, secrets }, await transportTo(mailbox.url, 'optional', 300))
  expect((await waiting()).map(({ attempts }) => attempts)).toEqual([7])
  clock.advance(3 * MINUTE)
  await deliver()
  expect([mailbox.received.map(({ to }) => to), await waiting()]).toEqual([[[email]], []])
})

test('a mail sealed with a lost key is tried six times, then removed with an error line', async () => {
  const { lines, tools } = listening()
  const lost = { ...tools, secrets: ringOf(secretsOf(Buffer.alloc(32, 7))) }
  const before = await files()
  await inviteSomeone()
  for (let n = 1; n <= 6; n += 1) {
    expect((await waiting()).map((row) => row.attempts)).toEqual([n - 1])
    await deliverMails(lost, await transportTo(mailbox.url, 'optional'))
    clock.advance(7 * 60 * MINUTE)
  }
  expect([await waiting(), mailbox.received, await files()]).toEqual([[], [], before])
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([40, 40, 40, 40, 40, 50])
  expect(lines[5]).toContain('its key is lost')
})

test('a key that comes back in time opens the mail', async () => {
  const { email } = await inviteSomeone()
  const lost = { ...harness.deps, secrets: ringOf(secretsOf(Buffer.alloc(32, 7))) }
  await deliverMails(lost, await transportTo(mailbox.url, 'optional'))
  clock.advance(MINUTE)
  await deliver()
  expect(mailbox.received.map((mail) => mail.to)).toEqual([[email]])
})

test('a mail server that never speaks, or is not there, costs the writer nothing', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  await inviteSomeone()
  const hanging = deliver(`smtp://127.0.0.1:${port}`)
  expect((await inviteSomeone()).answer.status).toBe(201)
  await hanging
  await new Promise((resolve) => silent.close(resolve))
  clock.advance(MINUTE)
  await deliver(`smtp://127.0.0.1:${port}`)
  expect((await waiting()).map((row) => row.attempts).toSorted()).toEqual([2, 2])
  clock.advance(5 * MINUTE)
  await deliver()
  expect(mailbox.received).toHaveLength(2)
})

test('two processes that look at once send a mail once', async () => {
  const { email } = await inviteSomeone()
  await Promise.all([deliver(), deliver(), deliver()])
  expect(mailbox.received.map((mail) => mail.to)).toEqual([[email]])
})

const inviteFrom = async (api: Api) => {
  const email = `guest${(count += 1)}@example.com`
  expect((await api.post('/members', { email, name: 'Siti', role: 'CASHIER' })).status).toBe(201)
  return email
}

test('workspaces take turns: the mails of one wait for none of another', async () => {
  const [many, few] = [await harness.workspace(), await harness.workspace()]
  const theirs = [await inviteFrom(many), await inviteFrom(many), await inviteFrom(many)]
  const own = [await inviteFrom(few), await inviteFrom(few), await inviteFrom(few)]
  await deliver()
  const order = mailbox.received.map((mail) => (own.includes(mail.to[0] ?? '') ? 'few' : 'many'))
  expect(order).toHaveLength(own.length + theirs.length)
  expect(new Set(order.slice(0, 2))).toEqual(new Set(['few', 'many']))
})

test('a mail that hangs holds up no other workspace', async () => {
  const addresses = [await inviteFrom(await harness.workspace()), await inviteFrom(await harness.workspace())]
  const transport = await transportTo(mailbox.url, 'optional')
  const taken: string[] = []
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  // Whichever mail comes first hangs until the test lets it go.
  const sendMail = async ({ to }: { to: { address: string } }) => {
    taken.push(to.address)
    if (taken.length === 1) await gone
  }
  const delivering = deliverMails(harness.deps, Object.assign(transport, { sendMail }) as never)
  try {
    await expect.poll(() => taken.toSorted(), { timeout: 5_000 }).toEqual(addresses.toSorted())
  } finally {
    letGo()
    await delivering
  }
})

test('trouble with the mails of one workspace does not block the others', async () => {
  const { lines, tools } = listening()
  const workspaces = [await harness.workspace(), await harness.workspace(), await harness.workspace()]
  const emails = await Promise.all(workspaces.map(inviteFrom))
  const { pool } = harness.deps
  const broken = workspaces.slice(0, 2).map(({ workspace }) => `'${workspace.accountId}'`)
  await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin if new.account_id in (${broken.join()}) then raise 'broken'; end if; return new; end $$`)
  await pool.query('create trigger broken before update on mails for each row execute function refuse()')
  try {
    await deliverMails(tools, await transportTo(mailbox.url, 'optional'))
    expect(mailbox.received.map((mail) => mail.to[0])).toEqual([emails[2]])
    expect(lines.filter((line) => line.includes('could not read the mails'))).toHaveLength(2)
  } finally {
    await pool.query('drop trigger broken on mails')
    await pool.query('drop function refuse()')
  }
  await deliver()
  expect(mailbox.received.map((mail) => mail.to[0]).toSorted()).toEqual(emails.toSorted())
})

test('a mail that a process died over is taken up again', async () => {
  const { email } = await inviteSomeone()
  await harness.deps.db
    .updateTable('mails')
    .set({ attempts: 1, dueAt: new Date(clock.ms() + 2 * MINUTE).toISOString() })
    .execute()
  await deliver()
  expect(mailbox.received).toEqual([])
  clock.advance(2 * MINUTE)
  await deliver()
  expect(mailbox.received.map((mail) => mail.to)).toEqual([[email]])
})

test('a mail that a process has in hand is left to it for as long as its attempt may take', async () => {
  await inviteSomeone()
  const transport = await transportTo(mailbox.url, 'optional')
  let asked = 0
  let answer = () => {}
  const slow = Object.assign(transport, {
    sendMail: () => {
      asked += 1
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    },
  })
  const first = deliverMails(harness.deps, slow)
  await expect.poll(() => asked).toBe(1)
  // A name, a connection, a greeting and a few answers, ten seconds each.
  clock.advance(100_000)
  await deliverMails(harness.deps, slow)
  expect(asked).toBe(1)
  answer()
  await first
})

test('while the service runs, mails go out by themselves', async () => {
  const mailer = startMailer()
  const { email } = await inviteSomeone()
  await expect.poll(() => mailbox.received.map((mail) => mail.to)).toEqual([[email]])
  await mailer.stop()
})

test('a stop ends the work after the mail in hand', async () => {
  await Promise.all([inviteSomeone(), inviteSomeone(), inviteSomeone()])
  const stopping = new AbortController()
  const transport = await transportTo(mailbox.url, 'optional')
  const sendMail = transport.sendMail.bind(transport)
  const stopsAfterOne = Object.assign(transport, {
    sendMail: (mail: Parameters<typeof sendMail>[0]) => {
      stopping.abort()
      return sendMail(mail)
    },
  })
  await deliverMails(harness.deps, stopsAfterOne, stopping.signal)
  expect([mailbox.received.length, (await waiting()).length]).toEqual([1, 2])
  await deliver()
})

test('a mail library that cannot be loaded is a line of the log, not the end of the service', async () => {
  const { lines, tools } = listening()
  vi.doMock('nodemailer', () => {
    throw new Error('no such file')
  })
  await inviteSomeone()
  try {
    const mailer = startMailer(tools)
    await expect.poll(() => lines[0]).toContain('"job":"mails"')
    await mailer.stop()
  } finally {
    vi.doUnmock('nodemailer')
    await deliver()
  }
})

test.each([
  ['smtp://mail.example.com:587', '', 'required'],
  ['smtp://user:secret@10.0.0.5', '', 'required'],
  ['smtp://localhost.example.com', '', 'required'],
  ['smtp://127.0.0.1:25', '', 'optional'],
  ['smtp://[::1]:25', '', 'optional'],
  ['smtp://localhost', '', 'optional'],
  ['smtp://localhost', 'required', 'required'],
  ['smtp://mail.example.com', 'optional', 'optional'],
  ['smtp://mail.example.com', 'off', 'off'],
])('to %s with SMTP_TLS=%j encryption is %s', (url, said, meant) => {
  expect(tlsOf(readConfig({ SMTP_URL: url, SMTP_TLS: said }))).toBe(meant)
})

test('a server that offers no encryption is sent neither password nor mail while it is required', async () => {
  const { lines, tools } = listening()
  await inviteSomeone()
  const mailer = startMailer({ ...tools, config: { ...tools.config, smtpTls: 'required' } })
  await expect.poll(() => lines.join('')).toContain('"code":"ETLS"')
  await mailer.stop()
  expect(mailbox.received).toEqual([])
  expect(await waiting()).toMatchObject([{ attempts: 1 }])
  clock.advance(MINUTE)
  await deliver()
  expect(mailbox.received).toHaveLength(1)
})

test('a server that encrypts takes the mail while that is required', async () => {
  const encrypting = await startMailbox(0, { encrypts: true })
  try {
    const { email } = await inviteSomeone()
    const url = `${encrypting.url}?tls.rejectUnauthorized=false`
    await deliverMails(harness.deps, await transportTo(encrypting.url, 'required', 2_000))
    expect(encrypting.received).toEqual([])
    clock.advance(MINUTE)
    await deliverMails(harness.deps, await transportTo(url, 'required', 2_000))
    expect(encrypting.received.map((mail) => mail.to)).toEqual([[email]])
  } finally {
    await encrypting.stop()
  }
})
