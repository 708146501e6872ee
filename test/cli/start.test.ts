import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
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
  const { buildKey } = await import(path.join(clone, 'scripts', 'lib', 'bootstrap.mjs'))
  await writeFile(path.join(clone, 'dist', '.stamp'), buildKey())
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
