import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { orNull } from '../db/embedded/fault.ts'
import { fileEntry, isTaken, lineBytes, MANIFEST_ENTRY, requireTaken } from './format.ts'

/** What lies among the uploaded files and is none of the service's: how much of it, and the names of the first. */
export type LeftOut = { count: number; names: string[] }
const NAMED = 5

type Found = { names: string[]; leftOut: LeftOut; listBytes: number }

/**
 * The uploaded files, named from the root on. What a file manager, a file system or a person left beside them does not go
 * along: the service gives no such names, and the reader of a backup takes no others. Throws a BackupError for a file
 * that no backup can hold, and for more of them than its list can name.
 */
export async function findFiles(files: { root: string; folder: string } | null): Promise<Found> {
  const found: Found = { names: [], leftOut: { count: 0, names: [] }, listBytes: 0 }
  if (files !== null) await findIn(files.root, files.folder, found)
  return found
}

async function findIn(root: string, folder: string, found: Found): Promise<void> {
  for (const entry of (await orNull(readdir(path.join(root, folder), { withFileTypes: true }))) ?? []) {
    const name = `${folder}/${entry.name}`
    if (!isOurs(entry, name)) leaveOut(found.leftOut, name)
    else if (entry.isDirectory()) await findIn(root, name, found)
    else {
      const known = await orNull(stat(path.join(root, name)))
      if (known === null) continue
      requireTaken(fileEntry(name), known.size)
      found.names.push(name)
      found.listBytes += lineBytes(name, known.size)
      requireTaken(MANIFEST_ENTRY, found.listBytes)
    }
  }
}

const isOurs = (entry: Dirent, name: string) =>
  (entry.isFile() || entry.isDirectory()) && isTaken(fileEntry(name), 0)

function leaveOut(leftOut: LeftOut, name: string) {
  leftOut.count += 1
  if (leftOut.names.length < NAMED) leftOut.names.push(name)
}
