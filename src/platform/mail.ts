import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '../core/ids.ts'
import { mailDateOf } from '../core/time.ts'
import type { Tx } from './db/open.ts'
import type { Deps } from './deps.ts'
import { makeDirectory } from './directory.ts'
import type { Scope } from './scope.ts'
import type { Place } from './secrets.ts'

export type Mail = { to: string; subject: string; text: string }

/**
 * With a mail server the mail is stored in the transaction of the change it is about and goes out after the commit
 * (mailer.ts), so neither a slow server nor a dead one delays or fails the write. Without one it is a file (
 * B-mail-4). Mails carry one-time links: they are stored sealed, and no line of the log holds text or address.
 */
export async function sendMail(deps: Deps, tx: Tx, scope: Scope, mail: Mail) {
  const { accountId, now } = scope
  const id = newId('mail')
  if (deps.config.smtpUrl === null) {
    const file = await writeMail(deps, { id, createdAt: now, mail })
    deps.log.info(
      { file, subject: mail.subject },
      'no mail server is configured; the mail was written to a file',
    )
    return
  }
  const body = deps.secrets.seal(JSON.stringify(mail), placeOfMail(accountId, id))
  await tx.insertInto('mails').values({ accountId, id, body, dueAt: now, createdAt: now }).execute()
}

export const placeOfMail = (accountId: string, id: string): Place => ({
  table: 'mails',
  column: 'body',
  accountId,
  row: id,
})

/** A mail as it was stored or is about to be written: its id and the instant it was written at stay the same. */
export type Letter = { id: string; createdAt: string; mail: Mail }

/** Writes a mail under DATA_DIR/mail, where only the service's user may read it, and answers the path. */
export async function writeMail(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  letter: Letter,
): Promise<string> {
  const folder = path.resolve(config.dataDir, 'mail')
  const file = path.join(folder, `${clock.now().replaceAll(':', '-')}-${randomUUID()}.eml`)
  const eml = await emlOf(messageOf(config, letter))
  await makeDirectory(folder, 0o700)
  await writeFile(file, eml, { mode: 0o600, flag: 'wx' })
  return file
}

/** What the mail library makes the message from, whether it goes to a server or into a file. */
export function messageOf(config: Deps['config'], { id, createdAt, mail: { to, subject, text } }: Letter) {
  const from = senderOf(config)
  return {
    from: { name: 'Kasir', address: from },
    to: { name: '', address: to },
    subject,
    text,
    date: mailDateOf(createdAt),
    // The same at every attempt, so that a mail that arrives twice can be known for one.
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
  }
}

/** The library is loaded when there is a mail to write: a till that starts does not wait for it. */
async function emlOf(message: ReturnType<typeof messageOf>): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const node = new MailComposer({ ...message, newline: 'windows' }).compile()
  // Without a mail server somebody copies the link out of the file, so no encoding may break it over two lines.
  node.getTransferEncoding = () => '8bit'
  return node.build()
}

/** Mail servers refuse senders that are not theirs, so the default is the service's own host. */
const senderOf = ({ mailFrom, publicUrl }: Deps['config']) =>
  mailFrom ?? `no-reply@${publicUrl === null ? 'localhost' : new URL(publicUrl).hostname}`

/** Where people reach this service. Never taken from a request's Host header: a stranger writes that one. */
export const publicAddress = ({ publicUrl, host, port }: Deps['config']) =>
  (publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '')
