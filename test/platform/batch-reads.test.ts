import { expect, test } from 'vitest'
import { batchReads } from '../../src/platform/db/batch-reads.ts'
import type { Db } from '../../src/platform/db/open.ts'
import type { AccountId } from '../../src/platform/scope.ts'

const db = {} as Db
const acme = 'acc_1' as AccountId
const globex = 'acc_2' as AccountId

/** Until the statements that are due have begun. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A read that ends when the test says so, and tells what it was asked. */
function slowRead() {
  const asked: [AccountId, string[]][] = []
  const open: { answer(): void; fail(error: Error): void }[] = []
  const ask = batchReads<string>(
    (_db, accountId, keys) =>
      new Promise((resolve, reject) => {
        asked.push([accountId, keys])
        open.push({
          answer: () => resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`]))),
          fail: reject,
        })
      }),
  )
  return { ask, asked, open }
}

test('keys of one turn share a statement, keys that arrive during it share the next one', async () => {
  const { ask, asked, open } = slowRead()
  const first = Promise.all([ask(db, acme, 'a'), ask(db, acme, 'z')])
  await turn()
  const rest = [ask(db, acme, 'b'), ask(db, acme, 'c'), ask(db, acme, 'b'), ask(db, acme, 'none')]
  expect(asked).toEqual([[acme, ['a', 'z']]])
  open[0]?.answer()
  expect(await first).toEqual(['a!', 'z!'])
  await turn()
  expect(asked[1]).toEqual([acme, ['b', 'c', 'none']])
  open[1]?.answer()
  expect(await Promise.all(rest)).toEqual(['b!', 'c!', 'b!', undefined])
})

test('a question is never answered by a statement that began before it', async () => {
  const { ask, asked, open } = slowRead()
  const early = ask(db, acme, 'a')
  await turn()
  const late = ask(db, acme, 'a')
  open[0]?.answer()
  await early
  await turn()
  expect(asked).toHaveLength(2)
  open[1]?.answer()
  expect(await late).toBe('a!')
})

test('workspaces and databases do not wait for each other', async () => {
  const { ask, asked } = slowRead()
  void ask(db, acme, 'a')
  void ask(db, globex, 'a')
  void ask({} as Db, acme, 'a')
  await turn()
  expect(asked).toHaveLength(3)
})

test('a failed statement fails those who shared it, and the next goes on', async () => {
  const { ask, open } = slowRead()
  const failing = ask(db, acme, 'a')
  await turn()
  const next = ask(db, acme, 'b')
  open[0]?.fail(new Error('gone'))
  await expect(failing).rejects.toThrow('gone')
  await turn()
  open[1]?.answer()
  expect(await next).toBe('b!')
})
