import { createReadStream } from 'node:fs'
import { access, link, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { BackupError } from '../platform/backup/error.ts'
import type { LeftOut } from '../platform/backup/files.ts'
import type { CarriedKey } from '../platform/backup/write.ts'
import type { Config } from '../platform/config.ts'
import { orNull } from '../platform/db/embedded/fault.ts'
import { keyOf, secretsOf } from '../platform/secrets.ts'
import { command, dataDirArg, say, sayAside, settingsOf, UsageError } from './command.ts'
import { whileWriting } from './files.ts'
import { stepBehind } from './priority.ts'
import { percentOf } from './progress.ts'

const TORN =
  'The database is spread over workers and a service is connected: what was sold meanwhile may be in these books in part. ' +
  'Stop every service for a backup that agrees with itself.'

export const backup = command({
  name: 'backup',
  description: 'Save all books to one file while the service runs, or check such a file',
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'Where to write it, a .tar.gz that is not there yet; - for standard output',
    },
    check: { type: 'boolean', description: 'Read an existing backup to its end and restore nothing' },
    'with-key': { type: 'boolean', description: 'Put the key for secrets into the file as well' },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey'],
  examples: [
    ['kasir backup kasir-monday.tar.gz', 'beside a running service or without one'],
    ['kasir backup --check kasir-monday.tar.gz', 'is every byte of it as it was written?'],
    ['kasir backup - | ssh safe "cat > kasir.tar.gz"', 'to another machine'],
  ],
  run: async ({ file, check = false, 'with-key': withKey = false, ...options }) => {
    if (check) return checkFile(file)
    if (file === '-' && process.stdout.isTTY) {
      throw new UsageError('A backup is not for a screen: name a file, or send the output on with | or >')
    }
    await (file === '-' ? null : requireNew(file))
    const config = settingsOf({ DATA_DIR: options['data-dir'] })
    const tell = file === '-' ? sayAside : say
    const key = withKey ? await carriedKey(config) : null
    const { readBooks } = await import('../platform/backup/books.ts')
    const { writeBackup } = await import('../platform/backup/write.ts')
    const { withDatabase } = await import('./database.ts')
    const { hasManyMoments } = await import('../platform/sharding/services.ts')
    const books = await readBooks()
    let isTorn = false
    const written = await stoppable(async (signal) =>
      withDatabase(config, tell, ({ url }) =>
        intoFile(file, async (out) => {
          await stepBehind()
          isTorn = await hasManyMoments(url)
          const progress = percentOf('Saving', tell)
          const files = { root: path.resolve(config.dataDir), folder: 'uploads' }
          try {
            return await writeBackup({ url, books, out, files, key, signal, progress: progress.at })
          } finally {
            progress.end()
          }
        }),
      ),
    )
    const { describe } = await import('./describe-backup.ts')
    for (const line of describe(written)) tell(line)
    if (written.leftOut.count > 0) tell(inWords(written.leftOut))
    if (file !== '-') tell(`Written to ${file}.`)
    if (isTorn) tell(TORN)
    if (written.header.keyId === null) return
    tell(
      key
        ? `The key for secrets (${key.key.keyId}) is in the file: whoever has the file can open every secret.`
        : `A restore wants the key ${written.header.keyId}: keep ${config.secretsKey === null ? keyFile(config) : 'SECRETS_KEY'} apart from the file.`,
    )
  },
})

/** Quoted and cut: a name that is none of ours may hold anything, and be of any length. */
function inWords({ count, names }: LeftOut): string {
  const shown = names.map((name) => JSON.stringify(name.slice(0, 100)))
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  return `Left out, as Kasir did not put them there: ${shown.join(', ')}${more}.`
}

async function checkFile(file: string) {
  const { readArchive } = await import('../platform/backup/read.ts')
  const { requireReadable } = await import('./files.ts')
  const { describe } = await import('./describe-backup.ts')
  if (file !== '-') await requireReadable(file)
  const archive = await readArchive(file === '-' ? process.stdin : createReadStream(file))
  for (const line of describe(archive)) say(line)
  say(`${archive.hasKey ? 'The key for secrets is in it. ' : ''}All of it is whole; nothing was restored.`)
}

/** Refused before anything is opened: no backup ever replaces a file. */
async function requireNew(file: string) {
  if ((await orNull(access(file).then(() => true))) !== null) {
    throw new UsageError(
      `${file} is there already: a backup never replaces a file. Choose another name or remove it first.`,
    )
  }
  const folder = path.dirname(path.resolve(file))
  if ((await orNull(access(folder).then(() => true))) === null) {
    throw new UsageError(`The directory ${folder} does not exist: make it first.`)
  }
}

/** The file appears under its name with all it holds or not at all, readable by its owner only. */
async function intoFile<T>(file: string, work: (out: Writable) => Promise<T>): Promise<T> {
  if (file === '-') return whileWriting('standard output', () => work(process.stdout))
  const draft = `${file}.${process.pid}.part`
  return whileWriting(file, async () => {
    const handle = await open(draft, 'wx', 0o600)
    try {
      const result = await work(handle.createWriteStream({ flush: true }))
      await giveName(draft, file)
      return result
    } finally {
      await handle.close().catch(() => {})
      await rm(draft, { force: true })
    }
  })
}

/** A stick or a share may know no second name for a file: there it is renamed, unless somebody took the name meanwhile. */
async function giveName(draft: string, file: string) {
  const isLinked = await orNull(
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

/** An interrupted backup takes its half-written file along. */
async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => stop.abort(new BackupError('Interrupted: no backup was written.'))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await work(stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

const keyFile = ({ dataDir }: Config) => path.resolve(dataDir, 'secrets.key')

async function carriedKey(config: Config): Promise<CarriedKey> {
  const [source, text] =
    config.secretsKey === null
      ? [keyFile(config), await orNull(readFile(keyFile(config), 'utf8'))]
      : ['SECRETS_KEY', config.secretsKey]
  if (text === null) {
    throw new UsageError(
      `There is no key to put into the backup: ${keyFile(config)} is missing and SECRETS_KEY is not set.`,
    )
  }
  const key = keyOf(text)
  if (key === null) throw new UsageError(`${source} holds no key: nothing was saved.`)
  return { text, key: secretsOf(key), source }
}
