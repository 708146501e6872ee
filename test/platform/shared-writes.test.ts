import { expect, test, vi } from 'vitest'
import { isOutcomeUnknown, outcomeUnknown } from '../../src/platform/db/pg-errors.ts'
import { sharedWrites } from '../../src/platform/db/shared-writes.ts'

type Entry = { name: string; key?: string }
const within = <T>(work: () => Promise<T>) => work()

/** Statements in the order they were sent; each ends when the test says so. */
function recorded(most = 1_000) {
  const sent: {
    names: string[]
    end(answer: readonly (string | null)[] | null): void
    fail(error: Error): void
  }[] = []
  const write = sharedWrites<Entry, string | null>({
    write: (entries) =>
      new Promise((end, fail) => sent.push({ names: entries.map(({ name }) => name), end, fail })),
    keyOf: ({ key }) => key ?? null,
    refuse: () => new Error('too many'),
    most,
  })
  return { sent, add: (entry: Entry, group = 'a') => write(group, within, entry) }
}
const turn = () => new Promise((done) => setImmediate(done))
const named = (...names: string[]) => names.map((name) => ({ name }))

test('who is alone goes at once; those who come meanwhile go together, each with an answer of its own', async () => {
  const { sent, add } = recorded()
  const first = add({ name: '1' })
  await turn()
  const others = named('2', '3', '4').map((entry) => add(entry))
  await turn()
  expect(sent.map(({ names }) => names)).toEqual([['1']])
  sent[0]?.end(['one'])
  await expect(first).resolves.toBe('one')
  await vi.waitFor(() => expect(sent[1]?.names).toEqual(['2', '3', '4']))
  sent[1]?.end(['two', null, 'four'])
  await expect(Promise.all(others)).resolves.toEqual(['two', null, 'four'])
})

test('groups never share a statement and never wait for each other', async () => {
  const { sent, add } = recorded()
  void add({ name: '1' }, 'a')
  void add({ name: '2' }, 'b')
  await turn()
  expect(sent.map(({ names }) => names)).toEqual([['1'], ['2']])
})

test('of two with one key the second goes in another statement', async () => {
  const { sent, add } = recorded()
  void add({ name: '1', key: 'k' })
  void add({ name: '2', key: 'k' })
  void add({ name: '3', key: 'l' })
  await turn()
  expect(sent[0]?.names).toEqual(['1', '3'])
  sent[0]?.end(['', ''])
  await vi.waitFor(() => expect(sent[1]?.names).toEqual(['2']))
})

test('a statement that fails, or writes nothing, is sent again for each by itself: one error is one caller’s', async () => {
  for (const end of ['fails', 'writes nothing']) {
    const { sent, add } = recorded()
    const all = named('1', '2').map((entry) => add(entry))
    const outcomes = Promise.allSettled(all)
    await turn()
    if (end === 'fails') sent[0]?.fail(new Error('of one of them'))
    else sent[0]?.end(null)
    await vi.waitFor(() => expect(sent.slice(1).map(({ names }) => names)).toEqual([['1'], ['2']]))
    sent[1]?.end(['one'])
    sent[2]?.fail(new Error('mine'))
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  }
})

test('a statement whose outcome is unknown is unknown to all of it and is not sent again', async () => {
  const { sent, add } = recorded()
  const outcomes = Promise.allSettled(named('1', '2').map((entry) => add(entry)))
  await turn()
  sent[0]?.fail(outcomeUnknown(new Error('Connection terminated')))
  const errors = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason)
  expect(errors.map(isOutcomeUnknown)).toEqual([true, true])
  expect(errors[0]).not.toBe(errors[1])
  expect(sent).toHaveLength(1)
})

test('a statement that waits for a lock holds up the others for a moment only', async () => {
  const { sent, add } = recorded()
  void add({ name: '1' })
  await turn()
  void add({ name: '2' })
  await vi.waitFor(() => expect(sent[1]?.names).toEqual(['2']))
})

test('more than a group may have waiting are refused', async () => {
  const { sent, add } = recorded(2)
  void add({ name: '1' })
  await turn()
  void add({ name: '2' })
  void add({ name: '3' })
  await expect(add({ name: '4' })).rejects.toThrow('too many')
  expect(sent).toHaveLength(1)
})
