import { expect, test } from 'vitest'
import { guarded } from '../../src/platform/auth/throttle.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { alongside, deps, useService } from '../support/service.ts'

const clock = manualClock('2026-03-01T01:00:00.000Z')
useService({ clock })

const failures = async (subject: string) =>
  (await deps().db.selectFrom('loginFailures').select('id').where('subject', '=', subject).execute()).length

test('of 50 wrong guesses that run at once in two processes ten are checked, and ten are counted', async () => {
  const there = await alongside()
  try {
    let checked = 0
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        guarded((n % 2 === 0 ? deps() : there.deps).db, ['email a', `ip ${n}`], clock.now(), async () => {
          checked += 1
          return null
        }),
      ),
    )
    expect([checked, await failures('email a')]).toEqual([10, 10])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(40)
    expect(refused[0]?.reason).toMatchObject({ code: 'RATE_LIMITED', headers: { 'retry-after': '900' } })
  } finally {
    await there.stop()
  }
})

test('a right password leaves no failure behind, and a check that breaks is nobody’s guess', async () => {
  const check = (answer: () => Promise<string | null>) => guarded(deps().db, ['email b'], clock.now(), answer)
  for (let n = 0; n < 12; n += 1) expect(await check(async () => 'in')).toBe('in')
  await expect(check(() => Promise.reject(new Error('database away')))).rejects.toThrow('database away')
  expect(await failures('email b')).toBe(0)
  expect(await check(async () => null)).toBeNull()
  expect(await failures('email b')).toBe(1)
})
