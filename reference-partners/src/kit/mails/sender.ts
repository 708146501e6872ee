import { addMs, mailDateOf, type SmtpTls, tlsOf, transportTo, writeMailFile } from 'kasir/partner-tools'
import type { Logger } from 'pino'
import type { PartnerDatabase } from '../db.ts'
import { claimMails, endMail, type Mail, postponeMail } from './store.ts'

/** Sends mails over a mail server, or writes files if none is configured. */
export type MailOptions = {
  smtpUrl: string | null
  smtpTls?: SmtpTls | null
  /** The sender's address. */
  from: string
  /** The directory of mails that no server accepted. */
  dir: string
}

type SenderTools = { db: PartnerDatabase; log: Logger; now(): string; mail: MailOptions }

const AT_ONCE = 4
/** Longer than an attempt can take. */
const LEASE_MS = 120_000
/** Before the second attempt and each one after it; past the last the mail becomes a file. */
const WAITS_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000]

/** The address by which a mail program unsubscribes (RFC 8058). */
const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const messageOf = (
  { from }: MailOptions,
  { id, recipient, subject, body, html, unsubscribeUrl, createdAt }: Mail,
) => ({
  from: { name: 'Kasir', address: from },
  to: { name: '', address: recipient },
  subject,
  text: body,
  ...(html ? { html } : {}),
  ...(unsubscribeUrl ? { headers: oneClick(unsubscribeUrl) } : {}),
  date: mailDateOf(createdAt),
  messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
})

/** Sends due mails in batches until none is left. */
export async function sendMails(tools: SenderTools, stop: AbortSignal) {
  for (;;) {
    if (stop.aborted) return
    const now = tools.now()
    const due = await claimMails(tools.db, { now, until: addMs(now, LEASE_MS), atMost: AT_ONCE })
    if (due.length === 0) return
    await Promise.all(due.map((mail) => attempt(tools, mail)))
  }
}

async function attempt(tools: SenderTools, mail: Mail) {
  const { db, log, now } = tools
  const { smtpUrl } = tools.mail
  const trouble = smtpUrl === null ? null : await handOver(tools.mail, smtpUrl, mail)
  const wait = trouble === null ? undefined : WAITS_MS[mail.attempts - 1]
  if (trouble !== null && wait !== undefined) {
    const line = { mail: mail.id, attempt: mail.attempts, ...trouble }
    log.warn(line, 'a mail could not be sent; trying again later')
    await postponeMail(db, mail.id, addMs(now(), wait))
    return
  }
  if (smtpUrl === null || trouble !== null) {
    const file = await writeMail(tools.mail, mail)
    log.info({ file }, 'no mail server took a mail; it was written to a file')
  }
  await endMail(db, mail.id)
}

async function handOver(options: MailOptions, smtpUrl: string, mail: Mail) {
  const transport = await transportTo(smtpUrl, tlsOf({ smtpUrl, smtpTls: options.smtpTls ?? null }))
  try {
    await transport.sendMail(messageOf(options, mail))
    return null
  } catch (error) {
    // What the server said may repeat the address; its codes do not.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    return { code, responseCode }
  } finally {
    transport.close()
  }
}

async function writeMail(options: MailOptions, mail: Mail): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const eml = await new MailComposer({ ...messageOf(options, mail), newline: 'windows' }).compile().build()
  return writeMailFile(options.dir, mail, eml)
}
