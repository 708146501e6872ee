import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes } from '../../core/fault.ts'
import { findInterruptedRestore } from '../backup/staged-files.ts'
import type { Config } from '../config/config.ts'
import { exposures } from '../exposure.ts'
import { nearest, readDisks, readFreeBytes, spaceState } from '../files/free-space.ts'
import { findUnwritable, storedFilesOf } from '../files/writable.ts'
import { keyOf } from '../secrets/secrets.ts'
import { type Finding, fault, note, ok, warn } from './finding.ts'

const OLDEST_NODE = [20, 19] as const

export function nodeVersion(): Finding {
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const [oldMajor, oldMinor] = OLDEST_NODE
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return ok('Node.js', node)
  return fault('Node.js', `${node} is too old`, 'Install Node.js 20.19 or newer from nodejs.org.')
}

/** A directory `named` for this call must exist. */
export async function dataDirectory(config: Config, named = false): Promise<Finding> {
  const name = 'data directory'
  const wanted = path.resolve(config.dataDir)
  const unwritable = await findUnwritable(wanted)
  if (unwritable !== null) {
    const found = `${unwritable.directory} cannot be written (${unwritable.code})`
    const hasKey =
      config.secretsKey !== null ||
      (await nullOnCodes(stat(path.join(wanted, 'secrets.key')), 'ENOENT', 'ENOTDIR', 'EACCES')) !== null
    const isUnused = config.databaseUrl !== null && hasKey && storedFilesOf(config).length === 0
    if (isUnused) return note(name, `${found}; these settings store nothing in it`)
    return fault(
      name,
      found,
      'Make it writable for the user that runs Kasir, or set DATA_DIR to another directory.',
    )
  }
  const home = await nearest(wanted)
  const freeBytes = await readFreeBytes(home)
  const free = `${Math.floor(freeBytes / 2 ** 20)} MiB free`
  const scarce = scarcity(name, wanted, freeBytes)
  if (scarce !== null && (home === wanted || scarce.state === 'fault')) return scarce
  if (home === wanted) return ok(name, `${wanted}, ${free}`)
  return named
    ? warn(name, `${wanted} does not exist`, 'Check --data-dir; the first start creates the directory.')
    : note(name, `${wanted} does not exist yet; the first start creates it (${free})`)
}

/** Returns null if there is enough space. */
function scarcity(name: string, directory: string, freeBytes: number): Finding | null {
  const state = spaceState(freeBytes)
  if (state === 'ok') return null
  const found = `${directory} has only ${Math.floor(freeBytes / 2 ** 20)} MiB free`
  return state === 'low'
    ? warn(name, found, 'Free some space before it runs out: a full disk stops the database.')
    : fault(name, found, 'Free some space: a full disk stops the database.')
}

/** Checks directories on a disk other than the data directory's, through a link or a mount. */
export async function otherDisks(config: Config): Promise<Finding[]> {
  const [home, ...others] = await readDisks(config)
  return others
    .filter(({ devices }) => devices.some((device) => device !== home?.devices[0]))
    .map(({ name, directory, freeBytes }) => {
      const label = `${name} disk`
      return (
        scarcity(label, directory, freeBytes) ??
        ok(label, `${directory}, ${Math.floor(freeBytes / 2 ** 20)} MiB free`)
      )
    })
}

/** Checks for files of a restore that has not ended. Returns no findings if there are none. */
export async function interruptedRestore({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding[]> {
  const folder = await findInterruptedRestore(path.resolve(dataDir))
  if (folder === null) return []
  return [
    warn(
      'restore',
      `a restore did not end: its images wait in ${folder}`,
      'Run the same restore again with --replace. If the books here are right without it, remove that folder.',
    ),
  ]
}

/** Returns the key that a start would use, or null if none can be read, with its finding. */
export async function secretsKey({
  secretsKey,
  dataDir,
}: Config): Promise<{ finding: Finding; key: Buffer | null }> {
  const name = 'secrets key'
  if (secretsKey !== null) return { finding: ok(name, 'SECRETS_KEY is set'), key: keyOf(secretsKey) }
  const file = path.resolve(dataDir, 'secrets.key')
  const text = await nullOnCodes(readFile(file, 'utf8'), 'ENOENT', 'ENOTDIR', 'EACCES')
  const found = await nullOnCodes(stat(file), 'ENOENT', 'ENOTDIR', 'EACCES')
  if (found === null) {
    return {
      finding: note(name, 'none yet; the first start creates one under DATA_DIR'),
      key: null,
    }
  }
  if (text === null) {
    return {
      finding: fault(name, `${file} cannot be read`, 'Run Kasir as the user that owns it.'),
      key: null,
    }
  }
  const key = keyOf(text)
  if (key === null) {
    const remedy = 'Restore it from a backup: without it stored secrets are lost.'
    return { finding: fault(name, `${file} is damaged`, remedy), key }
  }
  // Windows has no such modes; the file inherits its permissions.
  const mode = found.mode & 0o777
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const open = `other users can read ${file} (mode ${mode.toString(8)})`
    return { finding: fault(name, open, `Run: chmod 600 ${file}`), key }
  }
  return { finding: ok(name, `${file}, readable by its owner only`), key }
}

/** Checks the settings only. The running service logs what actually arrives (platform/http/proxies.ts). */
export function network(config: Config): Finding[] {
  const name = 'network'
  const found = exposures(config).map((exposure) => warn(name, exposure.found, exposure.remedy))
  if (found.length > 0) return found
  return [ok(name, config.publicUrl === null ? 'this machine only' : `reached at ${config.publicUrl}`)]
}
