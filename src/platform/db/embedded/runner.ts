import { execFile } from 'node:child_process'
import { chown, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { nullOnCodes, StartError } from '../../../core/fault.ts'
import { isRoot } from '../../files/owner.ts'

const run = promisify(execFile)

/** The user that PostgreSQL runs as. Without ids it is the user of this process. */
export type Runner = { name: string; ids: { uid?: number; gid?: number } }

const OURSELVES: Runner = { name: 'the current user', ids: {} }

/**
 * Chooses the user that PostgreSQL runs as, since it refuses to run as root. Under root it is the owner of the files,
 * else the first existing user of the list below. The last one is shared with other daemons.
 */
export async function chooseRunner(dataDir: string, clusterDir: string | null): Promise<Runner> {
  if (!isRoot()) return OURSELVES
  if (clusterDir !== null) {
    const { uid, gid } = await stat(clusterDir)
    if (uid !== 0) return { name: `user ${uid}`, ids: { uid, gid } }
  }
  const users = await readUsers()
  const home = await stat(dataDir)
  // initdb looks up its user by id, so an owner without an entry cannot create a cluster.
  const owner = users.find((user) => user.ids.uid === home.uid && home.uid !== 0)
  const found =
    owner ??
    ['kasir', 'postgres', '_postgres', 'nobody']
      .map((name) => users.find((user) => user.name === name))
      .find((user) => user !== undefined)
  if (found) return found
  throw new StartError(
    'DATA_DIR_UNUSABLE',
    'PostgreSQL does not run as root and this system has no user named kasir, postgres or nobody: start Kasir as an ordinary user, or add one with "useradd --system kasir".',
  )
}

async function readUsers(): Promise<Runner[]> {
  const text = (await nullOnCodes(readFile('/etc/passwd', 'utf8'))) ?? ''
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) =>
      // macOS writes the ids of its unprivileged user as -2.
      name && uid && gid ? [{ name, ids: { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 } }] : [],
    )
}

/** Asks the kernel as that user, so that access lists and mount options count as well as mode bits. */
export async function canEnter(runner: Runner, ...paths: string[]): Promise<boolean> {
  if (runner.ids.uid === undefined) return true
  const script = 'for path; do test -x "$path" || exit 1; done'
  try {
    await run('/bin/sh', ['-c', script, 'sh', ...paths], { ...runner.ids, cwd: '/', env: {} })
    return true
  } catch {
    return false
  }
}

export async function changeOwner(runner: Runner, path: string): Promise<void> {
  const { uid, gid } = runner.ids
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

/** Passes only what PostgreSQL needs: the service's environment holds secrets, and may hold PG* variables. */
export function bareEnvironment(): Record<string, string> {
  const wanted = ['PATH', 'SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP']
  const kept = wanted.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}
