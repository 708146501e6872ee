import path from 'node:path'
import { newId } from '../../core/ids.ts'
import { mailDateOf } from '../../core/time.ts'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Scope } from '../scope.ts'
import type { RecordLocation } from '../secrets/secrets.ts'
import { writeMailFile } from './files.ts'

export type Mail = { to: string; subject: string; text: string }

/**
 * Stores the mail in the transaction of the change it reports. After the commit it goes to the mail server or into a
 * file (mailer.ts, B-mail-4), so neither a slow server nor a full disk delays or fails the write. Mails contain
 * one-time links: they are stored sealed, and the log contains neither text nor address.
 */
export async function sendMail(deps: Pick<Deps, 'secrets'>, tx: Tx, scope: Scope, mail: Mail) {
  const { accountId, now } = scope
  const id = newId('mail')
  const body = deps.secrets.seal(JSON.stringify(mail), mailLocation(accountId, id))
  await tx.insertInto('mails').values({ accountId, id, body, dueAt: now, createdAt: now }).execute()
}

export const mailLocation = (accountId: string, id: string): RecordLocation => ({
  table: 'mails',
  column: 'body',
  accountId,
  row: id,
})

/** A stored mail, or one about to be written: its id and its time stay the same on every attempt. */
export type Letter = { id: string; createdAt: string; mail: Mail }

export const mailFolder = ({ dataDir }: Pick<Deps['config'], 'dataDir'>) => path.resolve(dataDir, 'mail')

/** Writes a mail under DATA_DIR/mail and returns the path. */
export const writeMail = async (config: Deps['config'], letter: Letter): Promise<string> =>
  writeMailFile(mailFolder(config), letter, await emlOf(messageOf(config, letter)))

/** The input of the mail library, for a message to a server or to a file. */
export function messageOf(config: Deps['config'], { id, createdAt, mail: { to, subject, text } }: Letter) {
  const from = senderOf(config)
  return {
    from: { name: 'Kasir', address: from },
    to: { name: '', address: to },
    subject,
    text,
    date: mailDateOf(createdAt),
    // The same on every attempt, so that recipients can recognize a duplicate.
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
  }
}

/** The library loads with the first mail, so that startup does not wait for it. */
async function emlOf(message: ReturnType<typeof messageOf>): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const node = new MailComposer({ ...message, newline: 'windows' }).compile()
  // Without a mail server an operator copies the link out of the file, so no encoding may break it over two lines.
  node.getTransferEncoding = () => '8bit'
  return node.build()
}

/** Mail servers reject foreign senders, so the default is the service's own host. */
const senderOf = ({ mailFrom, publicUrl }: Deps['config']) =>
  mailFrom ?? `no-reply@${publicUrl === null ? 'localhost' : new URL(publicUrl).hostname}`

/** The public address of this service. Never taken from a request's Host header, because the client controls that. */
export const publicAddress = ({ publicUrl, host, port }: Deps['config']) =>
  (publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '')
