import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes } from '../../core/fault.ts'
import { fileEntry, isTaken, lineBytes, MANIFEST_ENTRY, requireTaken } from './format.ts'

/** Files in the uploads folder that the service did not write: their number, and the first few names. */
export type LeftOut = { count: number; names: string[] }
const NAMED = 5

type UploadList = { names: string[]; leftOut: LeftOut; listBytes: number }

/**
 * Lists the uploaded files by their path below the root. Skips files that a file manager, a file system or a person
 * left there: the reader of a backup accepts only names that the service gives. Throws a BackupError for a file too
 * large for a backup, and for more files than the manifest can list.
 */
export async function findFiles(files: { root: string; folder: string } | null): Promise<UploadList> {
  const found: UploadList = { names: [], leftOut: { count: 0, names: [] }, listBytes: 0 }
  if (files !== null) await findIn(files.root, files.folder, found)
  return found
}

async function findIn(root: string, folder: string, found: UploadList): Promise<void> {
  for (const entry of (await nullOnCodes(readdir(path.join(root, folder), { withFileTypes: true }))) ?? []) {
    const name = `${folder}/${entry.name}`
    if (!isOurs(entry, name)) leaveOut(found.leftOut, name)
    else if (entry.isDirectory()) await findIn(root, name, found)
    else {
      const known = await nullOnCodes(stat(path.join(root, name)))
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
