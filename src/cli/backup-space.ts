import { stat } from 'node:fs/promises'
import path from 'node:path'
import { BackupError } from '../platform/backup/error.ts'
import type { Config } from '../platform/config/config.ts'
import { CRITICAL_BYTES, readDisks, readFreeBytes } from '../platform/files/free-space.ts'

const MEBIBYTE = 2 ** 20
const LOOK_AFTER_BYTES = 32 * MEBIBYTE

/** Called before each part of the file is written. Throws a BackupError to end the backup. */
export type SpaceGuard = (bytes: number) => Promise<void>

/**
 * Keeps the last space of a disk for the embedded database on it, which a full disk stops. Returns undefined for a file
 * on another disk, and for standard output.
 */
export async function guardSpace(config: Config, file: string): Promise<SpaceGuard | undefined> {
  const folder = path.dirname(path.resolve(file))
  const database = (await readDisks(config)).find(({ name }) => name === 'database')
  if (file === '-' || !database?.devices.includes((await stat(folder)).dev)) return undefined
  let sinceLook = LOOK_AFTER_BYTES
  return async (bytes) => {
    sinceLook += bytes
    if (sinceLook < LOOK_AFTER_BYTES) return
    sinceLook = 0
    const free = await readFreeBytes(folder)
    if (free >= CRITICAL_BYTES) return
    throw new BackupError(
      `No backup was written: only ${Math.round(free / MEBIBYTE)} MiB are free in ${folder}, and the database on the same disk needs them. Free some space, or write to another disk.`,
    )
  }
}
