import { expect, test } from 'vitest'
import { PARTS } from '../../../../src/areas/selling/sales/store/parts.ts'
import { LOCK_ORDER } from '../../../../src/platform/db/lock-order.ts'

test('the parts of a statement that writes a sale take their locks in the order of the list', () => {
  const places = Object.values(PARTS).flatMap((lock) => (lock === null ? [] : [LOCK_ORDER.indexOf(lock)]))
  expect(places.length).toBeGreaterThan(5)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})
