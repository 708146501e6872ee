import { readdir, rename, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes } from '../../core/fault.ts'
import { addMs } from '../../core/time.ts'
import { makeDirectory, syncDirectory } from '../files/directory.ts'

/** A file name has the time and the id of the mail; a crash may leave a partial file. */
const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-[\w-]+\.eml(?:\.part)?$/
/** How long a mail is kept, waiting or as a file: its links have expired by then. */
const KEPT_MS = 14 * 24 * 3_600_000

/** Mails written before this instant are neither sent nor kept. */
export const mailsKeptSince = (now: string): string => addMs(now, -KEPT_MS)

/**
 * Writes a mail into the folder, readable only by the service's user, and returns the path. The same mail always has
 * the same file name, so a retry after a crash does not duplicate it.
 */
export async function writeMailFile(
  folder: string,
  { id, createdAt }: { id: string; createdAt: string },
  eml: Buffer,
): Promise<string> {
  const file = path.join(folder, `${createdAt.replaceAll(':', '-')}-${id}.eml`)
  await makeDirectory(folder, 0o700)
  await writeFile(`${file}.part`, eml, { mode: 0o600, flush: true }).catch(async (error: unknown) => {
    // On a full disk, half a file would use up the remaining space.
    await nullOnCodes(unlink(`${file}.part`))
    throw error
  })
  await rename(`${file}.part`, file)
  // Flushes to disk, because the mail is about to be removed from the database.
  await syncDirectory(folder)
  return file
}

/** Removes the files of expired mails. */
export async function listOldMails(folder: string, now: string): Promise<string[]> {
  const since = mailsKeptSince(now)
  const isOld = (name: string) => {
    const [, hour, minute, second] = NAME.exec(name) ?? []
    return hour !== undefined && `${hour}:${minute}:${second}` < since
  }
  const names = (await nullOnCodes(readdir(folder))) ?? []
  return names.filter(isOld).map((name) => path.join(folder, name))
}

export async function removeOldMails(folder: string, now: string): Promise<void> {
  for (const file of await listOldMails(folder, now)) await nullOnCodes(unlink(file))
}
