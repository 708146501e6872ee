import { expect, test } from 'vitest'
import { undoAll } from '../../src/undo.ts'

test('a step of a stop that never ends, or fails, keeps no later step from ending, and is reported', async () => {
  const done: string[] = []
  const stopping = undoAll(
    [
      async () => void done.push('first'),
      () => new Promise<never>(() => {}),
      async () => {
        throw new Error('late')
      },
      async () => void done.push('last'),
    ],
    performance.now(),
  )
  await expect(stopping).rejects.toThrow('A part of the service did not stop in time')
  expect(done).toEqual(['first', 'last'])
})

test('each step is told what is left, and one that takes too long leaves time for those after it', async () => {
  const left: number[] = []
  const beganMs = performance.now()
  const never = (leftMs: number) => {
    left.push(leftMs)
    return new Promise<never>(() => {})
  }
  await expect(undoAll([never, never], beganMs + 2_000)).rejects.toThrow('did not stop in time')
  expect(left[0]).toBeGreaterThan(1_900)
  expect(left[1]).toBeGreaterThan(400)
})
