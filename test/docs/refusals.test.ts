import { expect, test } from 'vitest'
import { unprovoked } from '../../scripts/lib/refusals.ts'

const declared = [
  {
    name: 'outlets.create',
    address: 'POST /api/v1/outlets',
    refusals: new Map([
      [403, ['FORBIDDEN', 'LIMIT_REACHED']],
      [429, ['RATE_LIMITED']],
    ] as const),
    own: ['LIMIT_REACHED'],
  },
  {
    name: 'tables.create',
    address: 'POST /api/v1/tables',
    refusals: new Map([[403, ['FORBIDDEN', 'LIMIT_REACHED']]] as const),
    own: ['LIMIT_REACHED'],
  },
] as const
const missing = (...seen: string[]) => unprovoked(declared, new Set(seen), [])

test('a refusal that a row declares of its handler has to be met there, one that is implied at any row', () => {
  expect(
    missing(
      'POST /api/v1/outlets 403 LIMIT_REACHED',
      'POST /api/v1/outlets 429 RATE_LIMITED',
      'POST /api/v1/tables 403 FORBIDDEN',
      'POST /api/v1/tables 409 CONFLICT',
    ),
  ).toEqual(['tables.create declares 403 LIMIT_REACHED, and no test provokes it'])
})

test('a run that noted nothing lacks everything', () => {
  expect(missing()).toEqual([
    'outlets.create declares 403 LIMIT_REACHED, and no test provokes it',
    'tables.create declares 403 LIMIT_REACHED, and no test provokes it',
    'the document names 403 FORBIDDEN, and no test provokes it',
    'the document names 403 LIMIT_REACHED, and no test provokes it',
    'the document names 429 RATE_LIMITED, and no test provokes it',
  ])
})

test('the list of what no test provokes holds what is missing, and nothing that was met', () => {
  const notMet = ['the document names 429 RATE_LIMITED', 'tables.create declares 403 LIMIT_REACHED']
  const seen = ['outlets', 'tables'].map((room) => `POST /api/v1/${room} 403 LIMIT_REACHED`)
  expect(unprovoked(declared, new Set([...seen, 'POST /api/v1/tables 403 FORBIDDEN']), notMet)).toEqual([
    'tables.create declares 403 LIMIT_REACHED: met, or declared no more; take it off the list',
  ])
})
