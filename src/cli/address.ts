import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes } from '../core/fault.ts'
import { addressOf, type Config } from '../platform/config/config.ts'
import { findRunning } from '../platform/db/embedded/address.ts'

const fileIn = ({ dataDir }: Pick<Config, 'dataDir'>) => path.resolve(dataDir, 'address')

const UNWRITABLE = ['ENOENT', 'ENOTDIR', 'EROFS', 'EACCES', 'ENOSPC', 'EDQUOT']

/**
 * Records the address this service listens on, for commands run beside it. A missing, read-only or full data directory
 * is ignored: with DATABASE_URL and SECRETS_KEY a service needs none.
 */
export const writeAddress = (config: Config, address: string) =>
  nullOnCodes(writeFile(fileIn(config), `${address}\n`), ...UNWRITABLE)

const readAddress = async (config: Pick<Config, 'dataDir'>) =>
  (await nullOnCodes(readFile(fileIn(config), 'utf8'), 'ENOENT', 'ENOTDIR', 'EACCES'))?.trim() || null

/**
 * Returns whether the service that listens on PORT uses this data directory. With DATABASE_URL the answer is always yes,
 * because such a service may have no data directory to compare.
 */
export async function isOwnService(config: Config): Promise<boolean> {
  if (config.databaseUrl !== null) return true
  if ((await findRunning(path.resolve(config.dataDir))) === null) return false
  const address = await readAddress(config)
  return address === null || Number(new URL(address).port) === config.port
}

/**
 * Returns the address to call the service at: PUBLIC_URL, else the recorded address of the running service, else the
 * address these settings would listen on. The address recorded by a stopped service is ignored.
 */
export async function callableAddress(config: Config, isRunning: boolean): Promise<string> {
  if (config.publicUrl !== null || !isRunning) return addressOf(config)
  return (await readAddress(config)) ?? addressOf(config)
}

/** Returns the database's name for the operator, never its whole URL, which may contain a password. */
export function databaseName({ databaseUrl }: Config): string {
  if (databaseUrl === null) return 'embedded PostgreSQL'
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${hostname || 'a local socket'}${port === '' ? '' : `:${port}`}${pathname}`
}
