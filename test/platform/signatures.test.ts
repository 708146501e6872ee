import { expect, test } from 'vitest'
import type { Claims, TokenVerifier } from '../../src/platform/auth/jwt.ts'
import { provingBy, signatureLine } from '../../src/platform/auth/signatures.ts'
import { foundAccountId } from '../../src/platform/auth/tokens.ts'
import { manualClock } from '../../src/platform/clock.ts'

const START = '2026-11-22T03:00:00.000Z'

/** Tokens called good are good for ten minutes; a check ends when the test says so. */
function watched() {
  const clock = manualClock(START)
  const open: (() => void)[] = []
  let checks = 0
  const verify: TokenVerifier<Claims> = (token, _now, inLine) =>
    inLine(async () => {
      checks += 1
      await new Promise<void>((resolve) => open.push(resolve))
      const untilMs = Date.parse(START) + 600_000
      return token.startsWith('good')
        ? { accountId: foundAccountId('acc_1'), memberId: token, untilMs }
        : null
    })
  const prove = provingBy(verify, signatureLine(), clock)
  const show = (token: string, network = '192.0.2.1') =>
    prove({ secret: token, hash: `hash of ${token}`, network }, clock.now())
  const finish = async <T>(running: Promise<T>): Promise<T> => {
    let ended = false
    const noted = running.finally(() => {
      ended = true
    })
    while (!ended) {
      open.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return noted
  }
  return { clock, show, finish, checks: () => checks }
}

test('a token that was proved is checked again after a minute, and one that was wrong each time', async () => {
  const { clock, show, finish, checks } = watched()
  expect((await finish(show('good')))?.memberId).toBe('good')
  clock.advance(59_999)
  expect([(await show('good'))?.memberId, checks()]).toEqual(['good', 1])
  clock.advance(1)
  expect([(await finish(show('good')))?.memberId, checks()]).toEqual(['good', 2])
  expect([await finish(show('bad')), await finish(show('bad')), checks()]).toEqual([null, null, 4])
})

test('a crowd of invented tokens fills the line of its own network, and neither stops others nor who is known', async () => {
  const { show, finish, checks } = watched()
  await finish(show('good'))
  const crowd = Array.from({ length: 200 }, (_, n) =>
    show(`bad ${n}`).catch((error: { code: string }) => error.code),
  )
  await expect.poll(checks).toBeGreaterThan(1)
  expect((await show('good'))?.memberId).toBe('good')
  const other = show('good too', '198.51.100.1')
  const settled = await finish(Promise.all([...crowd, other.then(() => 'other')]))
  expect(settled.filter((answer) => answer === 'RATE_LIMITED').length).toBeGreaterThan(100)
  expect(settled.at(-1)).toBe('other')
  expect(checks()).toBeLessThan(80)
})

test('the line of a network takes turns with that of another', async () => {
  const { show, finish } = watched()
  const order: string[] = []
  const crowd = Array.from({ length: 50 }, (_, n) => show(`bad ${n}`).then(() => order.push('crowd')))
  const other = show('good', '198.51.100.1').then(() => order.push('other'))
  await finish(Promise.all([...crowd, other]))
  expect(order.indexOf('other')).toBeLessThan(5)
})
