import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { systemCode } from '../../core/fault.ts'
import type { Clock } from '../clock.ts'
import { makeDirectory } from './directory.ts'

/**
 * An open cached file. It stays readable to its end even if another process removes it. The caller must read
 * `stream`.
 */
export type KeptFile = { stream(): Readable }

/**
 * A cache folder for texts that take long to generate. Nothing depends on it: a text that cannot be stored or read is
 * generated again. Several processes may share the folder.
 */
export type KeptFiles = {
  /** The cached text of this place and version; null if it must be generated. */
  read(place: string, version: string): Promise<KeptFile | null>
  /**
   * Passes the pieces on as they arrive. Stores the text after the last piece, if `isTrue` confirms that its version
   * is still current. It replaces all other versions of the place.
   */
  keep(
    place: string,
    version: string,
    pieces: AsyncIterable<string>,
    isTrue: () => Promise<boolean>,
  ): AsyncIterable<string>
}

type Options = {
  dir: string
  clock: Pick<Clock, 'ms'>
  log: Pick<Logger, 'warn'>
  /** Files above the first limit are not stored; above the total limit the oldest are removed first. */
  maxFileBytes?: number
  maxBytes?: number
  /**
   * The most texts being written at the same time, each by one reader. Further readers receive the text, but do not
   * store it.
   */
  maxParts?: number
}

const MIB = 1024 * 1024
/**
 * A file older than this is generated again, which limits the harm of a version that failed to change with its text.
 */
const LIFETIME_MS = 6 * 3_600_000
/** A live writer has finished by then. */
const LEFTOVER_MS = 3_600_000
const TIDIED_EVERY_MS = 60_000
/** After this long, a stalled reader no longer keeps others from writing its place. */
const PATIENCE_MS = 60_000
const READ_BYTES = 512 * 1024
const PART = 'part-'

type Part = { file: string; handle: FileHandle; bytes: number; isGivenUp: boolean }
type Turn = { part: Part | null; sinceMs: number }

export function openKeptFiles({
  dir,
  clock,
  log,
  maxFileBytes = 256 * MIB,
  maxBytes = 2_048 * MIB,
  maxParts = 8,
}: Options): KeptFiles {
  let tidiedMs = Number.NEGATIVE_INFINITY
  const folderOf = (place: string) => path.join(dir, place)
  const nameOf = (version: string) => createHash('sha256').update(version).digest('hex')
  const tell = (error: unknown) =>
    log.warn({ code: systemCode(error), dir }, 'a file could not be kept; it is made anew each time')

  const turns = takingTurns({ clock, maxParts, onLate: (part) => void giveUp(part).catch(tell) })

  async function begin(place: string): Promise<Part | null> {
    try {
      await makeDirectory(folderOf(place), 0o700)
      const file = path.join(folderOf(place), `${PART}${randomUUID()}`)
      return { file, handle: await open(file, 'wx', 0o600), bytes: 0, isGivenUp: false }
    } catch (error) {
      tell(error)
      return null
    }
  }

  async function finish({ file, handle, isGivenUp }: Part, place: string, name: string | null) {
    await handle.close()
    if (name === null || isGivenUp) return remove(file)
    const seconds = clock.ms() / 1000
    await utimes(file, seconds, seconds)
    await rename(file, path.join(folderOf(place), name))
    for (const other of await filesIn(folderOf(place))) {
      if (path.basename(other) !== name && !path.basename(other).startsWith(PART)) await remove(other)
    }
    if (clock.ms() - tidiedMs < TIDIED_EVERY_MS) return
    tidiedMs = clock.ms()
    await tidy({ dir, nowMs: tidiedMs, maxBytes })
  }

  return {
    read: (place, version) => openFresh(path.join(folderOf(place), nameOf(version)), clock.ms()),
    keep: async function* keep(place, version, pieces, isTrue) {
      const turn = turns.begin(place)
      if (turn === null) {
        yield* pieces
        return
      }
      let isWhole = false
      try {
        turn.part = await begin(place)
        for await (const piece of pieces) {
          if (turn.part) await add(turn.part, piece, maxFileBytes).catch(tell)
          yield piece
        }
        isWhole = turn.part !== null && (await isTrue())
      } finally {
        if (turn.part) await finish(turn.part, place, isWhole ? nameOf(version) : null).catch(tell)
        turns.end(place, turn)
      }
    },
  }
}

/** Allows one writer per place. A writer that takes too long loses its place to the next one. */
function takingTurns({
  clock,
  maxParts,
  onLate,
}: Pick<Options, 'clock'> & { maxParts: number; onLate(part: Part): void }) {
  const turns = new Map<string, Turn>()
  return {
    /** Null if another reader is writing this place, or the limit of writers is reached. */
    begin: (place: string): Turn | null => {
      const nowMs = clock.ms()
      for (const [other, { part, sinceMs }] of turns) {
        if (nowMs - sinceMs <= PATIENCE_MS) continue
        turns.delete(other)
        if (part) onLate(part)
      }
      if (turns.has(place) || turns.size >= maxParts) return null
      const turn = { part: null, sinceMs: nowMs }
      turns.set(place, turn)
      return turn
    },
    end: (place: string, turn: Turn) => {
      if (turns.get(place) === turn) turns.delete(place)
    },
  }
}

async function openFresh(file: string, nowMs: number): Promise<KeptFile | null> {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return null
  const { mtimeMs } = await handle.stat()
  if (mtimeMs > nowMs - LIFETIME_MS)
    return { stream: () => handle.createReadStream({ highWaterMark: READ_BYTES }) }
  await handle.close()
  return null
}

/** A file that cannot be written completely is not stored; the reader receives the pieces regardless. */
async function add(part: Part, piece: string, maxFileBytes: number) {
  part.bytes += Buffer.byteLength(piece)
  if (part.bytes > maxFileBytes) part.isGivenUp = true
  if (part.isGivenUp) return
  try {
    await part.handle.writeFile(piece)
  } catch (error) {
    part.isGivenUp = true
    throw error
  }
}

/** Deletes the partial file immediately; the reader may continue for a long time. */
async function giveUp(part: Part) {
  part.isGivenUp = true
  await part.handle.truncate(0)
}

const remove = (file: string) => unlink(file).catch(() => {})

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name))

/** Removes expired files, partial files of processes that died, and then the oldest files above the size limit. */
async function tidy({ dir, nowMs, maxBytes }: { dir: string; nowMs: number; maxBytes: number }) {
  const found: { file: string; bytes: number; madeMs: number }[] = []
  for (const place of await filesIn(dir)) {
    for (const file of await filesIn(place)) {
      const known = await stat(file).catch(() => null)
      if (known) found.push({ file, bytes: known.size, madeMs: known.mtimeMs })
    }
  }
  let bytes = 0
  for (const { file, madeMs, bytes: own } of found.toSorted((a, b) => b.madeMs - a.madeMs)) {
    const lifetimeMs = path.basename(file).startsWith(PART) ? LEFTOVER_MS : LIFETIME_MS
    bytes += own
    if (bytes > maxBytes || madeMs < nowMs - lifetimeMs) await remove(file)
  }
}
