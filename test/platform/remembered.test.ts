import { expect, test } from 'vitest'
import { recallKey, rememberKey } from '../../src/platform/auth/remembered.ts'
import type { Db } from '../../src/platform/db/open.ts'

const aDb = () => ({}) as Db
const NOW = '2026-11-21T05:00:00.000Z'
const key = (hash: string) => ({
  hash,
  id: `ak_${hash}`,
  name: 'Till',
  role: 'OWNER' as const,
  readOnly: false,
  lastUsedAt: NOW,
})

test('a key is known for a minute after it was looked up, on its own database only', () => {
  const db = aDb()
  rememberKey(db, 'a', key('a'), NOW)
  expect(recallKey(db, 'a', '2026-11-21T05:01:00.000Z')).toEqual(key('a'))
  expect(recallKey(db, 'a', '2026-11-21T05:01:00.001Z')).toBeUndefined()
  expect(recallKey(db, 'b', NOW)).toBeUndefined()
  expect(recallKey(aDb(), 'a', NOW)).toBeUndefined()
})

test('a key in use is remembered while others fill the cache', () => {
  const db = aDb()
  for (let index = 0; index < 10_000; index += 1) rememberKey(db, `${index}`, key(`${index}`), NOW)
  expect(recallKey(db, '0', NOW)).toBeDefined()
  rememberKey(db, 'one more', key('one more'), NOW)
  expect(recallKey(db, '0', NOW)).toBeDefined()
  expect(recallKey(db, '1', NOW)).toBeUndefined()
  expect(recallKey(db, '2', NOW)).toBeDefined()
})
