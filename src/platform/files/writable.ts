import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { StartError, systemCode } from '../../core/fault.ts'
import type { Config } from '../config/config.ts'
import { nearest } from './free-space.ts'

type StorageSettings = Pick<Config, 'dataDir' | 's3Endpoint' | 'smtpUrl'>
type StoredFiles = {
  folder: string
  name: string
  isElsewhere(config: StorageSettings): boolean
  setting: string
}

/** The files that a service with DATABASE_URL writes. The cache of feeds may fail, and secrets.key may be read-only. */
const STORED: readonly StoredFiles[] = [
  {
    folder: 'uploads',
    name: 'uploaded images',
    isElsewhere: ({ s3Endpoint }) => s3Endpoint !== null,
    setting: 'S3_ENDPOINT',
  },
  {
    folder: 'mail',
    name: 'mails',
    isElsewhere: ({ smtpUrl }) => smtpUrl !== null,
    setting: 'SMTP_URL',
  },
]

export const storedFilesOf = (config: StorageSettings) =>
  STORED.filter(({ isElsewhere }) => !isElsewhere(config))

/** Why files cannot be created in a directory, or in its closest existing parent; null if they can. */
export async function findUnwritable(directory: string): Promise<{ directory: string; code: string } | null> {
  const home = await nearest(directory)
  try {
    await access(home, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return { directory: home, code: systemCode(error) }
  }
}

/** For a service with DATABASE_URL: the embedded database needs the whole directory and checks it itself. */
export async function requireWritableFolders(config: StorageSettings): Promise<void> {
  const found = await Promise.all(
    storedFilesOf(config).map(async (files) => ({
      ...files,
      unwritable: await findUnwritable(path.resolve(config.dataDir, files.folder)),
    })),
  )
  const refused = found.filter(({ unwritable }) => unwritable !== null)
  const unwritable = refused[0]?.unwritable
  if (!unwritable) return
  const names = refused.map(({ name }) => name).join(' and ')
  const other = refused.map(({ setting }) => setting).join(' and ')
  throw new StartError(
    'DATA_DIR_UNUSABLE',
    `${unwritable.directory} cannot be written (${unwritable.code}), and ${names} are stored there: make DATA_DIR writable for the user that runs Kasir, or set ${other}.`,
  )
}
