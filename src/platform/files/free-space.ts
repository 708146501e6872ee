import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nullOnCodes, systemCode } from '../../core/fault.ts'
import type { Config } from '../config/config.ts'

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT'])
/** Whether a write failed because the disk is full. */
export const isNoSpace = (error: unknown) => NO_SPACE.has(systemCode(error))

/** Bytes available to ordinary users on the disk of a directory, or of its closest existing parent. */
export async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearest(directory))
  return bavail * bsize
}

/** The directories of the database files under `cluster`: the write-ahead log may be a link to another disk. */
export const directoriesOf = (cluster: string) => [cluster, path.join(cluster, 'pg_wal')]

export const readLeastFreeBytes = async (directories: readonly string[]): Promise<number> =>
  Math.min(...(await Promise.all(directories.map(readFreeBytes))))

/** The directory itself, or its closest existing parent. */
export async function nearest(directory: string): Promise<string> {
  const above = path.dirname(directory)
  const found = await nullOnCodes(stat(directory), 'ENOENT', 'ENOTDIR')
  return found !== null || above === directory ? directory : nearest(above)
}

/** The kinds of data on a disk whose free space is watched. */
export type Disk = {
  name: 'data' | 'database' | 'uploads'
  directory: string
  devices: number[]
  /** If the data is on two disks, the smaller free space of the two. */
  freeBytes: number
  state: 'ok' | 'low' | 'critical'
}

/** Free space below this causes a warning: the write-ahead log alone may grow to 2 GB. */
export const LOW_BYTES = 2 * 2 ** 30
/** Below this the database may stop at any moment. */
export const CRITICAL_BYTES = 500 * 2 ** 20

/** Below this PostgreSQL does not start: it replays its log into new segments of 16 MiB. */
export const STARTING_BYTES = 32 * 2 ** 20

export const spaceState = (freeBytes: number): Disk['state'] =>
  freeBytes < CRITICAL_BYTES ? 'critical' : freeBytes < LOW_BYTES ? 'low' : 'ok'

/** The disks of a configuration. The disk of a remote database or bucket is not visible from here. */
export async function readDisks(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 's3Endpoint'>,
): Promise<Disk[]> {
  const home = path.resolve(config.dataDir)
  const disk = async (name: Disk['name'], directory: string, parts = [directory]): Promise<Disk> => {
    const devices = await Promise.all(parts.map(async (part) => (await stat(await nearest(part))).dev))
    const freeBytes = await readLeastFreeBytes(parts)
    return { name, directory, devices, freeBytes, state: spaceState(freeBytes) }
  }
  const [cluster, uploads] = [path.join(home, 'postgres'), path.join(home, 'uploads')]
  return Promise.all([
    disk('data', home),
    ...(config.databaseUrl === null ? [disk('database', cluster, directoriesOf(cluster))] : []),
    ...(config.s3Endpoint === null ? [disk('uploads', uploads)] : []),
  ])
}

/** The longest that a health check waits for a disk: one on a network may never answer. */
const PATIENCE_MS = 1_000

/** Concurrent callers share one look-up, so a hanging disk blocks only one thread. */
export function watchDisks(config: Parameters<typeof readDisks>[0]) {
  let known: Disk[] = []
  let looking: Promise<void> | undefined
  const look = () =>
    readDisks(config).then(
      (disks) => {
        known = disks
      },
      () => {
        known = []
      },
    )
  return async (): Promise<readonly Disk[]> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    await Promise.race([looking, sleep(PATIENCE_MS, undefined, { ref: false })])
    return known
  }
}
