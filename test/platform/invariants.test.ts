import pg from 'pg'
import { expect, test } from 'vitest'
import { restoredLines } from '../../src/platform/backup/examination.ts'
import { examineBooks } from '../../src/platform/db/invariants.ts'

/** A server that answers every check of an invariant with this error. */
function failing(code: string): Pick<pg.ClientBase, 'query'> {
  const error = Object.assign(new pg.DatabaseError('could not write block', 0, 'error'), { code })
  const query = async (text: string) => {
    if (text.startsWith('select * from')) throw error
    return { rows: [] }
  }
  return { query } as unknown as pg.ClientBase
}
const asOf = '2026-11-27T00:00:00.000Z'

test.each(['53100', '53200', '57P01'])(
  'a restore whose server runs out of space or memory, or stops (%s), fails with that error, not with broken books',
  async (code) => {
    await expect(examineBooks(failing(code), { asOf, needsServer: true })).rejects.toMatchObject({ code })
  },
)

test('a restore that was told to accept broken books calls those that could not be checked not broken', () => {
  const unchecked = ['stock: a level is the sum of its movements (could not write block)']
  expect(restoredLines({ broken: [], unchecked })).toEqual([
    'The backup is restored completely, but not every invariant could be checked:',
    `  not checked: ${unchecked[0]}`,
    'kasir doctor checks them again.',
  ])
})

test('a backup whose server has no space to check an invariant lists it as not checked', async () => {
  const { broken, unchecked } = await examineBooks(failing('53100'), { asOf })
  expect(broken).toEqual([])
  expect(unchecked[0]).toContain('(could not write block)')
})
