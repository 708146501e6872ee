import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { asAdmin } from './cluster.ts'

const run = promisify(execFile)

/** One more PostgreSQL beside those of a cluster, which does not know it yet. */
export type ClusterNode = {
  /** Its database for administrators. */
  url: string
  start(): Promise<void>
  /** Ends every process without a checkpoint, as a crash does. */
  crash(): Promise<void>
  remove(): Promise<void>
}

/**
 * Creates a node in the folder of a cluster on this machine, with the programs and settings of its coordinator.
 * `settings` overrides them.
 */
export async function makeClusterNode(
  coordinator: string,
  folder: string,
  settings: Record<string, string>,
): Promise<ClusterNode> {
  const { bin, configured } = await readInstallation(coordinator)
  const port = await freePort()
  // Nodes run as the user who owns the folder: PostgreSQL refuses root.
  const { uid, gid } = await stat(folder)
  const home = await mkdtemp(join(folder, 'node-'))
  await chown(home, uid, gid)
  const data = join(home, 'data')
  // The home of this process holds certificates that the user of the nodes may not read.
  const tell = (program: string, args: readonly string[]) =>
    run(join(bin, program), args, { uid, gid, cwd: home, env: { ...process.env, HOME: home } })
  const control = (...args: string[]) => tell('pg_ctl', ['-D', data, '-l', join(home, 'log'), '-w', ...args])
  await tell('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C.UTF-8', '-E', 'UTF8', '-N'])
  const lines = Object.entries({ ...configured, ...settings, port: String(port) })
  await appendFile(
    join(data, 'postgresql.conf'),
    lines.map(([name, value]) => `${name} = ${pg.escapeLiteral(value)}\n`).join(''),
  )
  const url = new URL(coordinator)
  url.port = String(port)
  return {
    url: url.toString(),
    start: async () => void (await control('start')),
    crash: async () => void (await control('stop', '-m', 'immediate')),
    remove: async () => {
      await control('stop', '-m', 'immediate').catch(() => {})
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Citus switches TLS on with a certificate for each node. */
const CONFIGURED = `select name, current_setting(name) as value from pg_settings
  where source = 'configuration file' and name !~ '^(lc_|ssl)'`

async function readInstallation(coordinator: string) {
  const client = new pg.Client({ connectionString: coordinator })
  await client.connect()
  try {
    const { rows: programs } = await client.query<{ bin: string }>(
      `select setting as bin from pg_config where name = 'BINDIR'`,
    )
    const { rows } = await client.query<{ name: string; value: string }>(CONFIGURED)
    return {
      bin: programs[0]?.bin ?? '',
      configured: Object.fromEntries(rows.map(({ name, value }) => [name, value])),
    }
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Creates an empty database with Citus on a node, as an operator does before adding it to a cluster. */
export async function prepareNode({ url }: ClusterNode, name: string) {
  await asAdmin(url, `create database ${name}`)
  const database = new URL(url)
  database.pathname = `/${name}`
  await asAdmin(database.toString(), 'create extension citus')
}
