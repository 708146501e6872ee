import { expect, test } from 'vitest'
import { statement, writeStatement } from '../../src/platform/db/statement.ts'

const TEXTS: [text: string, writes: boolean][] = [
  ['select id from outlets where account_id = $1', false],
  ['select id from sales where account_id = $1 order by id for update', false],
  ['select id from sales s where account_id = $1 for no key update of s', false],
  ['insert into outlets (account_id) values ($1) on conflict (account_id) do update set name = $2', true],
  ['with gone as (delete from outlets where account_id = $1 returning id) select id from gone', true],
  ['update outlets o set name = $2 where o.account_id = $1', true],
  ['with n as (select 1)\n  update outlets set name = $1', true],
  ['merge into outlets using x on true', true],
]

test.each(TEXTS)('is declared as what it does: %s', (text, writes) => {
  const declare = { true: writeStatement, false: statement }
  const name = `declared_${TEXTS.findIndex(([known]) => known === text)}`
  expect(() => declare[`${!writes}`](name, text)).toThrow(
    writes ? 'is declared as a read and writes' : 'is declared as a write and only reads',
  )
  expect(declare[`${writes}`](name, text)).toEqual({ name, text })
})

test('a name belongs to one statement', () => {
  statement('twice', 'select 1')
  expect(() => statement('twice', 'select 2')).toThrow('two statements have the name twice')
})
