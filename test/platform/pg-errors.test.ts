import { expect, test } from 'vitest'
import { conflict } from '../../src/core/errors.ts'
import {
  isRetryable,
  isWorkerLost,
  markAsDatabases,
  outcomeUnknown,
  translatePgError,
} from '../../src/platform/db/pg-errors.ts'
import { toApiError } from '../../src/platform/http/error-handler.ts'

const pg = (code: string) =>
  Object.assign(new Error('relation "sales" violates something in line 7'), { code })

test.each([
  ['23505', 409, 'CONFLICT'],
  ['23503', 409, 'CONFLICT'],
  ['22003', 422, 'VALIDATION_ERROR'],
  ['40001', 503, 'SERVICE_UNAVAILABLE'],
  ['40P01', 503, 'SERVICE_UNAVAILABLE'],
  ['55P03', 503, 'SERVICE_UNAVAILABLE'],
  ['57014', 503, 'SERVICE_UNAVAILABLE'],
  ['57P01', 503, 'SERVICE_UNAVAILABLE'],
  ['53300', 503, 'SERVICE_UNAVAILABLE'],
  ['53100', 503, 'SERVICE_UNAVAILABLE'],
  ['ENOSPC', 503, 'SERVICE_UNAVAILABLE'],
  ['EDQUOT', 503, 'SERVICE_UNAVAILABLE'],
  ['08006', 503, 'SERVICE_UNAVAILABLE'],
  ['25006', 503, 'SERVICE_UNAVAILABLE'],
  ['ECONNRESET', 500, 'INTERNAL_ERROR'],
  ['42P01', 500, 'INTERNAL_ERROR'],
  ['23514', 500, 'INTERNAL_ERROR'],
])('SQLSTATE %s is told as %i %s without a word of SQL', (code, status, name) => {
  const told = toApiError(pg(code))
  expect([told.status, told.code]).toEqual([status, name])
  expect(told.message).not.toMatch(/relation|sales|line 7/)
  if (status === 503) expect(told.headers?.['retry-after']).toBe('1')
})

test.each([
  [
    '08006',
    'connection to the remote node kasir@10.0.0.2:5432 failed with the following error: Connection refused',
  ],
  ['57P01', 'terminating connection due to administrator command'],
  ['XX000', 'terminating connection due to unexpected postmaster exit'],
  ['XX000', 'could not commit transaction for shard 102193 on at least one active node'],
])(
  'a worker that is out of reach (%s %s) is 503 with Retry-After, and no fault of the coordinator',
  (code, message) => {
    const error = Object.assign(new Error(message), { code, severity: 'ERROR' })
    expect([
      isWorkerLost(error),
      isWorkerLost(outcomeUnknown(error)),
      isWorkerLost(Object.assign(new Error(message), { code, severity: 'FATAL' })),
    ]).toEqual([true, true, false])
    const told = toApiError(error)
    expect([told.status, told.code, told.headers?.['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '1'])
  },
)

test('a fault inside the database stays a fault', () => {
  const error = Object.assign(new Error('cache lookup failed for type 7'), {
    code: 'XX000',
    severity: 'ERROR',
  })
  expect([isWorkerLost(error), toApiError(error).status]).toEqual([false, 500])
})

test('what was decided stays as it is, and only what the database asks for is retried', () => {
  const decided = conflict('no')
  expect(translatePgError(decided)).toBe(decided)
  expect(['40001', '40P01', '23505', '55P03'].map((code) => isRetryable(pg(code)))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(isRetryable(null)).toBe(false)
})

test.each([[undefined], [null], ['text'], [{}], [new Error('boom')]])(
  'whatever is thrown (%s) is a 500 that says nothing',
  (thrown) => {
    const told = toApiError(thrown)
    expect([told.status, told.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(told.message).not.toContain('boom')
  },
)

test('the code of a socket means an outage only where the socket was one to the database', () => {
  const ours = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  markAsDatabases(ours)
  const told = toApiError(ours)
  expect([told.status, told.headers]).toEqual([503, { 'retry-after': '1' }])
})

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
])('the driver saying %j is an outage', (message) => {
  const told = toApiError(new Error(message))
  expect([told.status, told.headers]).toEqual([503, { 'retry-after': '1' }])
})
