import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { openKeptFiles } from '../../src/platform/files/kept-files.ts'

const clock = manualClock('2026-03-01T05:00:00.000Z')
let room: string
let dir: string
beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-kept-'))
})
afterAll(() => rm(room, { recursive: true }))
beforeEach(async () => {
  dir = await mkdtemp(path.join(room, 'kept-'))
})

const open = (more: object = {}) => openKeptFiles({ dir, clock, log: { warn: () => {} }, ...more })
type Kept = ReturnType<typeof open>
async function* pieces() {
  yield 'one '
  yield 'two'
}
const isTrue = async () => true
/** A reader that has had the first piece. */
async function begin(kept: Kept, place: string) {
  const reader = kept.keep(place, 'v', pieces(), isTrue)[Symbol.asyncIterator]()
  expect((await reader.next()).value).toBe('one ')
  return async () => {
    expect((await reader.next()).value).toBe('two')
    expect((await reader.next()).done).toBe(true)
  }
}
const filesOf = async () =>
  (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
const partsOf = async () => (await filesOf()).filter(({ name }) => name.startsWith('part-')).length
const textOf = async (kept: Kept, place: string) => {
  const found = await kept.read(place, 'v')
  return found && Buffer.concat(await found.stream().toArray()).toString()
}

test('one place is written once at a time, however many read it, and all of them get all of it', async () => {
  const kept = open()
  const ends = [await begin(kept, 'a'), await begin(kept, 'a'), await begin(kept, 'a')]
  expect(await partsOf()).toBe(1)
  for (const end of ends.toReversed()) await end()
  expect([await partsOf(), await textOf(kept, 'a')]).toEqual([0, 'one two'])
})

test('so many places are written at once; one that nobody writes any more makes room', async () => {
  const kept = open({ maxParts: 2 })
  const [a, b, c] = [await begin(kept, 'a'), await begin(kept, 'b'), await begin(kept, 'c')]
  expect(await partsOf()).toBe(2)
  await Promise.all([a(), c()])
  const d = await begin(kept, 'd')
  expect(await partsOf()).toBe(2)
  await Promise.all([b(), d()])
  expect(await Promise.all(['a', 'b', 'c', 'd'].map((place) => textOf(kept, place)))).toEqual([
    'one two',
    'one two',
    null,
    'one two',
  ])
})

test('a reader that stops half-way keeps nobody else from it for longer than a minute', async () => {
  const kept = open({ maxParts: 1 })
  const slow = await begin(kept, 'a')
  clock.advance(60_001)
  const quick = await begin(kept, 'a')
  await quick()
  expect(await textOf(kept, 'a')).toBe('one two')
  await slow()
  expect([await partsOf(), await textOf(kept, 'a')]).toEqual([0, 'one two'])
})
