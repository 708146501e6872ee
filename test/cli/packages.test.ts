import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { npmEnvironment } from '../support/npm.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8')

type Locked = { dev?: boolean; optional?: boolean; version: string }
const lockedPackages = async () =>
  Object.entries(
    (JSON.parse(await read('package-lock.json')) as { packages: Record<string, Locked> }).packages,
  )

// A tar of the backups brings a dozen by itself; the client, a workspace, is linked and brings four; the protocol of
// assistants brings three (its server, its core and zod), which nothing but `kasir mcp` loads; the reference partners, a
// workspace too, bring seventeen for their PDFs, which the first PDF loads; serving the register brings eight; the certificates of
// `kasir tls` bring twenty, which only that command loads. metrics bring four, loaded with METRICS_PORT; traces bring twelve, loaded with OTEL_EXPORTER_OTLP_ENDPOINT. What only the build of the register needs is not among them.
test('a service needs at most 192 packages, and none of the frameworks that a page is made with', async () => {
  const { partsOf } = await import(path.join(ROOT, 'scripts', 'lib', 'manifest.mjs'))
  const [lock, manifest] = await Promise.all(
    ['package-lock.json', 'package.json'].map(async (file) => JSON.parse(await read(file))),
  )
  const serving: string[] = partsOf(lock, manifest).bundled
  expect(serving.length).toBeGreaterThan(50)
  expect(serving.length).toBeLessThanOrEqual(192)
  expect(serving.filter((name) => /vue|react|scalar|ai-sdk/.test(name))).toEqual([])
})

test('every package of a release has a free licence, and the bill of materials names each with its checksum', async () => {
  const { componentOf, partsInside, sbomOf } = await import(
    path.join(ROOT, 'scripts', 'lib', 'materials.mjs')
  )
  const [lock, manifest] = await Promise.all(
    ['package-lock.json', 'package.json'].map(async (file) => JSON.parse(await read(file))),
  )
  type Component = { name: string; licence: string | null }
  const components: Component[] = partsInside(lock, manifest).map((at: string) => componentOf(ROOT, lock, at))
  const free =
    /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|(?:Apache-2\.0 AND )?LGPL-3\.0-or-later)$/
  expect(components.filter(({ licence }) => !free.test(licence ?? ''))).toEqual([])
  const { components: listed } = sbomOf(manifest, components) as {
    components: { name: string; hashes?: unknown[] }[]
  }
  expect(listed.map(({ name }) => name)).toEqual(components.map(({ name }) => name))
  expect(listed.filter(({ hashes }) => hashes === undefined).map(({ name }) => name)).toEqual([])
})

test('no package runs a script of its own when it is installed', async () => {
  expect((await read('.npmrc')).split('\n')).toContain('ignore-scripts=true')
})

let clone: string

beforeEach(async () => {
  clone = await mkdtemp(path.join(tmpdir(), 'kasir-packages-'))
  await cp(path.join(ROOT, 'scripts'), path.join(clone, 'scripts'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    await cp(path.join(ROOT, file), path.join(clone, file))
  }
  await mkdir(path.join(clone, 'src'))
})
afterEach(() => rm(clone, { recursive: true, force: true }))

/** Runs a script of the clone, which finds another npm: the given lines of JavaScript. */
async function withNpm(
  lines: string,
  script: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
) {
  const npm = path.join(clone, 'npm.mjs')
  await writeFile(npm, `import fs from 'node:fs'\nconst args = process.argv.slice(2)\n${lines}\n`)
  const child = spawn(process.execPath, [path.join(clone, 'scripts', script), ...args], {
    cwd: clone,
    env: { PATH: process.env['PATH'] ?? '', npm_execpath: npm, ...env },
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said: said.join('') }
}

const REFUSING = "fs.writeFileSync('asked.json', JSON.stringify(args)); process.exit(7)"
const asked = async () => JSON.parse(await readFile(path.join(clone, 'asked.json'), 'utf8')) as string[]

test('npm start installs what serves and the compiler; npm test installs the tools as well', async () => {
  const started = await withNpm(REFUSING, 'start.mjs')
  expect([started.code, started.said]).toEqual([
    7,
    'Installing packages (once after every update, half a minute or less)\n' +
      'The packages could not be installed; npm says why above.\n',
  ])
  const typescript = (await lockedPackages()).find(([name]) => name === 'node_modules/typescript')
  expect(await asked()).toEqual(expect.arrayContaining(['install', '--no-save', '--omit=dev']))
  expect((await asked()).at(-1)).toBe(`typescript@${typescript?.[1].version}`)
  await withNpm(REFUSING, 'test.mjs')
  expect(await asked()).toEqual(expect.arrayContaining(['install', '--no-save', '--include=dev']))
})

test('a second start asks for what serves alone, although the client brings a package that the tools name as well', async () => {
  const locked = await lockedPackages()
  for (const [name] of locked.filter(([name, { dev }]) => name.startsWith('node_modules/') && !dev)) {
    await mkdir(path.join(clone, name), { recursive: true })
  }
  await withNpm(REFUSING, 'start.mjs')
  expect(await asked()).toEqual(expect.arrayContaining(['install', '--omit=dev']))
  expect(await asked()).not.toContain('--include=dev')
})

test.each([
  [['--help'], /^Kasir \d.*\n[^]*\n {2}serve +Start the service/],
  [['-h'], /\n {2}serve +Start the service/],
  [['help'], /\n {2}serve +Start the service/],
  [['doctor', '--help'], /^Check everything[^]*\n {2}kasir doctor \[options\]/],
  [['help', 'doctor'], /^Check everything/],
  [['--port', '8080', '--help'], /^Start the service: /],
  [['--version'], /^\d+\.\d+\.\d+\n$/],
])('npm start -- %j in a fresh clone answers, and npm is not run', async (args, printed) => {
  await mkdir(path.join(clone, 'docs'))
  await cp(path.join(ROOT, 'docs', 'commands.md'), path.join(clone, 'docs', 'commands.md'))
  const { code, said } = await withNpm(REFUSING, 'start.mjs', {}, args)
  expect([code, said]).toEqual([0, expect.stringMatching(printed)])
  await expect(asked()).rejects.toThrow('ENOENT')
})

test('the start takes no tool away from somebody who develops', async () => {
  await mkdir(path.join(clone, 'node_modules', 'vitest'), { recursive: true })
  await withNpm(REFUSING, 'start.mjs')
  expect(await asked()).toContain('--include=dev')
})

test('npm start says immediately that no registry answers, and why', async () => {
  const child = spawn(process.execPath, [path.join(clone, 'scripts', 'start.mjs')], {
    cwd: clone,
    env: {
      PATH: process.env['PATH'] ?? '',
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_cache: path.join(clone, 'cache'),
    },
  })
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
  try {
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    await expect.poll(() => said.join(''), { timeout: 15_000 }).toContain('could not be installed')
    expect(said[0]).toBe(
      'npm cannot reach the registry (ECONNREFUSED): check the network, HTTPS_PROXY and NODE_EXTRA_CA_CERTS. ' +
        "Installing from npm's cache instead.\n",
    )
    expect(await ended).not.toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
}, 30_000)

test('tests that run npm give it the proxies, certificates and settings of this machine, and no other variable', () => {
  const given = npmEnvironment({
    HTTPS_PROXY: 'http://proxy.example:3128',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/company.pem',
    npm_config_registry: 'https://npm.example/',
    DATABASE_URL: 'postgres://elsewhere/kasir',
    NODE_OPTIONS: '--inspect',
  })
  expect(given).toEqual({
    HTTPS_PROXY: 'http://proxy.example:3128',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/company.pem',
    npm_config_registry: 'https://npm.example/',
  })
})

test('a script for /docs that is not the one that was looked at is refused, and nothing takes its place', async () => {
  const forged = `
    const room = args[args.indexOf('--pack-destination') + 1]
    fs.mkdirSync('package/dist/browser', { recursive: true })
    fs.writeFileSync('package/dist/browser/standalone.js', 'fetch("https://elsewhere.example")')
    const { execFileSync } = await import('node:child_process')
    execFileSync('tar', ['-czf', room + '/forged.tgz', 'package'])`
  const { code, said } = await withNpm(forged, 'reference.mjs')
  expect([code, said]).toEqual([1, expect.stringContaining('its SHA-256 differs')])
  expect((await readdir(clone)).includes('vendor')).toBe(false)
  expect(await readdir(path.join(clone, '.tmp'))).toEqual([])
})

test('a script for /docs that cannot be fetched is reported, not left out', async () => {
  const { code, said } = await withNpm('process.exit(1)', 'reference.mjs')
  expect([code, said]).toEqual([1, expect.stringContaining('npm cannot fetch @scalar/api-reference@')])
})

const answering = (signatures: object, faults: object) =>
  `console.log(JSON.stringify(args.includes('signatures') ? ${JSON.stringify(signatures)} : ${JSON.stringify(faults)}))`

test.each([
  [
    'nothing is found',
    answering({ invalid: [], missing: [] }, { vulnerabilities: {} }),
    0,
    /: nothing found/,
  ],
  [
    'a signature is wrong',
    answering({ invalid: [{ name: 'pg', version: '8.0.0' }], missing: [] }, { vulnerabilities: {} }),
    1,
    /signatures: FAILED for pg 8\.0\.0/,
  ],
  [
    'a grave fault is known',
    answering({ invalid: [] }, { vulnerabilities: { pg: { name: 'pg', severity: 'critical' } } }),
    1,
    /known faults: FAILED for pg \(critical\)/,
  ],
  [
    'a small fault is known',
    answering({ invalid: [] }, { vulnerabilities: { pg: { name: 'pg', severity: 'low' } } }),
    0,
    /known faults: nothing found/,
  ],
  ['the registry refuses', answering({ error: { code: 'E405' } }, { message: '405' }), 0, /not checked/],
  ['the registry never answers', 'setInterval(() => {}, 1000)', 0, /not checked/],
])('npm run audit where %s', async (_case, npm, code, said) => {
  const ran = await withNpm(npm, 'audit.mjs', { AUDIT_PATIENCE_MS: '1500' })
  expect([ran.code, ran.said]).toEqual([code, expect.stringMatching(said)])
})
