import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takePayload } from '../../src/platform/live/channel.ts'
import { merger } from '../../src/platform/live/merger.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('what waits is cut into notifications PostgreSQL accepts, and nothing is lost', () => {
  const lines = Array.from(
    { length: 1_000 },
    (_, n) => `acc_${'0'.repeat(26)} serve out_${String(n).padStart(26, '0')}`,
  )
  const waiting = new Set(lines)
  const payloads: string[][] = []
  while (waiting.size > 0) payloads.push(takePayload(waiting))
  expect(payloads.flat()).toEqual(lines)
  const bytes = payloads.map((taken) => Buffer.byteLength(['0123456789ab', ...taken].join('\n')))
  expect(Math.max(...bytes)).toBeLessThan(8_000)
  expect(payloads.length).toBeLessThan(12)
})

test('a burst passes at once and once more at its end; other keys do not wait for it', () => {
  const passed: string[] = []
  const merged = merger(200, (key) => passed.push(key))
  for (const key of ['a', 'a', 'b', 'a']) merged.add(key)
  expect(passed).toEqual(['a', 'b'])
  vi.advanceTimersByTime(199)
  expect(passed).toEqual(['a', 'b'])
  vi.advanceTimersByTime(1)
  expect(passed).toEqual(['a', 'b', 'a'])
  vi.advanceTimersByTime(1_000)
  merged.add('b')
  expect(passed).toEqual(['a', 'b', 'a', 'b'])
})

test('a steady flow passes once per window, and its last change is never swallowed', () => {
  let passed = 0
  const merged = merger(200, () => {
    passed += 1
  })
  for (let ms = 0; ms < 1_000; ms += 10) {
    merged.add('a')
    vi.advanceTimersByTime(10)
  }
  expect(passed).toBe(6)
  merged.add('a')
  vi.advanceTimersByTime(1_000)
  expect(passed).toBe(7)
})

test('stopping passes what still waits', () => {
  const passed: string[] = []
  const merged = merger(1_000, (key) => passed.push(key))
  for (const key of ['a', 'a', 'b']) merged.add(key)
  merged.stop()
  expect(passed).toEqual(['a', 'b', 'a'])
})
