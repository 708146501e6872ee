import { Writable } from 'node:stream'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { errorReport } from '../../src/platform/log/error-text.ts'
import { lazyChild, makeLog } from '../../src/platform/log/log.ts'
import { readableLine } from '../../src/platform/log/readable.ts'

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

test('each line of a request says which request it is of, and keeps secrets to itself', () => {
  const text = logged((log) => {
    const request = lazyChild(log, { reqId: 'req_1' })
    request.warn({ token: 'planted' }, 'first')
    request.child({ part: 2 }).info('second')
    expect(request.level).toBe('trace')
  })
  expect(text).not.toContain('planted')
  const lines = text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { reqId: 'req_1', msg: 'first' },
    { reqId: 'req_1', part: 2, msg: 'second' },
  ])
})

test('one event is one line, whatever its text holds', () => {
  const text = logged((log) => log.info({ name: 'a\r\nb\u2028c' }, 'first\nsecond\u001b[31m'))
  expect(text.trimEnd().split('\n')).toHaveLength(1)
  expect(text).not.toContain('\u001b')
})

const refusal = async (statement: string): Promise<Error & { detail?: string; hint?: string }> => {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(
      `create temp table people (id int primary key, phone text unique, spent bigint check (spent >= 0))`,
    )
    await client.query(`insert into people values (1, '0812-planted', 1)`)
    return await client.query(statement).then(
      () => new Error('it was not refused'),
      (error: Error) => error,
    )
  } finally {
    await client.end()
  }
}
const RAISED = `do $$ begin raise exception 'refused' using detail = 'planted', hint = 'planted', errcode = 'P0001'; end $$`

test.each([
  ['23514', `insert into people values (2, '0812-planted-too', -5)`],
  ['23505', `insert into people values (3, '0812-planted', 5)`],
  ['P0001', RAISED],
  ['22P02', `select 'planted'::int`],
])(
  'a real %s of the database leaves its rows out of the log and of the terminal, as itself and as a cause',
  async (code, statement) => {
    const error = await refusal(statement)
    expect(error).toMatchObject({ code })
    expect(JSON.stringify([error, error.message])).toContain('planted')
    const wrapped = new Error('outer', { cause: new Error('middle', { cause: error }) })
    const text = logged((log) => {
      log.error({ err: error }, 'line')
      log.error(error)
      log.child({}).warn({ err: wrapped }, 'line')
    })
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { err: { code, stack: expect.stringContaining('at ') } },
      { err: { code } },
      { err: { message: 'outer', cause: { message: 'middle', cause: { code } } } },
    ])
    expect(text + errorReport(error) + errorReport(wrapped)).not.toContain('planted')
    expect(errorReport(wrapped)).toContain(`(${code})`)
  },
)

test('causes that go round in a circle end', () => {
  const error = new Error('round')
  error.cause = error
  expect(logged((log) => log.error({ err: error }, 'line')).match(/round/g)?.length).toBeLessThan(20)
})

test('a line names its level and its instant', () => {
  expect(JSON.parse(logged((log) => log.warn('x')))).toMatchObject({
    level: expect.anything(),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    msg: 'x',
  })
})

test.each([
  ['a word', 'a'],
  ['escapes', '%41'],
  ['what begins like a JWT', '-eyJ'],
  ['digits', '08'],
  ['schemes', 'Bearer '],
])('a long line of %s is written before anybody gives up on it', (_, part) => {
  const long = part.repeat(200_000 / part.length)
  expect(logged((log) => log.info({ long }, 'line'))).toContain('line')
})

test.each([
  ['token-eyJhbGciOiJ9.eyJzdWIiOiJ9.c2ln', 'token-[token]'],
  ['x.eyJhbGciOiJ9.eyJzdWIiOiJ9.c2ln', 'x.[token]'],
  ['from sari@example.com+budi@example.com', 'from [mail][mail]'],
])('%s loses its secret wherever it begins', (said, kept) => {
  expect(JSON.parse(logged((log) => log.info({ said }, 'line'))).said).toBe(kept)
})

const LINE_TIME = '2026-11-23T12:30:05.123Z'

test('a line for the terminal has time, level, message and fields, and the stack of an error below it', () => {
  const fields = { level: 40, time: LINE_TIME, partner: 'payment', tries: 3, msg: 'no answer yet' }
  expect(readableLine(JSON.stringify(fields))).toBe(
    '12:30:05Z WARN  no answer yet  partner=payment  tries=3\n',
  )
  const err = { type: 'Error', message: 'gone', stack: 'gone\n    at open (file.js:1:2)' }
  expect(readableLine(JSON.stringify({ level: 50, time: LINE_TIME, err, msg: 'gone' }))).toBe(
    '12:30:05Z ERROR gone  type=Error  message=gone\n    gone\n    at open (file.js:1:2)\n',
  )
})

test('nothing that a stranger sent can move the cursor of a terminal or start a line of its own', () => {
  const sent = '\u001b[2J\u009b1A\u202e\r\n12:00:00Z INFO  all is well'
  const line = readableLine(
    JSON.stringify({
      level: 30,
      time: LINE_TIME,
      [sent]: sent,
      deep: [sent],
      msg: sent,
      err: { stack: sent },
    }),
  )
  // oxlint-disable-next-line no-control-regex -- the characters that a terminal acts on
  expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(line.split('\n').filter((text) => /^\d\d:/.test(text))).toHaveLength(1)
})
