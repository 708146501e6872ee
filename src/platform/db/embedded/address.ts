import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { existingCluster, SERVICE_ROLE, SUPERUSER } from './cluster.ts'
import { orNull } from './fault.ts'
import { LONGEST_SOCKET_PATH } from './lock.ts'
import { dropSocketDir, isPostgresOf, readPidFile, SPARE_SOCKET_HOME } from './processes.ts'
import { giveTo, type Runner } from './runner.ts'

/** How clients reach the postmaster, and the flags that make it listen there. */
export type Address = {
  flags: string[]
  /** For the service and its commands, as the role that owns the database and nothing else. */
  urlOf: (databaseName: string) => string
  /** For the start, which makes that role. */
  adminUrlOf: (databaseName: string) => string
  /** The password of the service's role; null where the socket admits nobody else. */
  servicePassword: string | null
  socketDir?: string
  close: () => Promise<void>
}

/** The address of a database another process of this user keeps running, for commands beside the service. */
export async function findRunning(dataDir: string, databaseName = 'kasir'): Promise<string | null> {
  const root = await orNull(realpath(dataDir))
  const cluster = root === null ? null : await existingCluster(root)
  const file = cluster === null ? null : await readPidFile(cluster)
  if (root === null || cluster === null || file?.status !== 'ready') return null
  if (!(await isPostgresOf(file.pid, cluster))) return null
  if (file.socketDir !== '') return socketUrl(SERVICE_ROLE, file.socketDir, databaseName)
  const password = (await orNull(readFile(passwordFileOf(root), 'utf8'))) ?? ''
  return tcpUrl(SERVICE_ROLE, servicePasswordOf(password), file.port, databaseName)
}

const socketUrl = (role: string, socketDir: string, databaseName: string): string =>
  // A host name keeps the address readable for URL parsers; clients take the socket from the parameter.
  `postgres://${role}@localhost/${encodeURIComponent(databaseName)}?host=${encodeURIComponent(socketDir)}`

const tcpUrl = (role: string, password: string, port: number, databaseName: string): string =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${encodeURIComponent(databaseName)}`

/** One file keeps both passwords, and the service's does not reveal the superuser's. */
const servicePasswordOf = (password: string) =>
  createHmac('sha256', password).update(SERVICE_ROLE).digest('hex')

export const openAddress = (cluster: string, runner: Runner, password: string | null): Promise<Address> =>
  password === null ? socketAddress(cluster, runner) : tcpAddress(password)

/** A socket inside the cluster's own directory: mode 700 guards it, and no port can be taken. */
async function socketAddress(cluster: string, runner: Runner): Promise<Address> {
  const fits = join(cluster, '.s.PGSQL.5432.lock').length <= LONGEST_SOCKET_PATH
  const socketDir = fits ? cluster : await mkdtemp(SPARE_SOCKET_HOME)
  if (!fits) await giveTo(runner, socketDir)
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

/** Windows has no socket directories with owners: there the database listens on loopback with a password. */
export async function passwordOf(dataDir: string): Promise<string | null> {
  if (process.platform !== 'win32') return null
  const path = passwordFileOf(dataDir)
  const known = await orNull(readFile(path, 'utf8'))
  if (known !== null) return known
  const password = randomBytes(24).toString('hex')
  await writeFile(path, password, { mode: 0o600 })
  return password
}
