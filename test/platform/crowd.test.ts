import { expect, test } from 'vitest'
import { refuseCrowd } from '../../src/platform/crowd.ts'

/** Refusals of a group, evenly over some seconds. Returns the waits they were told. */
function crowd() {
  let nowMs = 0
  const refuse = refuseCrowd('too many', () => nowMs)
  return {
    refuse,
    wait: (seconds: number) => {
      nowMs += seconds * 1_000
    },
    waits: (group: string, perSecond: number, seconds: number) =>
      Array.from({ length: perSecond * seconds }, () => {
        nowMs += 1_000 / perSecond
        return Number(refuse(group).headers?.['retry-after'])
      }),
  }
}

test('few refusals say Retry-After: 1, and are 503', () => {
  const { refuse, waits } = crowd()
  expect(refuse('a')).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', message: 'too many' })
  expect(new Set(waits('a', 40, 20))).toEqual(new Set([1]))
})

test('a crowd is told to come back within up to 30 seconds, each at a time of its own', () => {
  const { waits } = crowd()
  waits('a', 1_000, 4)
  const later = waits('a', 1_000, 2)
  expect(Math.max(...later)).toBe(30)
  expect(Math.min(...later)).toBe(1)
  expect(new Set(later).size).toBe(30)
})

test('the waits of one workspace do not depend on the crowd of another, and are short again once it is over', () => {
  const { waits, wait } = crowd()
  waits('a', 1_000, 4)
  expect(waits('b', 10, 3)).toEqual(Array.from({ length: 30 }, () => 1))
  waits('a', 5, 8)
  expect(Math.max(...waits('a', 5, 2))).toBe(1)
  waits('a', 1_000, 4)
  wait(61)
  waits('b', 10, 1)
  expect(waits('a', 1, 1)).toEqual([1])
})

test('a crowd of thousands that obeys comes back at a pace that can be refused', () => {
  const { refuse, wait } = crowd()
  const due: number[] = Array.from({ length: 3_000 }, () => 0)
  let tries = 0
  for (let second = 0; second < 60; second += 1) {
    for (const [till, at] of due.entries()) {
      if (at > second) continue
      due[till] = second + Number(refuse('a').headers?.['retry-after'])
      if (second >= 10) tries += 1
    }
    wait(1)
  }
  expect(tries / 50).toBeLessThan(400)
})
