import { decodeTime } from 'ulid'
import { afterEach, expect, test } from 'vitest'
import { newUlid, setIdTime } from '../../src/core/ids.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')
const at = (ms: number) => {
  setIdTime(() => ms)
  return newUlid()
}
afterEach(() => setIdTime(Date.now))

test('ids of one millisecond, and of a clock that goes back a little, are in the order they were made', () => {
  const made = [at(NOON), at(NOON), at(NOON - 1), at(NOON - 60_000), at(NOON)]
  expect(made.toSorted()).toEqual(made)
})

test('ids follow a clock that was years ahead and is put right', () => {
  at(NOON + 5 * 365 * 86_400_000)
  expect(decodeTime(at(NOON))).toBe(NOON)
  const made = [at(NOON), at(NOON - 30_000), at(NOON + 1)]
  expect(made.toSorted()).toEqual(made)
})
