import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const SCALING = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url))

/** The first block of docs/scaling.md in this language: what the tests use is what the page shows. */
export async function shownIn(language: string): Promise<string> {
  const [, text] =
    new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(await readFile(SCALING, 'utf8')) ?? []
  if (text === undefined) throw new Error(`docs/scaling.md shows no ${language}`)
  return text
}

/** Puts other values into a text; each must be in it, once. */
export function withValues(text: string, values: readonly (readonly [string, string])[]): string {
  return values.reduce((all, [from, to]) => {
    if (all.split(from).length !== 2) throw new Error(`docs/scaling.md says "${from}" not once any more`)
    return all.replace(from, () => to)
  }, text)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Debian's, or the one that PGBOUNCER names; null where there is none. */
export const pgbouncer: string | null =
  [process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer'].find((place) => existsSync(place)) ?? null

export type TestPooler = { url: string; stop(): Promise<void> }
const PASSWORD = 'known to the pooler'

/** A pgbouncer with the settings of docs/scaling.md in front of every database of a server; `more` changes them. */
export async function startPooler(
  databaseUrl: string,
  more: readonly (readonly [string, string])[] = [],
): Promise<TestPooler> {
  if (pgbouncer === null) throw new Error('No pgbouncer found (Debian: apt-get install pgbouncer)')
  const server = new URL(databaseUrl)
  const socketDir = server.searchParams.get('host')
  const host = socketDir ?? server.hostname
  const password = server.password === '' ? PASSWORD : decodeURIComponent(server.password)
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-pooler-'))
  const port = await freePort()
  const users = path.join(room, 'userlist.txt')
  const settings = withValues(await shownIn('ini'), [
    ['kasir = host=db.internal port=5432', `* = host=${host} port=${server.port || 5432}`],
    ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`],
    ['/etc/pgbouncer/userlist.txt', users],
    ...more,
  ])
  await writeFile(path.join(room, 'pgbouncer.ini'), settings)
  await writeFile(users, `"${server.username}" "${password}"\n`)
  await chmod(room, 0o755)
  const child = spawn(pgbouncer, ['-q', path.join(room, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // It refuses to run as root, and only the owner of a socket's directory may enter it.
    ...(process.getuid?.() === 0 ? await ownerOf(socketDir) : {}),
  })
  const stop = async () => {
    await end(child)
    await rm(room, { recursive: true, force: true })
  }
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.password = password
  url.hostname = '127.0.0.1'
  url.port = String(port)
  try {
    await answering(url.toString(), child)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: url.toString(), stop }
}

const NOBODY = 65_534
async function ownerOf(directory: string | null) {
  if (directory === null) return { uid: NOBODY, gid: NOBODY }
  const { uid, gid } = await stat(directory)
  return { uid, gid }
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

async function answering(url: string, child: ChildProcess) {
  let told = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  for (const began = performance.now(); ; ) {
    const client = new pg.Client({ connectionString: url })
    const error = await client
      .connect()
      .then(() => client.query('select 1'))
      .then(
        () => null,
        (failure: Error) => failure,
      )
    await client.end().catch(() => {})
    if (error === null) return
    if (child.exitCode !== null || performance.now() - began > 10_000)
      throw new Error(`pgbouncer does not answer: ${error.message}\n${told}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
