import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { addressOf, type Config } from '../platform/config.ts'
import { orNull } from '../platform/db/embedded/fault.ts'

const fileIn = ({ dataDir }: Pick<Config, 'dataDir'>) => path.resolve(dataDir, 'address')

/**
 * Writes down where this service listens, for the commands that are run next to it. With a database and a key of its
 * own a service needs no data directory: then nothing is written, and nothing fails.
 */
export const keepAddress = (config: Config, address: string) =>
  orNull(writeFile(fileIn(config), `${address}\n`), 'ENOENT', 'ENOTDIR', 'EROFS', 'EACCES')

/**
 * Where to call the service: as browsers do, else where the one that runs on this data directory listens, else where
 * these settings would start it. What a service wrote that has ended is not asked for.
 */
export async function callableAddress(config: Config, isRunning: boolean): Promise<string> {
  if (config.publicUrl !== null || !isRunning) return addressOf(config)
  const kept = await orNull(readFile(fileIn(config), 'utf8'))
  return kept?.trim() || addressOf(config)
}
