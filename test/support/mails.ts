import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Deps } from '../../src/platform/deps.ts'
import { deliverMails } from '../../src/platform/mail/mailer.ts'
import { deps } from './service.ts'

/** The mails of a service without a mail server, as it writes them to files, oldest first. */
export async function writtenMails(tools: Deps = deps()): Promise<string[]> {
  await deliverMails(tools, null)
  const folder = path.join(tools.config.dataDir, 'mail')
  const files = (await readdir(folder).catch(() => [])).sort()
  return Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
}

/** Those to one address. */
export const mailsTo = async (email: string, tools?: Deps): Promise<string[]> =>
  (await writtenMails(tools)).filter((mail) => mail.includes(`To: ${email}\r\n`))
