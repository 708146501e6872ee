import { spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url))
let clone: string

/**
 * A clone that is installed and built as far as the start can tell, whose program only prints what it was called
 * with.
 */
beforeAll(async () => {
  clone = await mkdtemp(path.join(tmpdir(), 'kasir-start-'))
  await cp(SCRIPTS, path.join(clone, 'scripts'), { recursive: true })
  for (const room of ['src', 'dist', 'node_modules']) await mkdir(path.join(clone, room))
  await writeFile(path.join(clone, 'node_modules', '.package-lock.json'), '{}')
  const { buildKey, webKey } = await import(path.join(clone, 'scripts', 'lib', 'bootstrap.mjs'))
  await writeFile(path.join(clone, 'dist', '.stamp'), buildKey())
  await mkdir(path.join(clone, 'dist', 'web'))
  await writeFile(path.join(clone, 'dist', 'web', '.stamp'), webKey())
  await writeFile(path.join(clone, 'dist', 'cli.js'), 'console.log(JSON.stringify(process.argv.slice(2)))')
})
afterAll(() => rm(clone, { recursive: true, force: true }))

test.each([
  [[], ['serve']],
  [
    ['--port', '8080'],
    ['serve', '--port', '8080'],
  ],
  [['--help'], ['--help']],
  [['-h'], ['-h']],
  [['--version'], ['--version']],
  [['-v'], ['-v']],
  [
    ['--port', '8080', '--help'],
    ['serve', '--port', '8080', '--help'],
  ],
  [
    ['doctor', '--help'],
    ['doctor', '--help'],
  ],
])('npm start -- %j calls the program with %j', (asked, called) => {
  const { stdout } = spawnSync(process.execPath, [path.join(clone, 'scripts', 'start.mjs'), ...asked], {
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toEqual(called)
})

test.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
  'npm start ends the service in good order when npm is ended with %s',
  async (signal) => {
    const room = await mkdtemp(path.join(clone, 'npm-'))
    const [ready, ended] = [path.join(room, 'ready'), path.join(room, 'ended')]
    await writeFile(
      path.join(clone, 'dist', 'cli.js'),
      `import fs from 'node:fs'
      process.on('SIGTERM', () => { fs.writeFileSync(${JSON.stringify(ended)}, 'in good order'); process.exit() })
      setTimeout(() => process.exit(), 30_000)
      fs.writeFileSync(${JSON.stringify(ready)}, '')`,
    )
    // As npm does: a shell that waits for the script.
    const shell = `"${process.execPath}" "${path.join(clone, 'scripts', 'start.mjs')}"; exit $?`
    const npm = spawn(
      process.execPath,
      [
        '-e',
        `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(shell)}]); setInterval(() => {}, 1000)`,
      ],
      { env: { PATH: process.env['PATH'] ?? '', npm_lifecycle_event: 'start' } },
    )
    try {
      await expect.poll(() => readFile(ready, 'utf8').catch(() => null)).toBe('')
      npm.kill(signal)
      await expect.poll(() => readFile(ended, 'utf8').catch(() => null)).toBe('in good order')
    } finally {
      npm.kill('SIGKILL')
    }
  },
)
