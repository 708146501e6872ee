import { expect, test, vi } from 'vitest'
import { isOutcomeUnknown, outcomeUnknown } from '../../src/platform/db/pg-errors.ts'
import { BUSY, sharedWrites } from '../../src/platform/db/shared-writes.ts'

type Entry = { name: string; key?: string }
type Answers = readonly (string | null | typeof BUSY)[] | null

/** Statements in the order they were sent; each ends when the test says so. */
function recorded(most = 1_000, waitMs = 60_000) {
  const sent: {
    names: string[]
    waits: boolean
    slot: string
    end(answer: Answers): void
    fail(error: Error): void
  }[] = []
  let slot = ''
  const write = sharedWrites<Entry, string | null>({
    write: (entries, { waits }) =>
      new Promise((end, fail) =>
        sent.push({ names: entries.map(({ name }) => name), waits, slot, end, fail }),
      ),
    keysOf: ({ key }) => (key === undefined ? [] : [key]),
    refuse: () => new Error('too many'),
    most,
    waitMs,
  })
  const withinOf =
    (group: string) =>
    <T>(work: () => Promise<T>, own: string = group) => {
      slot = own
      return work()
    }
  return { sent, add: (entry: Entry, group = 'a') => write(group, withinOf(group), entry) }
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

test('groups share a statement that waits for no lock, in a slot that belongs to none of them', async () => {
  const { sent, add } = recorded()
  void add({ name: '1' }, 'a')
  void add({ name: '2' }, 'b')
  await turn()
  expect(sent).toMatchObject([{ names: ['1', '2'], waits: false, slot: 'shared' }])
})

test('what finds its rows locked is written again by its own group, which waits, and delays no other', async () => {
  const { sent, add } = recorded()
  const [first, second] = [add({ name: '1' }, 'a'), add({ name: '2' }, 'b')]
  await turn()
  sent[0]?.end([BUSY, 'two'])
  await expect(second).resolves.toBe('two')
  await vi.waitFor(() => expect(sent[1]).toMatchObject({ names: ['1'], waits: true, slot: 'a' }))
  void add({ name: '3' }, 'a')
  const fourth = add({ name: '4' }, 'b')
  await vi.waitFor(() => expect(sent[2]).toMatchObject({ names: ['4'], slot: 'b' }))
  sent[2]?.end(['four'])
  await expect(fourth).resolves.toBe('four')
  // What waits behind the long statement goes beside it, and does not wait for locks as well.
  await vi.waitFor(() => expect(sent[3]).toMatchObject({ names: ['3'], waits: false, slot: 'a' }))
  sent[3]?.end([BUSY])
  sent[1]?.end(['one'])
  await expect(first).resolves.toBe('one')
  await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ names: ['3'], waits: true }))
})

test('a group with a long queue does not fill the statement of the others, and goes whole where it is alone', async () => {
  const { sent, add } = recorded()
  for (let n = 0; n < 40; n += 1) void add({ name: `a${n}` }, 'a')
  void add({ name: 'b' }, 'b')
  await turn()
  expect(sent[0]?.names).toEqual(['a0', 'b', ...[1, 2, 3, 4, 5, 6, 7].map((n) => `a${n}`)])
  sent[0]?.end(sent[0].names)
  await vi.waitFor(() => expect(sent[1]?.names).toHaveLength(32))
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

test('who has waited for too long is refused and not written; who is in a statement gets its answer', async () => {
  const { sent, add } = recorded(1_000, 500)
  const running: Promise<string | null>[] = []
  // As many statements of one group as may run side by side.
  for (const name of ['1', '2', '3', '4', '5']) {
    running.push(add({ name }))
    await vi.waitFor(() => expect(sent.at(-1)?.names).toEqual([name]))
  }
  const late = [add({ name: 'late' }), add({ name: 'later' })]
  for (const one of late) await expect(one).rejects.toThrow('too many')
  for (const { end, names } of sent) end(names)
  await expect(Promise.all(running)).resolves.toEqual(['1', '2', '3', '4', '5'])
  const next = add({ name: 'next' })
  await vi.waitFor(() => expect(sent.at(-1)?.names).toEqual(['next']))
  sent.at(-1)?.end(['next'])
  await expect(next).resolves.toBe('next')
  expect(sent).toHaveLength(6)
})

/** Statements that answer with the names of their entries, for groups of which one gets no slot. */
function crowded() {
  const write = sharedWrites<Entry, string | null>({
    write: async (entries) => entries.map(({ name }) => name),
    keysOf: () => [],
    refuse: () => new Error('too many'),
    waitMs: 60_000,
  })
  const slots: string[] = []
  const withinOf =
    (group: string) =>
    <T>(work: () => Promise<T>, slot: string = group) => {
      slots.push(slot)
      return slot === 'free' ? work() : Promise.reject(new Error('no slot'))
    }
  return { slots, add: (name: string, group: string) => write(group, withinOf(group), { name }) }
}

test('if a group gets no slot for a statement, all of its entries are refused, and none waits for a slot again', async () => {
  const { slots, add } = crowded()
  const entries = ['1', '2', '3'].map((name) => add(name, 'busy'))
  for (const entry of entries) await expect(entry).rejects.toThrow('no slot')
  expect(slots).toEqual(['busy'])
})

test('if a statement of several groups gets no slot, who has a slot of the own group is written', async () => {
  const { slots, add } = crowded()
  const [busy, free] = [add('1', 'busy'), add('2', 'free')]
  await expect(busy).rejects.toThrow('no slot')
  await expect(free).resolves.toBe('2')
  expect(slots).toEqual(['shared', 'busy', 'free'])
})
