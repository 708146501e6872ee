import type { Transporter } from 'nodemailer'
import { addMs } from '../core/time.ts'
import type { Deps } from './deps.ts'
import { type Mail, senderOf, writeMail } from './mail.ts'

const POLL_MS = 5_000
/** Longer than one attempt can take: a mail that a process died over is taken up again after it. */
const LEASE_MS = 120_000
/** Before the second attempt and each one after it; past the last the mail becomes a file. */
const WAITS_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000]
/** For each step of an attempt: the name, the connection, the greeting, every answer. */
const STEP_MS = 10_000
/** A stop does not wait for a mail server that hangs; the lease brings the mail back. */
const STOP_MS = 2_000

type Tools = Pick<Deps, 'config' | 'clock' | 'db' | 'log' | 'secrets'>
type Row = { accountId: string; id: string; body: string; attempts: number }

/** The library is loaded where there is a mail server only: a till that starts does not wait for it. */
export async function transportTo(url: string, stepMs = STEP_MS): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Attempts every mail that is due, once. Any number of processes may do so at the same time. */
export async function deliverMails(tools: Tools, transport: Transporter) {
  const { db, clock, log } = tools
  const accounts = await db
    .selectFrom('mails')
    .select('accountId')
    .distinct()
    .where('dueAt', '<=', clock.now())
    .execute()
  for (const { accountId } of accounts) {
    for (let row = await claim(tools, accountId); row; row = await claim(tools, accountId)) {
      const mail = row
      await attempt(tools, transport, mail).catch((error: unknown) =>
        log.error(
          { err: error, mail: mail.id },
          'a mail could be neither sent nor kept; it is tried again later',
        ),
      )
    }
  }
}

/** Takes one due mail of a workspace for as long as the lease, past which it is due again. */
async function claim({ db, clock }: Tools, accountId: string): Promise<Row | undefined> {
  return db
    .updateTable('mails')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), dueAt: addMs(clock.now(), LEASE_MS) }))
    .where('accountId', '=', accountId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where('accountId', '=', accountId)
        .where('dueAt', '<=', clock.now())
        .orderBy('dueAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['accountId', 'id', 'body', 'attempts'])
    .executeTakeFirst()
}

async function attempt(tools: Tools, transport: Transporter, row: Row) {
  const { config, clock, db, log, secrets } = tools
  const { accountId, id } = row
  const { to, subject, text } = JSON.parse(secrets.open(row.body, `${accountId} ${id}`)) as Mail
  const from = senderOf(config)
  try {
    await transport.sendMail({
      from: { name: 'Kasir', address: from },
      to: { name: '', address: to },
      subject,
      text,
      // The same at every attempt, so that a mail that arrives twice can be known for one.
      messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    })
  } catch (error) {
    // What the server said may repeat the address; its codes do not.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    const waitMs = WAITS_MS[row.attempts - 1]
    const line = { mail: id, attempt: row.attempts, code, responseCode }
    if (waitMs !== undefined) {
      log.warn(line, 'the mail server did not take a mail; it is tried again later')
      const dueAt = addMs(clock.now(), waitMs)
      await db
        .updateTable('mails')
        .set({ dueAt })
        .where('accountId', '=', accountId)
        .where('id', '=', id)
        .execute()
      return
    }
    const file = await writeMail(tools, { to, subject, text })
    log.error({ ...line, file }, 'the mail server took a mail at no attempt; it was written to a file')
  }
  await db.deleteFrom('mails').where('accountId', '=', accountId).where('id', '=', id).execute()
}

/** Hands mails to the mail server for as long as the service runs; without one there is nothing to do. */
export function startMailer(tools: Tools, pollMs = POLL_MS): { stop(): Promise<void> } {
  const { smtpUrl } = tools.config
  if (smtpUrl === null) return { stop: async () => {} }
  const transport = transportTo(smtpUrl)
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= transport
      .then((opened) => deliverMails(tools, opened))
      .catch((error: unknown) =>
        tools.log.warn({ err: error }, 'mails could not be looked for; it is tried again'),
      )
      .finally(() => {
        running = undefined
      })
  }, pollMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
    },
  }
}
