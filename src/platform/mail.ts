import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '../core/ids.ts'
import type { Tx } from './db/open.ts'
import type { Deps } from './deps.ts'
import type { Scope } from './scope.ts'

export type Mail = { to: string; subject: string; text: string }

/**
 * With a mail server the mail is stored in the transaction of what it tells of and goes out after the commit
 * (mailer.ts), so neither a slow server nor a dead one delays or fails the write. Without one it is a file (contract
 * 24.2). Mails carry one-time links: they are stored sealed, and no line of the log holds text or address.
 */
export async function sendMail(deps: Deps, tx: Tx, scope: Scope, mail: Mail) {
  if (deps.config.smtpUrl === null) {
    const file = await writeMail(deps, mail)
    deps.log.info(
      { file, subject: mail.subject },
      'no mail server is configured; the mail was written to a file',
    )
    return
  }
  const { accountId, now } = scope
  const id = newId('mail')
  const body = deps.secrets.seal(JSON.stringify(mail), `${accountId} ${id}`)
  await tx.insertInto('mails').values({ accountId, id, body, dueAt: now, createdAt: now }).execute()
}

/** Writes a mail under DATA_DIR/mail, where only the service's user may read it, and answers the path. */
export async function writeMail(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  mail: Mail,
): Promise<string> {
  const folder = path.resolve(config.dataDir, 'mail')
  const file = path.join(folder, `${clock.now().replaceAll(':', '-')}-${randomUUID()}.eml`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, emlOf(mail, senderOf(config), clock.now()), { mode: 0o600, flag: 'wx' })
  return file
}

/** Mail servers refuse senders that are not theirs, so the default is the service's own host. */
export const senderOf = ({ mailFrom, publicUrl }: Deps['config']) =>
  mailFrom ?? `no-reply@${publicUrl === null ? 'localhost' : new URL(publicUrl).hostname}`

/** A line break inside a header would begin another header (RFC 5322, 2.2). */
const headerOf = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ')
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?utf-8?B?${Buffer.from(line).toString('base64')}?=`
}

const emlOf = ({ to, subject, text }: Mail, from: string, now: string) =>
  [
    `From: Kasir <${from}>`,
    `To: <${to.replaceAll(/[\s<>]/g, '')}>`,
    `Subject: ${headerOf(subject)}`,
    `Date: ${now}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
    '',
  ].join('\r\n')

/** Where people reach this service. Never taken from a request's Host header: a stranger writes that one. */
export const publicAddress = ({ publicUrl, host, port }: Deps['config']) =>
  (publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '')
