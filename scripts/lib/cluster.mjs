// A cluster for tests: that of CLUSTER_URL, or one that a script makes, starts and removes again.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './run.mjs'

/** The default path of the script: beside the checkout, with the source of the engine. */
const BESIDE = join('..', 'shared', 'citus', 'cluster.sh')
const NODES = 3
const FIRST_PORT = 5701
const LAST_PORT = 5991

/** The script that creates clusters; null if it is missing or no user may run it. */
export function findScript(env = process.env) {
  const path = resolve(root, env.CLUSTER_SCRIPT ?? BESIDE)
  return existsSync(path) ? path : null
}

export const NO_CLUSTER =
  'There is no cluster to run on: set CLUSTER_URL to the coordinator of one, as an administrator of all its nodes, or ' +
  'CLUSTER_SCRIPT to a script that makes one (docs/scaling.md).'
export const NOT_ROOT =
  'The script that makes a cluster needs root: run as root, or set CLUSTER_URL (docs/scaling.md).'

/** Runs the script and answers the last line it prints; throws with its exit code otherwise. */
function tell(script, args) {
  return new Promise((done, fail) => {
    const child = spawn('bash', [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    child.once('error', fail)
    child.once('exit', (code) => {
      if (code === 0) done(said.trim().split('\n').at(-1))
      else fail(new Error(`${script} ${args[0]} ended with ${code}`))
    })
    // A node that the script started must not keep us by holding its output.
    child.once('exit', () => child.stdout.destroy())
  })
}

const isFree = (port) =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })

async function freePorts() {
  for (let first = FIRST_PORT; first <= LAST_PORT; first += 10) {
    const wanted = Array.from({ length: NODES }, (_, node) => first + node)
    if ((await Promise.all(wanted.map(isFree))).every(Boolean)) return first
  }
  throw new Error(`no ${NODES} ports in a row are free from ${FIRST_PORT} to ${LAST_PORT}`)
}

/** What is killed here are processes, and what they wrote outlives them: only a machine that fails needs the disk to be waited for. */
async function beQuick(url) {
  const { default: pg } = await import('pg')
  const { port } = new URL(url)
  for (let node = 0; node < NODES; node += 1) {
    const at = new URL(url)
    at.port = String(Number(port) + node)
    const client = new pg.Client({ connectionString: at.toString() })
    await client.connect()
    await client.query('alter system set fsync = off')
    await client.query(`alter system set max_wal_size = '512MB'`)
    await client.query('select pg_reload_conf()')
    await client.end()
  }
}

/**
 * The database of each test file is thousands of files on the nodes, so they are kept in memory if there is enough.
 */
const IN_MEMORY = '/dev/shm'
const ROOM_BYTES = 6 * 2 ** 30

async function placeFor() {
  const room = await statfs(IN_MEMORY).catch(() => null)
  const hasRoom = room !== null && room.bavail * room.bsize > ROOM_BYTES && freemem() > ROOM_BYTES
  return hasRoom ? IN_MEMORY : tmpdir()
}

/** A new cluster: its address, its folder, and how it is taken down. */
export async function makeCluster(script) {
  const folder = await mkdtemp(join(await placeFor(), 'kasir-cluster-'))
  const remove = async () => {
    await tell(script, ['down', folder]).catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const url = await tell(script, ['up', folder, String(await freePorts())])
    await beQuick(url)
    return { url, folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
