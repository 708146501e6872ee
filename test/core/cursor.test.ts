import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor, pageOf } from '../../src/core/cursor.ts'
import { newId } from '../../src/core/ids.ts'

const row = (id = newId('sale') as string) => ({ createdAt: '2026-11-21T03:00:00.000Z', id })

test('a cursor comes back as it went out', () => {
  const cursor = row()
  expect(decodeCursor(encodeCursor(cursor), 'sale')).toEqual(cursor)
})

test('whatever is no cursor of such a list is 400 with param cursor', () => {
  const { createdAt, id } = row()
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const strange = [
    '',
    'garbage',
    '💥',
    base64(null),
    base64({ createdAt, id }),
    base64([createdAt]),
    base64([createdAt, id, 1]),
    base64([0, id]),
    base64([createdAt, id.toLowerCase()]),
    base64([createdAt, newId('shift')]),
    base64(['2026-11-21', id]),
    base64(['2026-11-21T03:00:00Z', id]),
    base64(['2026-02-30T03:00:00.000Z', id]),
    `${encodeCursor({ createdAt, id })}=`,
    ` ${encodeCursor({ createdAt, id })}`,
  ]
  for (const text of strange) {
    expect(() => decodeCursor(text, 'sale'), text).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', status: 400, param: 'cursor' }),
    )
  }
})

test('no text at all makes it throw anything else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => decodeCursor(text, 'sale')).toThrow(expect.objectContaining({ param: 'cursor' }))
    }),
  )
})

test('a page ends where the limit is, and says whether more follow', () => {
  const rows = [row(), row(), row()]
  expect(pageOf(rows, 3)).toEqual({ items: rows, cursor: null, hasMore: false })
  expect(pageOf(rows, 2)).toEqual({
    items: rows.slice(0, 2),
    cursor: encodeCursor(rows[1] ?? row()),
    hasMore: true,
  })
  expect(pageOf([], 20)).toEqual({ items: [], cursor: null, hasMore: false })
})
