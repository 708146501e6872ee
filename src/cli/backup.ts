import { createReadStream } from 'node:fs'
import { access, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { nullOnCodes } from '../core/fault.ts'
import { BackupError } from '../platform/backup/error.ts'
import type { LeftOut } from '../platform/backup/files.ts'
import type { Archive } from '../platform/backup/read.ts'
import type { CarriedKey } from '../platform/backup/write.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { syncDirectory } from '../platform/files/directory.ts'
import { keyOf, secretsOf } from '../platform/secrets/secrets.ts'
import { guardSpace } from './backup-space.ts'
import { command, dataDirArg, say, sayAside, settingsOf, UsageError } from './command.ts'
import { BROKEN_BOOKS, describe, describeExamination } from './describe-backup.ts'
import { withWriteErrors } from './files.ts'
import { stepBehind } from './priority.ts'
import { percentOf } from './progress.ts'
import { ENDING_SIGNALS } from './signals.ts'

const TORN =
  'The database is sharded and a service is connected: sales made during the backup may be only partly in it. ' +
  'Stop every service and run the backup again for consistent books.'

export const backup = command({
  name: 'backup',
  description: 'Save all books to one file while the service runs, or check such files',
  args: {
    file: {
      type: 'positional',
      required: true,
      description:
        'Where to write it, a .tar.gz that is not there yet; - for standard output. With --check-age or --every a directory',
    },
    check: { type: 'boolean', description: 'Read an existing backup to its end and restore nothing' },
    'check-age': {
      type: 'string',
      valueHint: 'age',
      description: 'Look for a good backup in a directory that is not older than this, such as 26h',
    },
    every: {
      type: 'string',
      valueHint: 'interval',
      description: 'Stay and write a backup into a directory at this interval, such as 24h',
    },
    keep: {
      type: 'string',
      valueHint: 'number',
      description:
        'With --every: after a good backup keep this many good ones and remove older files of this command. Give each installation its own directory',
    },
    verify: {
      type: 'boolean',
      description:
        'With --every: restore each backup into a temporary database before older ones are removed',
    },
    'with-key': { type: 'boolean', description: 'Include the key for secrets in the file' },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey'],
  examples: [
    ['kasir backup kasir-monday.tar.gz', 'beside a running service or without one'],
    [
      'kasir backup --check kasir-monday.tar.gz',
      'checks that the file is unaltered and its books were consistent',
    ],
    [
      'kasir backup --check-age 26h /backup',
      'exits with 0 if it finds a good backup, 3 if the books break an invariant, else 1',
    ],
    [
      'kasir backup /backup --every 24h --keep 7 --verify',
      'every day a backup that was restored as a test; the last seven stay',
    ],
    ['kasir backup - | ssh safe "cat > kasir.tar.gz"', 'to another machine'],
  ],
  run: async ({ file, check = false, 'check-age': age, every, keep, verify = false, ...options }) => {
    if (every === undefined && (keep !== undefined || verify)) {
      throw new UsageError('--keep and --verify belong to --every')
    }
    if (every !== undefined && (check || age !== undefined)) {
      throw new UsageError('--every writes backups: leave out --check and --check-age')
    }
    if (age !== undefined) {
      const { checkBackupAge } = await import('./backup-age.ts')
      return checkBackupAge(file, age)
    }
    if (check) return checkFile(file)
    const config = settingsOf({ DATA_DIR: options['data-dir'] })
    const withKey = options['with-key'] ?? false
    if (every !== undefined) return saveRegularly(config, { folder: file, every, keep, verify, withKey })
    if (file === '-' && process.stdout.isTTY) {
      throw new UsageError(
        'A backup cannot be shown on a terminal: name a file, or redirect the output with | or >',
      )
    }
    await (file === '-' ? null : requireNew(file))
    if (await saveTo(config, file, { withKey, toVerify: false })) process.exitCode = BROKEN_BOOKS
  },
})

type Regular = {
  folder: string
  every: string
  keep: string | undefined
  verify: boolean
  withKey: boolean
}

async function saveRegularly(config: Config, { folder, every, keep, verify, withKey }: Regular) {
  const { durationIn } = await import('./backup-age.ts')
  const everyMs = durationIn(every, '--every')
  if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep)) {
    throw new UsageError('--keep takes a number of backups from 1 to 9999')
  }
  if (!(await nullOnCodes(stat(folder)))?.isDirectory()) {
    throw new UsageError(`${folder} is not a directory: create it first.`)
  }
  const { backUpRegularly } = await import('./regular-backups.ts')
  const stop = new AbortController()
  for (const signal of ENDING_SIGNALS) process.once(signal, () => stop.abort())
  await backUpRegularly({
    folder,
    everyMs,
    keep: keep === undefined ? null : Number(keep),
    verifies: verify,
    save: (file) => saveTo(config, file, { withKey, toVerify: verify }),
    onVerified: async (file) => {
      const { recordVerified } = await import('../platform/backup/record.ts')
      const { withDatabase } = await import('./database.ts')
      const record = ({ url }: { url: string }) => recordVerified(url, file, systemClock.now())
      await withDatabase(config, say, record).catch(warnNotRecorded(say))
    },
    signal: stop.signal,
  })
}

/** Writes a backup and describes it. Returns whether its books break an invariant. */
async function saveTo(
  config: Config,
  file: string,
  { withKey, toVerify }: { withKey: boolean; toVerify: boolean },
): Promise<boolean> {
  const tell = file === '-' ? sayAside : say
  const key = withKey ? await carriedKey(config) : null
  const { readBooks } = await import('../platform/backup/books.ts')
  const { writeBackup } = await import('../platform/backup/write.ts')
  const { withDatabase } = await import('./database.ts')
  const { hasManyMoments } = await import('../platform/sharding/services.ts')
  const books = await readBooks()
  let isTorn = false
  const written = await stoppable(async (signal) => {
    const save = async ({ url }: { url: string }) => {
      const result = await intoFile(file, async (out) => {
        await stepBehind()
        isTorn = await hasManyMoments(url)
        const progress = percentOf('Saving', tell)
        const files = { root: path.resolve(config.dataDir), folder: 'uploads' }
        try {
          const beforeWrite = await guardSpace(config, file)
          return await writeBackup({
            url,
            books,
            out,
            files,
            key,
            signal,
            beforeWrite,
            progress: progress.at,
          })
        } finally {
          progress.end()
        }
      })
      await recordFile(url, file, { ...result, toVerify }).catch(warnNotRecorded(tell))
      return result
    }
    return withDatabase(config, tell, save, { signal })
  })
  for (const line of describe(written)) tell(line)
  const isBroken = printExamination(written, tell)
  if (written.leftOut.count > 0) tell(describeLeftOut(written.leftOut))
  if (file !== '-') tell(`Written to ${file}.`)
  if (isTorn) tell(TORN)
  if (written.header.keyId === null) return isBroken
  tell(
    key
      ? `The key for secrets (${key.key.keyId}) is in the file: anyone with the file can decrypt every secret.`
      : `A restore needs the key ${written.header.keyId}: keep ${config.secretsKey === null ? keyFile(config) : 'SECRETS_KEY'} apart from the file.`,
  )
  return isBroken
}

/** Records the file for the operator page. The size of what went into a pipe is unknown. */
async function recordFile(
  url: string,
  file: string,
  { header, manifest, toVerify }: Pick<Archive, 'header' | 'manifest'> & { toVerify: boolean },
) {
  const { recordBackup } = await import('../platform/backup/record.ts')
  const bytes = file === '-' ? null : (await stat(file)).size
  const { isBroken } = describeExamination({ manifest })
  await recordBackup(url, { takenAt: header.createdAt, file, bytes, isSound: !isBroken, toVerify })
}

/** The backup succeeded even if it cannot be recorded, as in a database that is read-only or not migrated yet. */
const warnNotRecorded = (tell: (line: string) => void) => (error: Error) =>
  tell(
    `This could not be recorded for the operator page and kasir doctor (${error.message}). The file is complete.`,
  )

/** Returns whether the books break an invariant. */
function printExamination(archive: Pick<Archive, 'manifest'>, tell: (line: string) => void): boolean {
  const { isBroken, lines } = describeExamination(archive)
  for (const line of lines) tell(line)
  return isBroken
}

/** Quotes and shortens names: a file that Kasir did not write may have any name of any length. */
function describeLeftOut({ count, names }: LeftOut): string {
  const shown = names.map((name) => JSON.stringify(name.slice(0, 100)))
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  return `Not backed up, because Kasir did not create them: ${shown.join(', ')}${more}.`
}

async function checkFile(file: string) {
  const { readArchive } = await import('../platform/backup/read.ts')
  const { requireReadable } = await import('./files.ts')
  if (file !== '-') await requireReadable(file)
  const archive = await readArchive(file === '-' ? process.stdin : createReadStream(file))
  for (const line of describe(archive)) say(line)
  if (printExamination(archive, say)) process.exitCode = BROKEN_BOOKS
  say(`${archive.hasKey ? 'The key for secrets is in it. ' : ''}The file is complete; nothing was restored.`)
}

/** Throws before anything is opened if the file exists: a backup never replaces a file. */
async function requireNew(file: string) {
  if ((await nullOnCodes(access(file).then(() => true))) !== null) {
    throw new UsageError(
      `${file} exists already, and a backup never replaces a file. Choose another name or remove the file first.`,
    )
  }
  const folder = path.dirname(path.resolve(file))
  if ((await nullOnCodes(access(folder).then(() => true))) === null) {
    throw new UsageError(`The directory ${folder} does not exist: create it first.`)
  }
}

/** Creates the file complete or not at all, readable by its owner only. */
async function intoFile<T>(file: string, work: (out: Writable) => Promise<T>): Promise<T> {
  if (file === '-') return withWriteErrors('standard output', () => work(process.stdout))
  const draft = `${file}.${process.pid}.part`
  return withWriteErrors(file, async () => {
    await removeAbandonedDrafts(path.dirname(path.resolve(file)))
    const handle = await open(draft, 'wx', 0o600)
    try {
      const result = await work(handle.createWriteStream({ flush: true }))
      await publishDraft(draft, file)
      await syncDirectory(path.dirname(path.resolve(file)))
      return result
    } finally {
      await handle.close().catch(() => {})
      await rm(draft, { force: true })
    }
  })
}

const DRAFT = /\.tar\.gz\.\d+\.part$/
/** A running backup writes continuously, so an older draft is abandoned. */
const ABANDONED_MS = 86_400_000

/** Removes the drafts of killed backups, which would otherwise pile up and fill the disk. */
async function removeAbandonedDrafts(folder: string) {
  for (const name of (await nullOnCodes(readdir(folder))) ?? []) {
    if (!DRAFT.test(name)) continue
    const draft = path.join(folder, name)
    const known = await nullOnCodes(stat(draft))
    if (known !== null && known.mtimeMs < systemClock.ms() - ABANDONED_MS) await rm(draft, { force: true })
  }
}

/** Links the draft to its final name. Without hard links (USB sticks, shares) it renames it, if the name is still free. */
async function publishDraft(draft: string, file: string) {
  const isLinked = await nullOnCodes(
    link(draft, file).then(() => true),
    'EPERM',
    'ENOTSUP',
    'EOPNOTSUPP',
    'ENOSYS',
  )
  if (isLinked) return
  await requireNew(file)
  await rename(draft, file)
}

/** An interrupted backup removes its partial file. */
async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => stop.abort(new BackupError('Interrupted: no backup was written.'))
  for (const signal of ENDING_SIGNALS) process.once(signal, onSignal)
  try {
    return await work(stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal)
  }
}

const keyFile = ({ dataDir }: Config) => path.resolve(dataDir, 'secrets.key')

async function carriedKey(config: Config): Promise<CarriedKey> {
  const [source, text] =
    config.secretsKey === null
      ? [keyFile(config), await nullOnCodes(readFile(keyFile(config), 'utf8'))]
      : ['SECRETS_KEY', config.secretsKey]
  if (text === null) {
    throw new UsageError(
      `There is no key to put into the backup: ${keyFile(config)} is missing and SECRETS_KEY is not set.`,
    )
  }
  const key = keyOf(text)
  if (key === null) throw new UsageError(`${source} contains no key: nothing was saved.`)
  return { text, key: secretsOf(key), source }
}
