import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { nullOnCodes, systemCode } from '../core/fault.ts'
import { BackupError } from '../platform/backup/error.ts'
import type { Archive } from '../platform/backup/read.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { makeDirectory } from '../platform/files/directory.ts'
import { replaceFile } from '../platform/files/replace-file.ts'
import { keyOf, secretsOf } from '../platform/secrets/secrets.ts'
import { databaseName } from './address.ts'
import { command, dataDirArg, say, settingsOf, UsageError } from './command.ts'
import { requireReadable, withWriteErrors } from './files.ts'
import { percentOf } from './progress.ts'

export const restore = command({
  name: 'restore',
  description: 'Restore a backup into an empty database, or replace the books of one',
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'A file from kasir backup; - for standard input',
    },
    replace: {
      type: 'string',
      valueHint: 'database',
      description: 'Delete the existing books; type the name of their database',
    },
    'accept-broken': {
      type: 'boolean',
      description: 'Also restore rows that break an invariant of the books, and list them',
    },
    'skip-numbers': {
      type: 'string',
      valueHint: 'count',
      description:
        'Leave out so many receipt numbers of each outlet and day: those of sales that were made after the backup',
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey'],
  examples: [
    ['kasir restore kasir-monday.tar.gz', 'into the embedded database, created under ./data'],
    ['kasir restore kasir-monday.tar.gz --replace kasir', 'replaces the existing books'],
    [
      'kasir restore kasir-monday.tar.gz --replace kasir --skip-numbers 1000',
      'after sales were lost: their receipt numbers are on paper already',
    ],
    [
      'DATABASE_URL=postgres://kasir@db/kasir kasir restore kasir-monday.tar.gz',
      'into a PostgreSQL of your own',
    ],
  ],
  run: async ({ file, replace = null, 'accept-broken': acceptBroken = false, ...options }) => {
    const config = settingsOf({ DATA_DIR: options['data-dir'] })
    const skippedNumbers = skippedIn(options['skip-numbers'])
    const { readArchive } = await import('../platform/backup/read.ts')
    const { restoreBackup } = await import('../platform/backup/restore.ts')
    const { readBooks } = await import('../platform/backup/books.ts')
    const { withDatabase } = await import('./database.ts')
    const { describe } = await import('./describe-backup.ts')
    const { restoredLines } = await import('../platform/backup/examination.ts')
    const { stageFiles } = await import('../platform/backup/staged-files.ts')
    const books = await readBooks()
    if (file !== '-') await requireReadable(file)
    await withFile(file, async (read) => {
      let key: string | null = null
      const archive = await readArchive(read(), {
        key: async (text) => {
          key = text
        },
      })
      await requireKeyMayGo(config, key, replace)
      const refusal = `Kasir is running on ${config.dataDir}: stop it before a restore.`
      const load = async ({ url }: { url: string }) => {
        const progress = percentOf('Restoring')
        const staged = await stageFiles(path.resolve(config.dataDir))
        try {
          const examination = await restoreBackup({
            url,
            read,
            archive,
            books,
            replace,
            acceptBroken,
            ...(skippedNumbers === 0
              ? {}
              : { afterLoad: await skipping(archive.header.createdAt, skippedNumbers) }),
            receive: { file: staged.add },
            progress: progress.at,
          })
          const publish = () =>
            staged.publish().catch((error: unknown) => {
              throw unpublished(config, url, error)
            })
          return { examination, keyLines: await settle(config, { key, archive, publish }) }
        } finally {
          progress.end()
          await staged.discard()
        }
      }
      const { examination, keyLines } = await withDatabase(config, say, load, { refusal })
      for (const line of describe(archive)) say(line)
      say(`Restored into ${databaseName(config)}; the data directory is ${path.resolve(config.dataDir)}.`)
      for (const line of restoredLines(examination)) say(line)
      if (skippedNumbers > 0)
        say(
          `Left out: ${skippedNumbers} numbers of receipts, of every outlet and day since the backup, and of purchase orders.`,
        )
      for (const line of keyLines) say(line)
    })
  },
})

function skippedIn(text: string | undefined): number {
  if (text === undefined) return 0
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError('--skip-numbers takes a number from 1 to 99999')
  return Number(text)
}

/** Leaves out so many numbers of receipts and purchase orders. */
async function skipping(takenAt: string, count: number) {
  const { skipReceiptNumbers } = await import('../areas/selling/sales/index.ts')
  const { skipCounters } = await import('../platform/db/counters.ts')
  const { systemClock } = await import('../platform/clock.ts')
  return async (client: pg.ClientBase) => {
    await skipReceiptNumbers(client, { takenAt, now: systemClock.now(), count })
    await skipCounters(client, count)
  }
}

/**
 * A restore reads the backup twice: once to verify it, once to load it. Input from a pipe is copied to a temporary file.
 * The copy contains all books, so its name is removed before it is filled: the system then deletes it however the command
 * ends, kill -9 included.
 */
async function withFile(file: string, work: (read: () => Readable) => Promise<void>) {
  if (file !== '-') return work(() => createReadStream(file))
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-restore-'))
  const remove = () => rm(room, { recursive: true, force: true })
  const copy = path.join(room, 'backup.tar.gz')
  const handle = await open(copy, 'wx+', 0o600)
  try {
    // Windows may refuse to remove the name of an open file.
    await nullOnCodes(remove(), 'EBUSY', 'ENOTEMPTY', 'EPERM')
    const ours = { fd: handle.fd, autoClose: false }
    await withWriteErrors(copy, () => pipeline(process.stdin, createWriteStream(copy, ours)))
    await work(() => createReadStream(copy, { ...ours, start: 0 }))
  } finally {
    await handle.close()
    await remove()
  }
}

/** By then the books are committed, so a rerun needs --replace. */
function unpublished({ dataDir }: Config, url: string, cause: unknown): BackupError {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  const folder = path.resolve(dataDir, 'uploads')
  return new BackupError(
    `The books are restored, but their images could not be moved to ${folder} (${systemCode(cause)}). Correct that and run the same command with --replace ${name} to restore the images too.`,
  )
}

type RestoredFiles = { key: string | null; archive: Archive; publish(): Promise<void> }

/** Puts the key and the images in place. Neither waits for a fault of the other to be corrected. */
async function settle(config: Config, { key, archive, publish }: RestoredFiles): Promise<string[]> {
  const [keyed] = await Promise.allSettled([settleKey(config, key, archive.header.keyId)])
  await publish().catch((error: unknown) => {
    if (keyed.status === 'fulfilled') for (const line of keyed.value) say(line)
    throw error
  })
  if (keyed.status === 'rejected') throw keyed.reason
  return keyed.value
}

const keyFile = ({ dataDir }: Config) => path.resolve(dataDir, 'secrets.key')

/** Throws before anything is restored if another key is present: only --replace may replace it. */
async function requireKeyMayGo(config: Config, key: string | null, replace: string | null) {
  if (key === null || config.secretsKey !== null || replace !== null) return
  const held = await nullOnCodes(readFile(keyFile(config), 'utf8'))
  if (held === null || held === key) return
  throw new UsageError(
    `${keyFile(config)} is not the key of this backup: move it away first, or add --replace with the name of the database.`,
  )
}

/** Saves the key of the backup for the service, or reports which key the books need. */
export async function settleKey(config: Config, key: string | null, keyId: string | null): Promise<string[]> {
  if (keyId === null) return []
  const target = keyFile(config)
  if (key === null || config.secretsKey !== null) {
    const present = keyOf(config.secretsKey ?? (await nullOnCodes(readFile(target, 'utf8'))) ?? '')
    if (present !== null && secretsOf(present).keyId === keyId)
      return [`The key ${keyId} of these books is here already.`]
    return [
      `These books need the key ${keyId}: put it in ${target} or SECRETS_KEY, or the service will not start.`,
    ]
  }
  const held = await nullOnCodes(readFile(target, 'utf8'))
  const bytes = keyOf(key)
  // A backup made during a rotation contains the previous key, which unlocks the one that the books name.
  const id = bytes === null ? keyId : secretsOf(bytes).keyId
  if (held === key) return [`The key ${id} is in ${target} already.`]
  await makeDirectory(path.dirname(target))
  const lines: string[] = []
  if (held !== null) {
    const aside = `${target}.before-${systemClock.now().replaceAll(/[:.]/g, '-')}`
    await rename(target, aside)
    lines.push(`The previous key file is now ${aside}.`)
  }
  await replaceFile(target, key)
  return [...lines, `The key ${id} of the backup is in ${target}.`]
}
