import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Deps } from './deps.ts'

export type Mail = { to: string; subject: string; text: string }

/**
 * Without a mail server a mail is a file under DATA_DIR/mail that only the service's user may read, and a line in the
 * log that says so (contract 24.2). The line holds neither the text nor the address: mails carry one-time links.
 */
export async function sendMail({ config, clock, log }: Pick<Deps, 'config' | 'clock' | 'log'>, mail: Mail) {
  const folder = path.resolve(config.dataDir, 'mail')
  const file = path.join(folder, `${clock.now().replaceAll(':', '-')}-${randomUUID()}.eml`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, emlOf(mail, clock.now()), { mode: 0o600, flag: 'wx' })
  log.info({ file, subject: mail.subject }, 'no mail server is configured; the mail was written to a file')
}

/** A line break inside a header would begin another header (RFC 5322, 2.2). */
const headerOf = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ')
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?utf-8?B?${Buffer.from(line).toString('base64')}?=`
}

const emlOf = ({ to, subject, text }: Mail, now: string) =>
  [
    'From: Kasir <no-reply@localhost>',
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
