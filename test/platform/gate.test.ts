import { expect, test } from 'vitest'
import { gate } from '../../src/platform/auth/gate.ts'

/** Work that is let in one piece at a time, and the order it was let in. */
function watched<Lane extends string>(
  lanes: readonly Lane[],
  bounds: { waiting: number; waitingOfOne: number },
) {
  const through = gate(lanes, { places: 1, crowded: 'Full', ...bounds })
  const order: string[] = []
  const open: (() => void)[] = []
  const work = (lane: Lane, key: string, name: string) =>
    through({ lane, key }, async () => {
      order.push(name)
      await new Promise<void>((resolve) => open.push(resolve))
      return name
    })
  /** Lets the work in hand end, and whatever that lets in, until nothing is left. */
  const drain = async (running: Promise<string>[]) => {
    for (let turn = 0; turn < running.length; turn += 1) {
      await expect.poll(() => open.length).toBeGreaterThan(turn)
      open[turn]?.()
    }
    await Promise.all(running)
    return order
  }
  return { through, work, drain, order }
}
const refusal = { code: 'RATE_LIMITED', headers: { 'retry-after': '2' } }

test('work of one key runs in the order it came, one piece at a time', async () => {
  const { work, drain, order } = watched(['a'], { waiting: 3, waitingOfOne: 3 })
  const running = [work('a', 'x', '1'), work('a', 'x', '2'), work('a', 'x', '3')]
  await expect.poll(() => order).toEqual(['1'])
  expect(await drain(running)).toEqual(['1', '2', '3'])
})

test('lanes take turns, and inside a lane its keys do', async () => {
  const { work, drain } = watched(['a', 'b'], { waiting: 9, waitingOfOne: 9 })
  const running = [
    work('a', 'x', 'ax1'),
    work('a', 'x', 'ax2'),
    work('a', 'x', 'ax3'),
    work('a', 'x', 'ax4'),
    work('a', 'y', 'ay1'),
    work('b', 'z', 'bz1'),
    work('b', 'z', 'bz2'),
  ]
  expect(await drain(running)).toEqual(['ax1', 'ax2', 'bz1', 'ay1', 'bz2', 'ax3', 'ax4'])
})

test('a key, then a lane, that is full is refused; the other lanes still let in', async () => {
  const { work, drain } = watched(['a', 'b'], { waiting: 3, waitingOfOne: 2 })
  const running = [work('a', 'x', '1'), work('a', 'x', '2'), work('a', 'x', '3')]
  await expect(work('a', 'x', 'one too many of x')).rejects.toMatchObject(refusal)
  running.push(work('a', 'y', '4'))
  await expect(work('a', 'y', 'one too many in a')).rejects.toMatchObject(refusal)
  running.push(work('b', 'x', '5'))
  expect((await drain(running)).length).toBe(5)
})

test('work that fails gives its place back', async () => {
  const { through } = watched(['a'], { waiting: 1, waitingOfOne: 1 })
  const place = { lane: 'a', key: 'x' } as const
  await expect(through(place, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(through(place, async () => 'free again')).resolves.toBe('free again')
})

test('a place that is handed on is free for nobody else', async () => {
  const through = gate(['only'], { places: 1, waiting: 9, waitingOfOne: 9, crowded: 'Full' })
  let running = 0
  let most = 0
  const open: (() => void)[] = []
  const work = () =>
    through({ lane: 'only', key: 'k' }, async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => open.push(resolve))
      running -= 1
    })
  const first = [work(), work()]
  await expect.poll(() => open.length).toBe(1)
  open[0]?.()
  await expect.poll(() => open.length).toBe(2)
  const late = work()
  open[1]?.()
  await expect.poll(() => open.length).toBe(3)
  open[2]?.()
  await Promise.all([...first, late])
  expect(most).toBe(1)
})
