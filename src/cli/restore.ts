import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { orNull } from '../platform/db/embedded/fault.ts'
import { makeDirectory } from '../platform/directory.ts'
import { keyOf, secretsOf } from '../platform/secrets.ts'
import { command, dataDirArg, say, settingsOf, UsageError } from './command.ts'
import { requireReadable } from './files.ts'
import { percentOf } from './progress.ts'

export const restore = command({
  name: 'restore',
  description: 'Put the books of a backup into an empty database, or in place of others',
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'What kasir backup wrote; - for standard input',
    },
    replace: {
      type: 'string',
      valueHint: 'database',
      description: 'Give up the books that are there now; type the name of their database',
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey'],
  examples: [
    ['kasir restore kasir-monday.tar.gz', 'into the embedded database under ./data, which is made'],
    ['kasir restore kasir-monday.tar.gz --replace kasir', 'in place of the books that are there'],
    [
      'DATABASE_URL=postgres://kasir@db/kasir kasir restore kasir-monday.tar.gz',
      'into a PostgreSQL of your own',
    ],
  ],
  run: async ({ file, replace = null, ...options }) => {
    const config = settingsOf({ DATA_DIR: options['data-dir'] })
    const { readArchive } = await import('../platform/backup/read.ts')
    const { restoreBackup } = await import('../platform/backup/restore.ts')
    const { readBooks } = await import('../platform/backup/books.ts')
    const { withDatabase } = await import('./database.ts')
    const { describe } = await import('./describe-backup.ts')
    const books = await readBooks()
    if (file !== '-') await requireReadable(file)
    await onDisk(file, async (local) => {
      let key: string | null = null
      const archive = await readArchive(createReadStream(local), {
        key: async (text) => {
          key = text
        },
      })
      await withDatabase(config, say, async ({ url, inUse }) => {
        if (inUse) throw new UsageError(`Kasir is running on ${config.dataDir}: stop it before a restore.`)
        const progress = percentOf('Restoring')
        const receive = { file: keepFile(config) }
        try {
          await restoreBackup({ url, file: local, archive, books, replace, receive, progress: progress.at })
        } finally {
          progress.end()
        }
      })
      for (const line of describe(archive)) say(line)
      say('All of it is restored, and the books agree with themselves.')
      for (const line of await settleKey(config, key, archive.header.keyId)) say(line)
    })
  },
})

/** A restore reads twice: first all of it to prove it, then to load it. A pipe is kept in a file meanwhile. */
async function onDisk(file: string, work: (local: string) => Promise<void>) {
  if (file !== '-') return work(file)
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-restore-'))
  try {
    const local = path.join(room, 'backup.tar.gz')
    await pipeline(process.stdin, createWriteStream(local, { mode: 0o600 }))
    await work(local)
  } finally {
    await rm(room, { recursive: true, force: true })
  }
}

/** Uploaded files have names of their own: one that is there is the same, and one too many is missed by nobody. */
const keepFile = (config: Config) => async (name: string, content: Buffer) => {
  const target = path.resolve(config.dataDir, name)
  await makeDirectory(path.dirname(target))
  await writeFile(`${target}.part`, content, { mode: 0o600 })
  await rename(`${target}.part`, target)
}

/** Puts the key of the backup where the service looks for it, or says which one is wanted. */
async function settleKey(config: Config, key: string | null, keyId: string | null): Promise<string[]> {
  if (keyId === null) return []
  const target = path.resolve(config.dataDir, 'secrets.key')
  if (key === null || config.secretsKey !== null) {
    return [
      `These books want the key ${keyId}: ${target} or SECRETS_KEY must be that one, or the service does not start.`,
    ]
  }
  const held = await orNull(readFile(target, 'utf8'))
  const bytes = keyOf(key)
  // One that was saved amid a rotation is the key before, which leads to the one that the books name.
  const id = bytes === null ? keyId : secretsOf(bytes).keyId
  if (held === key) return [`The key ${id} is in ${target} already.`]
  await makeDirectory(path.dirname(target))
  const lines: string[] = []
  if (held !== null) {
    const aside = `${target}.before-${systemClock.now().replaceAll(/[:.]/g, '-')}`
    await rename(target, aside)
    lines.push(`The key that was there is now ${aside}.`)
  }
  await writeFile(target, key, { mode: 0o600, flag: 'wx' })
  return [...lines, `The key ${id} of the backup is in ${target}.`]
}
