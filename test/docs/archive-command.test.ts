import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let room = ''
let command = ''
const at = (name: string) => path.join(room, name)
/** Runs the command of the guide for one segment, as PostgreSQL does. */
const archive = (programs = '') =>
  spawnSync('sh', ['-c', command], {
    env: { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` },
  }).status

beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-archive-'))
  await mkdir(at('archive'))
  await mkdir(at('full'))
  await writeFile(at('segment'), 'a whole segment')
  await writeFile(at('full/cp'), '#!/bin/sh\nprintf "a who" > "$2"\nexit 1\n')
  await chmod(at('full/cp'), 0o755)
  const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, documented = ''] = /archive_command = '([^']+)'/.exec(guide) ?? []
  command = documented
    .replaceAll('/archive/', `${at('archive')}/`)
    .replaceAll('%p', at('segment'))
    .replaceAll('%f', '000000010000000000000001')
})
afterAll(() => rm(room, { recursive: true, force: true }))

test('the documented archive_command archives a segment whose first copy ended on a full disk', async () => {
  expect(archive(at('full'))).not.toBe(0)
  expect(archive()).toBe(0)
  expect(await readdir(at('archive'))).toEqual(['000000010000000000000001'])
  expect(await readFile(at('archive/000000010000000000000001'), 'utf8')).toBe('a whole segment')
})

test('the documented archive_command succeeds for a segment that is there already, and replaces no other one', async () => {
  expect(archive()).toBe(0)
  await writeFile(at('archive/000000010000000000000001'), 'of another server')
  expect(archive()).not.toBe(0)
  expect(await readFile(at('archive/000000010000000000000001'), 'utf8')).toBe('of another server')
})
