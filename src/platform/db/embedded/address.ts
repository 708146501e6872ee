import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { nullOnCodes } from '../../../core/fault.ts'
import { existingCluster, SERVICE_ROLE, SUPERUSER } from './cluster.ts'
import { dropSocketDir, isPostgresOf, type PidFile, readPidFile, SPARE_SOCKET_HOME } from './processes.ts'
import { changeOwner, type Runner } from './runner.ts'
import { connectFault, LONGEST_SOCKET_PATH, POSTGRES_SOCKET } from './socket.ts'

/** How clients reach the postmaster, and the flags that make it listen there. */
export type Address = {
  flags: string[]
  /** The URL for the service and its commands, as the role that owns only the database. */
  urlOf: (databaseName: string) => string
  /** The URL for the start, which creates that role. */
  adminUrlOf: (databaseName: string) => string
  /** The password of the service's role; null on Unix, where the socket admits no other user. */
  servicePassword: string | null
  socketDir?: string
  close: () => Promise<void>
}

/**
 * Returns the address of a database that another process keeps running, for commands beside the service. That process
 * may be in another container with the same volume, where its process id means nothing, so only the socket proves that
 * it runs.
 */
export async function findRunning(dataDir: string, databaseName = 'kasir'): Promise<string | null> {
  const root = await nullOnCodes(realpath(dataDir))
  const cluster = root === null ? null : await existingCluster(root)
  const file = cluster === null ? null : await readPidFile(cluster)
  if (root === null || cluster === null || file?.status !== 'ready') return null
  if (file.socketDir !== '') {
    const socketDir = await answeringSocketDir(cluster, file)
    return socketDir === null ? null : socketUrl(SERVICE_ROLE, socketDir, databaseName)
  }
  if (!(await isPostgresOf(file.pid, cluster))) return null
  const password = (await nullOnCodes(readFile(passwordFileOf(root), 'utf8'))) ?? ''
  return tcpUrl(SERVICE_ROLE, servicePasswordOf(password), file.port, databaseName)
}

async function answeringSocketDir(cluster: string, { pid, socketDir }: PidFile): Promise<string | null> {
  if (!socketDir.startsWith(SPARE_SOCKET_HOME)) {
    // Uses the cluster's own path: another container may have mounted the volume elsewhere.
    return (await connectFault(join(cluster, POSTGRES_SOCKET))) === null ? cluster : null
  }
  // Any user can create a directory in /tmp, so only the process id proves that this one is ours.
  return (await isPostgresOf(pid, cluster)) ? socketDir : null
}

/** Whether the database's socket is outside DATA_DIR, where other containers cannot see it. */
export async function listensOutside(dataDir: string): Promise<boolean> {
  const cluster = await existingCluster(await realpath(dataDir))
  const file = cluster === null ? null : await readPidFile(cluster)
  return file?.socketDir.startsWith(SPARE_SOCKET_HOME) ?? false
}

const socketUrl = (role: string, socketDir: string, databaseName: string): string =>
  // URL parsers need a host name; clients take the socket from the parameter.
  `postgres://${role}@localhost/${encodeURIComponent(databaseName)}?host=${encodeURIComponent(socketDir)}`

const tcpUrl = (role: string, password: string, port: number, databaseName: string): string =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${encodeURIComponent(databaseName)}`

/** One file keeps both passwords; the service's password does not reveal the superuser's. */
const servicePasswordOf = (password: string) =>
  createHmac('sha256', password).update(SERVICE_ROLE).digest('hex')

export const openAddress = (cluster: string, runner: Runner, password: string | null): Promise<Address> =>
  password === null ? socketAddress(cluster, runner) : tcpAddress(password)

/** Listens on a socket inside the cluster's own directory: mode 700 protects it, and no port can be taken. */
async function socketAddress(cluster: string, runner: Runner): Promise<Address> {
  const fits = join(cluster, `${POSTGRES_SOCKET}.lock`).length <= LONGEST_SOCKET_PATH
  const socketDir = fits ? cluster : await mkdtemp(SPARE_SOCKET_HOME)
  if (!fits) await changeOwner(runner, socketDir)
  return {
    flags: [`unix_socket_directories="${socketDir.replaceAll('"', '""')}"`, 'unix_socket_permissions=0700']
      .concat('listen_addresses=', 'port=5432')
      .flatMap((setting) => ['-c', setting]),
    urlOf: (databaseName) => socketUrl(SERVICE_ROLE, socketDir, databaseName),
    adminUrlOf: (databaseName) => socketUrl(SUPERUSER, socketDir, databaseName),
    servicePassword: null,
    socketDir,
    close: async () => {
      if (!fits) await dropSocketDir(socketDir)
    },
  }
}

async function tcpAddress(password: string): Promise<Address> {
  const port = await freePort()
  return {
    flags: ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`],
    urlOf: (databaseName) => tcpUrl(SERVICE_ROLE, servicePasswordOf(password), port, databaseName),
    adminUrlOf: (databaseName) => tcpUrl(SUPERUSER, password, port, databaseName),
    servicePassword: servicePasswordOf(password),
    close: async () => {},
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const passwordFileOf = (dataDir: string): string => join(dataDir, 'postgres.password')

/** Windows has no socket directories with owners: there the database listens on loopback and needs a password. */
export async function passwordOf(dataDir: string): Promise<string | null> {
  if (process.platform !== 'win32') return null
  const path = passwordFileOf(dataDir)
  const known = await nullOnCodes(readFile(path, 'utf8'))
  if (known !== null) return known
  const password = randomBytes(24).toString('hex')
  await writeFile(path, password, { mode: 0o600, flush: true })
  return password
}
