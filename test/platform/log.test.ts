import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { makeLog } from '../../src/platform/log.ts'

const logged = (write: (log: ReturnType<typeof makeLog>) => void): string => {
  let text = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  write(makeLog('trace', sink))
  return text
}

test.each([
  [{ authorization: 'Bearer planted' }],
  [{ headers: { authorization: 'Bearer planted', cookie: 'kasir_session=planted' } }],
  [{ req: { headers: { 'set-cookie': 'planted' } } }],
  [{ body: { password: 'planted', key: 'planted', token: 'planted' } }],
  [{ secret: 'planted' }],
  [{ payment: { reference: 'planted' } }],
  [{ headers: { 'idempotency-key': 'planted' } }],
])('a line of %j keeps the secret to itself', (fields) => {
  expect(logged((log) => log.info(fields, 'line'))).not.toContain('planted')
})

test('one event is one line, whatever its text holds', () => {
  const text = logged((log) => log.info({ name: 'a\r\nb\u2028c' }, 'first\nsecond\u001b[31m'))
  expect(text.trimEnd().split('\n')).toHaveLength(1)
  expect(text).not.toContain('\u001b')
})

test('a line names its level and its instant', () => {
  expect(JSON.parse(logged((log) => log.warn('x')))).toMatchObject({
    level: expect.anything(),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    msg: 'x',
  })
})
