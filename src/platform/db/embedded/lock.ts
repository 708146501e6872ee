import { createHash, randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nullOnCodes, StartError, systemCode } from '../../../core/fault.ts'
import { giveToOwner } from '../../files/owner.ts'
import { type Holder, holderFileOf, placeOf, readHolder, unknownHolder } from './holder.ts'
import { connectFault, LONGEST_SOCKET_PATH } from './socket.ts'

/*
 * Only one process may use a data directory. Its claim is a listening socket with a unique name in DATA_DIR/lock. The
 * kernel closes the socket with the process, so neither kill -9 nor a reused process id leaves a false holder. Other
 * containers that share the volume see it too, although process ids mean nothing there. A file of the same name
 * describes the holder. A starting process looks for other claims, makes its own and looks again, so of two starting
 * processes at least one sees the other. Names are unique, so deleting a dead claim never hits a live one.
 */

const ATTEMPTS = 5

/** Another process holds the data directory; `holder` is that process's description of itself. */
export class DataDirInUse extends StartError {
  readonly holder: Holder

  constructor(dataDir: string, holder: Holder) {
    const name = holder.command === 'serve' ? 'Kasir' : `kasir ${holder.command}`
    super(
      'DATA_DIR_IN_USE',
      `${name} is already running on ${dataDir}${placeOf(holder)}: stop it first, or set another DATA_DIR.`,
    )
    this.holder = holder
  }
}

export type DataDirLock = {
  /** Announces to other processes that this holder's database accepts connections. */
  announceDatabase: () => Promise<void>
  release: () => Promise<void>
}

type Claim = DataDirLock & { name: string }

/** Locks the data directory for this process, which runs `command`. Throws DataDirInUse if another process holds it. */
export async function lockDataDir(dataDir: string, command: string): Promise<DataDirLock> {
  const room = join(dataDir, 'lock')
  await mkdir(room, { recursive: true, mode: 0o700 })
  await giveToOwner(room)
  if (process.platform === 'win32') return lockByPipe(dataDir, room, command)
  for (let attempt = 1; ; attempt++) {
    // A waiting process looks before it claims, so that others do not mistake it for a holder.
    let rival = await findRival(room)
    if (rival === null) {
      const claim = await raiseClaim(room, command)
      rival = await findRival(room, claim.name)
      if (rival === null) return claim
      await claim.release()
    }
    if (attempt === ATTEMPTS) throw new DataDirInUse(dataDir, rival)
    // Two starting processes that saw each other both withdraw; the random pause lets one of them through.
    await sleep(10 + Math.random() * 60)
  }
}

const EXTENSION = '.sock'
const fileOf = (name: string): string => `${name.slice(0, -EXTENSION.length)}.json`

async function raiseClaim(room: string, command: string): Promise<Claim> {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}${EXTENSION}`
  const path = join(room, name)
  const short = await shorten(room)
  const holderFile = await holderFileOf(command)
  const describe = async (hasDatabase: boolean) => {
    const file = join(room, fileOf(name))
    await writeFile(`${file}.new`, holderFile(hasDatabase), { mode: 0o600 })
    await giveToOwner(`${file}.new`)
    await rename(`${file}.new`, file)
  }
  try {
    // A socket file exists before it listens, so it gets the name that others look for only once it listens.
    const server = await listen(join(short.path, `${name}.new`))
    await describe(false)
    await giveToOwner(`${path}.new`)
    await rename(`${path}.new`, path)
    return {
      name,
      announceDatabase: () => describe(true),
      release: async () => {
        await rm(path, { force: true })
        await rm(join(room, fileOf(name)), { force: true })
        await new Promise<void>((resolve) => server.close(() => resolve()))
      },
    }
  } finally {
    await short.close()
  }
}

async function findRival(room: string, own?: string): Promise<Holder | null> {
  const short = await shorten(room)
  try {
    for (const name of await readdir(room)) {
      if (name === own || !name.endsWith(EXTENSION)) continue
      const socket = join(short.path, name)
      const file = join(room, fileOf(name))
      if (await isClaimed(socket)) {
        const holder = await readHolder(file)
        if (holder !== null) return holder
        // A holder removes its socket before its file, so a socket that still exists never had a file.
        if (await isClaimed(socket)) return unknownHolder(Number.parseInt(name, 10) || null)
      }
      for (const dead of [join(room, name), file, `${file}.new`]) await rm(dead, { force: true })
    }
    return null
  } finally {
    await short.close()
  }
}

/** Other errors, such as a full queue or a missing permission, mean that a process is listening. */
async function isClaimed(socket: string): Promise<boolean> {
  const fault = await connectFault(socket)
  return fault === null || !['ECONNREFUSED', 'ENOENT'].includes(fault)
}

/** Socket paths have a short limit; on Linux an open directory gives any path a short name. */
async function shorten(room: string): Promise<{ path: string; close: () => Promise<void> }> {
  if (room.length + 40 <= LONGEST_SOCKET_PATH) return { path: room, close: async () => {} }
  const directory = await open(room)
  const path = `/proc/self/fd/${directory.fd}`
  if ((await nullOnCodes(lstat(path))) !== null) return { path, close: () => directory.close() }
  await directory.close()
  throw new StartError(
    'DATA_DIR_UNUSABLE',
    `The path ${room} is too long for this system: set a shorter DATA_DIR.`,
  )
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('listening', () => resolve(server))
    server.once('error', (error) => {
      const why = systemCode(error)
      reject(
        why === 'EADDRINUSE'
          ? error
          : new StartError(
              'DATA_DIR_UNUSABLE',
              `${path} cannot be created (${why}): DATA_DIR must be a writable directory on a local disk.`,
            ),
      )
    })
    server.listen(path)
  })
}

async function pipeOf(dataDir: string): Promise<string> {
  const key = (await realpath(dataDir)).toLowerCase()
  return `\\\\.\\pipe\\kasir-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
}

async function lockByPipe(dataDir: string, room: string, command: string): Promise<DataDirLock> {
  const file = join(room, 'pipe.json')
  for (let attempt = 1; ; attempt++) {
    const server = await nullOnCodes(listen(await pipeOf(dataDir)), 'EADDRINUSE')
    if (server !== null) {
      const holderFile = await holderFileOf(command)
      await writeFile(file, holderFile(false))
      return {
        announceDatabase: () => writeFile(file, holderFile(true)),
        release: async () => {
          await rm(file, { force: true })
          await new Promise<void>((resolve) => server.close(() => resolve()))
        },
      }
    }
    const holder = await readHolder(file)
    if (holder !== null || attempt === ATTEMPTS)
      throw new DataDirInUse(dataDir, holder ?? unknownHolder(null))
    // The holder is about to write its file, or is releasing the lock.
    await sleep(50)
  }
}
