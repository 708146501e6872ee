import { createHash, randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { orNull, StartError, systemCode } from './fault.ts'
import { isRoot } from './runner.ts'

/*
 * One service per data directory. A claim is a listening socket with a name of its own in DATA_DIR/lock:
 * the kernel closes it with the process, so neither kill -9 nor a reused process id leaves a false
 * holder, and it is seen from other containers that share the volume, where process ids mean nothing.
 * A starter first raises its claim and only then looks for others, so of two starters at least one sees
 * the other. Dead claims have unique names: deleting one can never hit a live one.
 */

const ATTEMPTS = 5
// The shortest limit among the systems we run on (macOS: 104 with the end mark) decides.
export const LONGEST_SOCKET_PATH = 103

type Claim = { name: string; withdraw: () => Promise<void> }

const inUse = (dataDir: string, pid?: string): StartError =>
  new StartError(
    'DATA_DIR_IN_USE',
    `Kasir is already running on ${dataDir}${pid ? ` (process ${pid})` : ''}: stop it first, or set another DATA_DIR.`,
  )

/** Takes the data directory for this process, and answers how to give it back. */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  if (process.platform === 'win32') return lockByPipe(dataDir)
  const room = join(dataDir, 'lock')
  await mkdir(room, { recursive: true, mode: 0o700 })
  const owner = await stat(dataDir)
  if (isRoot() && owner.uid !== 0) await chown(room, owner.uid, owner.gid)
  for (let attempt = 1; ; attempt++) {
    const claim = await raiseClaim(room)
    const rival = await findRival(room, claim.name)
    if (rival === null) return claim.withdraw
    await claim.withdraw()
    if (attempt === ATTEMPTS) throw inUse(dataDir, /^(\d+)-/.exec(rival)?.[1])
    // Two starters that saw each other both step back; chance lets one of them in.
    await sleep(10 + Math.random() * 60)
  }
}

async function raiseClaim(room: string): Promise<Claim> {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}.sock`
  const path = join(room, name)
  const short = await shorten(room)
  try {
    // A socket file exists before it listens; only a listening one gets the name others look for.
    const server = await listen(join(short.path, `${name}.new`))
    const { uid, gid } = await stat(room)
    if (isRoot() && uid !== 0) await chown(`${path}.new`, uid, gid)
    await rename(`${path}.new`, path)
    return {
      name,
      withdraw: async () => {
        await rm(path, { force: true })
        await new Promise<void>((resolve) => server.close(() => resolve()))
      },
    }
  } finally {
    await short.close()
  }
}

async function findRival(room: string, own: string): Promise<string | null> {
  const short = await shorten(room)
  try {
    for (const name of await readdir(room)) {
      if (name === own || !name.endsWith('.sock')) continue
      if (await canConnect(join(short.path, name))) return name
      await rm(join(room, name), { force: true })
    }
    return null
  } finally {
    await short.close()
  }
}

/** Socket addresses are short; on Linux an open directory gives any path a short name. */
async function shorten(room: string): Promise<{ path: string; close: () => Promise<void> }> {
  if (room.length + 40 <= LONGEST_SOCKET_PATH) return { path: room, close: async () => {} }
  const directory = await open(room)
  const path = `/proc/self/fd/${directory.fd}`
  if ((await orNull(lstat(path))) !== null) return { path, close: () => directory.close() }
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

function canConnect(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Anything else, a full queue or a missing right, means somebody is there.
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(systemCode(error))))
  })
}

async function pipeOf(dataDir: string): Promise<string> {
  const key = (await realpath(dataDir)).toLowerCase()
  return `\\\\.\\pipe\\kasir-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
}

async function lockByPipe(dataDir: string): Promise<() => Promise<void>> {
  const server = await orNull(listen(await pipeOf(dataDir)), 'EADDRINUSE')
  if (server === null) throw inUse(dataDir)
  return () => new Promise<void>((resolve) => server.close(() => resolve()))
}
