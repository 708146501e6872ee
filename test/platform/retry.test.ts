import { expect, test } from 'vitest'
import { retrying } from '../../src/platform/http/idempotency.ts'
import { type Scope, touchBoard } from '../../src/platform/scope.ts'

const scopeOf = () => ({ boards: new Set(), catalogueChanges: new Set() }) as unknown as Scope
const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })

/** Work that fails with these errors, one for each attempt, and then answers `done`. */
function failing(errors: readonly Error[]) {
  let attempts = 0
  return {
    attempts: () => attempts,
    work: async () => {
      const error = errors[attempts]
      attempts += 1
      if (error) throw error
      return 'done'
    },
  }
}

test('deadlocks and serialization failures are tried again, up to four attempts', async () => {
  const serialization = Object.assign(new Error('could not serialize access'), { code: '40001' })
  const thrice = failing([deadlock(), serialization, deadlock()])
  expect([await retrying(scopeOf(), thrice.work), thrice.attempts()]).toEqual(['done', 4])
  const always = failing(Array.from({ length: 9 }, deadlock))
  await expect(retrying(scopeOf(), always.work)).rejects.toThrow('deadlock detected')
  expect(always.attempts()).toBe(4)
})

test('any other failure is final at the first attempt', async () => {
  const violated = failing([Object.assign(new Error('duplicate key'), { code: '23505' })])
  await expect(retrying(scopeOf(), violated.work)).rejects.toThrow('duplicate key')
  expect(violated.attempts()).toBe(1)
})

test('boards that a failed attempt touched are not announced', async () => {
  const scope = scopeOf()
  let attempts = 0
  await retrying(scope, async () => {
    attempts += 1
    touchBoard(scope, attempts === 1 ? 'kds' : 'floor', 'out_1')
    if (attempts === 1) throw deadlock()
  })
  const told = scopeOf()
  touchBoard(told, 'floor', 'out_1')
  expect([...scope.boards]).toEqual([...told.boards])
})
