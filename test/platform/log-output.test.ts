import { expect, test } from 'vitest'
import { createLogOutput } from '../../src/platform/log/output.ts'

type Done = (error: Error | null, written: number) => void
/** A sink whose writes end when the test says so. */
function heldSink() {
  const writes: { bytes: Buffer; done: Done }[] = []
  const sink = (bytes: Buffer, done: Done) => void writes.push({ bytes, done })
  return { sink, writes, text: () => Buffer.concat(writes.map(({ bytes }) => bytes)).toString() }
}
const failure = (code: string) => Object.assign(new Error(code), { code })

test('lines that come while one is written go out together, in order', () => {
  const { sink, writes } = heldSink()
  const output = createLogOutput(sink)
  for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
  expect(writes.map(({ bytes }) => bytes.toString())).toEqual(['one\n'])
  writes[0]?.done(null, 4)
  expect(writes[1]?.bytes.toString()).toBe('two\nthree\n')
})

test('a write that took a part of the bytes is continued where it ended', () => {
  const { sink, writes } = heldSink()
  createLogOutput(sink).write('a long line\n')
  writes[0]?.done(null, 2)
  expect(writes[1]?.bytes.toString()).toBe('long line\n')
})

test('a stalled reader costs no more than 4 MiB of memory, and learns how many lines it lost', () => {
  const { sink, writes } = heldSink()
  const output = createLogOutput(sink)
  const line = `${'x'.repeat(1023)}\n`
  for (let count = 0; count < 6 * 1024; count += 1) output.write(line)
  for (let at = 0; at < writes.length; at += 1) writes[at]?.done(null, writes[at]?.bytes.length ?? 0)
  const lines = Buffer.concat(writes.map(({ bytes }) => bytes))
    .toString()
    .trimEnd()
    .split('\n')
  const kept = lines.filter((text) => `${text}\n` === line).length
  expect(kept).toBe(4 * 1024 + 1)
  const [loss] = lines.filter((text) => text.startsWith('{'))
  expect(JSON.parse(loss ?? '')).toMatchObject({ level: 40, lostLines: 6 * 1024 - kept })
})

test.each(['ENOSPC', 'EPIPE', 'EIO'])(
  '%s loses the lines it met, and later lines are written again',
  async (code) => {
    const { sink, writes, text } = heldSink()
    const output = createLogOutput(sink)
    output.write('lost one\nlost two\n')
    writes[0]?.done(failure(code), 0)
    output.write('kept\n')
    await expect.poll(() => writes.length).toBe(2)
    writes[1]?.done(null, 5)
    writes[2]?.done(null, writes[2].bytes.length)
    expect(text()).toContain('kept\n')
    expect(JSON.parse(writes[2]?.bytes.toString() ?? '')).toMatchObject({ lostLines: 2 })
  },
)

test('a terminal that is busy loses nothing', async () => {
  const { sink, writes } = heldSink()
  createLogOutput(sink).write('one\n')
  writes[0]?.done(failure('EAGAIN'), 0)
  await expect.poll(() => writes.length).toBe(2)
  expect(writes[1]?.bytes.toString()).toBe('one\n')
})

test('the end of a process waits for the last lines, and not for a reader that stalls', async () => {
  const { sink, writes } = heldSink()
  const output = createLogOutput(sink)
  output.write('stalled\n')
  const stalled = output.drained()
  await expect(stalled).resolves.toBeUndefined()
  writes[0]?.done(null, 8)
  await expect(output.drained()).resolves.toBeUndefined()
})
