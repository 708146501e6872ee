import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract as tarExtract } from 'tar-stream'
import { VERSION } from '../version.ts'
import { BackupError } from './error.ts'
import {
  entryOf,
  type Header,
  type Manifest,
  readHeader,
  readManifest,
  type SavedFile,
  type SavedTable,
} from './format.ts'

/** Receives the contents while they are read. They are unverified until `readArchive` returns. */
export type Receiver = {
  part?(table: { schema: string; table: string }, chunk: Buffer): Promise<void>
  file?(path: string, content: Buffer): Promise<void>
  key?(text: string): Promise<void>
}
export type Archive = { header: Header; manifest: Manifest; hasKey: boolean }

/**
 * Reads an archive to its end and compares every entry with the manifest. Throws a one-sentence BackupError if the
 * archive is cut off, altered, not Kasir's, or from a newer version.
 */
export async function readArchive(source: Readable, receiver: Receiver = {}): Promise<Archive> {
  const tar = tarExtract()
  const flowing = pipeline(source, createGunzip(), tar)
  flowing.catch(() => {})
  try {
    const archive = await readEntries(tar, receiver)
    await flowing
    return archive
  } catch (error) {
    tar.destroy()
    throw toBackupError(error)
  }
}

/** Reads the first entry only: when and by which version the archive was written. The rest stays unverified. */
export async function readArchiveHeader(source: Readable): Promise<Header> {
  const tar = tarExtract()
  const flowing = pipeline(source, createGunzip(), tar)
  flowing.catch(() => {})
  try {
    for await (const stream of tar) {
      if (entryIn(stream.header).kind !== 'header') throw notOurs()
      return readHeader((await contentOf(stream as AsyncIterable<Buffer>)).toString(), VERSION)
    }
    throw new BackupError('This is not a backup of Kasir: it is empty.')
  } catch (error) {
    throw toBackupError(error)
  } finally {
    tar.destroy()
  }
}

const entryIn = ({ name, type, size }: { name: string; type?: string | null; size?: number }) =>
  entryOf({ name, type: type ?? '', size: size ?? 0 })

const notOurs = () => new BackupError('This is not a backup of Kasir: its first entry is not one of ours.')

const GZIP_FAULTS = ['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR_STREAM_PREMATURE_CLOSE']
const TAR_FAULT = /tar header|unexpected end of data|Invalid (tar|header)/i

/** Turns the libraries' errors for a damaged archive into a BackupError; other errors pass unchanged. */
function toBackupError(error: unknown): unknown {
  if (error instanceof BackupError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (message === 'incorrect header check')
    return new BackupError('This is not a backup of Kasir: it is not a gzip archive.')
  const isDamage = GZIP_FAULTS.includes(code ?? '') || TAR_FAULT.test(message)
  if (!isDamage) return error
  const isCut = message.includes('unexpected end') || code === 'ERR_STREAM_PREMATURE_CLOSE'
  return new BackupError(
    isCut
      ? 'The backup is cut off: the rest of the file is missing.'
      : 'The backup is damaged: its bytes were altered.',
  )
}

type TableProgress = { schema: string; table: string; parts: number; bytes: number; hash: Hash }

async function readEntries(tar: ReturnType<typeof tarExtract>, receiver: Receiver): Promise<Archive> {
  let header: Header | undefined
  let manifest: Manifest | undefined
  let hasKey = false
  const tables: TableProgress[] = []
  const files: SavedFile[] = []
  for await (const stream of tar) {
    const entry = entryIn(stream.header)
    if (manifest !== undefined) throw new BackupError('The backup is damaged: it has entries after its end.')
    if ((entry.kind === 'header') !== (header === undefined)) throw notOurs()
    const content = await contentOf(stream as AsyncIterable<Buffer>)
    if (entry.kind === 'header') header = readHeader(content.toString(), VERSION)
    else if (entry.kind === 'manifest') manifest = readManifest(content.toString())
    else if (entry.kind === 'key') {
      hasKey = true
      await receiver.key?.(content.toString())
    } else if (entry.kind === 'file') {
      files.push({ path: entry.path, bytes: content.length, sha256: sha256(content) })
      await receiver.file?.(entry.path, content)
    } else {
      addPart(tables, entry, content)
      await receiver.part?.(entry, content)
    }
  }
  if (header === undefined) throw new BackupError('This is not a backup of Kasir: it is empty.')
  if (manifest === undefined) throw new BackupError('The backup is cut off: its list of contents is missing.')
  requireSame(manifest, tables, files)
  return { header, manifest, hasKey }
}

async function contentOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** The parts of a table must be adjacent and in order, because a restore loads them as they come. */
function addPart(
  tables: TableProgress[],
  { schema, table, part }: { schema: string; table: string; part: number },
  chunk: Buffer,
) {
  let last = tables.at(-1)
  if (last?.schema !== schema || last.table !== table) {
    last = { schema, table, parts: 0, bytes: 0, hash: createHash('sha256') }
    tables.push(last)
  }
  if (part !== last.parts) throw damagedTable(schema, table)
  last.parts += 1
  last.bytes += chunk.length
  last.hash.update(chunk)
}

const damagedTable = (schema: string, table: string) =>
  new BackupError(`The backup is damaged: the table ${schema}.${table} is not whole.`)

function requireSame(manifest: Manifest, read: readonly TableProgress[], files: readonly SavedFile[]) {
  const filled = manifest.tables.filter(({ parts }) => parts > 0)
  const digests = read.map(({ hash, ...rest }) => ({ ...rest, sha256: hash.digest('hex') }))
  filled.forEach((saved, at) => {
    if (!isSame(saved, digests[at])) throw damagedTable(saved.schema, saved.table)
  })
  const stray = digests[filled.length]
  if (stray) throw damagedTable(stray.schema, stray.table)
  const found = new Map(files.map((file) => [file.path, file]))
  const lost = manifest.files.find(({ path, sha256: expected }) => found.get(path)?.sha256 !== expected)
  if (lost) throw new BackupError(`The backup is damaged: the file ${lost.path} is not whole.`)
  if (found.size > manifest.files.length)
    throw new BackupError('The backup is damaged: it holds a file that is not in its list.')
}

const isSame = (saved: SavedTable, read: (Omit<TableProgress, 'hash'> & { sha256: string }) | undefined) =>
  read !== undefined &&
  saved.schema === read.schema &&
  saved.table === read.table &&
  saved.parts === read.parts &&
  saved.bytes === read.bytes &&
  saved.sha256 === read.sha256
